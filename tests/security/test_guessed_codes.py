"""Guessed codes of e-mails, voided codes, and floods of e-mails with codes."""

from typing import Any

import pytest
from tests.security.accounts import OWNER, STRANGER, forgot, link_token, other_than, reset, use_up_attempts
from tests.server.conftest import PASSWORD
from tests.server.responses import expect

pytestmark = pytest.mark.anyio


class TestGuessedCodes:
    async def test_new_code_does_not_restore_the_attempts_of_the_day(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        attacker = client_at(STRANGER)
        await use_up_attempts(attacker, mailbox)
        await forgot(attacker)
        expect(await reset(attacker, mailbox.code()), 400, reason="ten wrong codes a day end it")

    async def test_many_devices_share_the_attempts_of_the_day(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        for number in range(4):
            await forgot(client_at(f"198.51.100.{number}"))
        code = mailbox.code()
        for number in range(20):
            expect(await reset(client_at(f"192.0.2.{number}"), other_than(code)), 400)
        expect(await reset(client_at(STRANGER), code), 400)

    async def test_attempts_return_the_next_day(
        self, client_at: Any, person: Any, mailbox: Any, clock: Any
    ) -> None:
        attacker = client_at(STRANGER)
        await use_up_attempts(attacker, mailbox)
        clock.travel(days=1)
        await forgot(attacker)
        expect(await reset(attacker, mailbox.code()), 204)

    async def test_stranger_cannot_void_a_reset_code(self, client_at: Any, person: Any, mailbox: Any) -> None:
        owner = client_at(OWNER)
        await forgot(owner)
        code = mailbox.code()
        for number in range(12):
            stranger = client_at(f"198.51.100.{number}")
            await forgot(stranger)
            await stranger.post("/identity/resend-code", json={"username": "mara"})
            await reset(stranger, other_than(code))
        expect(await reset(owner, code), 204)

    async def test_stranger_without_requests_cannot_void_a_reset_code(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        owner = client_at(OWNER)
        await forgot(owner)
        code = mailbox.code()
        for _ in range(12):
            expect(await reset(client_at(OWNER), other_than(code)), 400)
        expect(await reset(owner, code), 204)

    async def test_code_is_accepted_on_another_device(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        await forgot(client_at(OWNER))
        expect(await reset(client_at("203.0.113.8"), mailbox.code()), 204)

    async def test_owner_resets_by_link_when_a_stranger_used_up_the_attempts(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        attacker = client_at(STRANGER)
        await use_up_attempts(attacker, mailbox)
        owner = client_at(OWNER)
        await forgot(owner)
        code, token = mailbox.code(), link_token(mailbox)
        expect(await reset(owner, code), 400, reason="the code alone could be guessed")
        expect(await reset(owner, code, token="x" * 43), 400)
        expect(await reset(owner, code, token=token), 204)

    async def test_code_of_a_link_dies_after_five_tries(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        attacker = client_at(STRANGER)
        await use_up_attempts(attacker, mailbox)
        await forgot(attacker)
        code, token = mailbox.code(), link_token(mailbox)
        for _ in range(5):
            expect(await reset(attacker, other_than(code), token=token), 400)
        expect(await reset(attacker, code, token=token), 400)

    async def test_stranger_cannot_void_a_sign_up(self, client_at: Any, mailbox: Any) -> None:
        owner, stranger = client_at(OWNER), client_at(STRANGER)
        wanted = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
        expect(await owner.post("/identity/sign-up", json=wanted), 201)
        code = mailbox.code()
        same_name = {**wanted, "email": "other@northbound.example"}
        expect(await stranger.post("/identity/sign-up", json=same_name), 409, code="user_exists")
        expect(await stranger.post("/identity/sign-up", json=wanted), 409, code="user_exists")
        for _ in range(12):
            await stranger.post("/identity/resend-code", json={"username": "mara"})
            body = {"username": "mara", "code": other_than(code)}
            expect(await stranger.post("/identity/confirm-sign-up", json=body), 400)
        confirmed = await owner.post("/identity/confirm-sign-up", json={"username": "mara", "code": code})
        expect(confirmed, 200)

    async def test_signing_up_again_does_not_restore_the_attempts(
        self, client_at: Any, mailbox: Any, clock: Any
    ) -> None:
        clock.travel_to_noon()  # half an hour passes below, in which no new day of attempts may begin
        attacker = client_at(STRANGER)
        wanted = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
        for _ in range(2):
            expect(await attacker.post("/identity/sign-up", json=wanted), 201)
            for _ in range(5):
                body = {"username": "mara", "code": other_than(mailbox.code())}
                await attacker.post("/identity/confirm-sign-up", json=body)
            clock.travel(minutes=16)
        expect(await attacker.post("/identity/sign-up", json=wanted), 201)
        body = {"username": "mara", "code": mailbox.code()}
        expect(await attacker.post("/identity/confirm-sign-up", json=body), 400)
        body["token"] = link_token(mailbox)
        expect(await attacker.post("/identity/confirm-sign-up", json=body), 200)


class TestMailFlood:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_mails": "8/hour", "rate_limit_mails_address": "5/hour"}

    async def test_requests_of_strangers_do_not_stop_the_mails_of_a_known_device(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        sent = len(mailbox.messages())
        for number in range(20):
            await forgot(client_at(f"198.51.100.{number % 2}"))
        assert len(mailbox.messages()) - sent <= 8
        await forgot(person.client)
        expect(await reset(person.client, mailbox.code(), token=link_token(mailbox)), 204)

    async def test_one_address_cannot_use_up_the_mails_of_an_account(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        sent = len(mailbox.messages())
        for _ in range(20):
            await forgot(client_at(STRANGER))
        assert len(mailbox.messages()) - sent == 5
        await forgot(client_at(OWNER))
        assert len(mailbox.messages()) - sent == 6
