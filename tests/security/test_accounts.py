"""Attacks on accounts: guessed passwords and codes, lock-outs, enumeration, stolen sessions and keys."""

import re
import time
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import BASE, PASSWORD
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import chain, gate

from impasto_server.http.rate_limit import address_block
from impasto_server.runs.events import stream

pytestmark = pytest.mark.anyio
WRONG = "Not-the-one-1"
NEW = "Thin-glaze-8"
OWNER, STRANGER = "203.0.113.7", "198.51.100.9"


@pytest.fixture
async def client_at(app: FastAPI) -> AsyncIterator[Callable[[str], httpx.AsyncClient]]:
    """Return a function that makes a client without cookies at an IP address."""
    opened: list[httpx.AsyncClient] = []

    def make(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(address, 40_000))
        opened.append(httpx.AsyncClient(transport=transport, base_url=BASE))
        return opened[-1]

    yield make
    for client in opened:
        await client.aclose()


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that moves the clock of the rate limits."""
    ahead = 0.0
    real = time.time

    def move(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds

    monkeypatch.setattr("time.time", lambda: real() + ahead)
    return move


async def sign_in(client: httpx.AsyncClient, password: str = WRONG, username: str = "mara") -> httpx.Response:
    return await client.post("/identity/sign-in", json={"username": username, "password": password})


async def forgot(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/identity/forgot-password", json={"username": "mara"})


async def reset(client: httpx.AsyncClient, code: str, **more: str) -> httpx.Response:
    body = {"username": "mara", "confirmation_code": code, "new_password": NEW, **more}
    return await client.post("/identity/confirm-forgot-password", json=body)


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06d}"


class TestGuessedPasswords:
    async def test_failures_from_many_addresses_meet_growing_delays(
        self, client_at: Any, person: Any, wait: Any
    ) -> None:
        for number in range(10):
            expect(await sign_in(client_at(f"198.51.100.{number}")), 401)
        delays = []
        for number in range(4):
            refused = await sign_in(client_at(f"192.0.2.{number}"))
            expect(refused, 429, code="rate_limited")
            delays.append(int(refused.headers["retry-after"]))
            wait(delays[-1])
            expect(await sign_in(client_at(f"192.0.2.{number}")), 401)
        assert delays == [1, 2, 4, 8]

    async def test_delays_grow_for_unknown_accounts_too(self, client_at: Any) -> None:
        for number in range(10):
            expect(await sign_in(client_at(f"198.51.100.{number}"), username="unknown"), 401)
        expect(await sign_in(client_at("192.0.2.1"), username="unknown"), 429)

    async def test_concurrent_guesses_share_one_attempt(self, client_at: Any, person: Any, wait: Any) -> None:
        import asyncio

        for number in range(10):
            await sign_in(client_at(f"198.51.100.{number}"))
        wait(1)
        answers = await asyncio.gather(*(sign_in(client_at(f"192.0.2.{number}")) for number in range(20)))
        assert sorted(answer.status_code for answer in answers) == [401] + [429] * 19

    async def test_stranger_cannot_lock_out_a_known_device(self, client_at: Any, person: Any) -> None:
        for number in range(30):
            await sign_in(client_at(f"198.51.100.{number}"))
        expect(await sign_in(client_at(STRANGER), PASSWORD), 429)
        expect(await sign_in(person.client, PASSWORD), 200)

    async def test_stranger_cannot_lock_out_the_address_of_the_owner(
        self, client_at: Any, person: Any
    ) -> None:
        expect(await sign_in(client_at(OWNER), PASSWORD), 200)
        for number in range(30):
            await sign_in(client_at(f"198.51.100.{number}"))
        without_cookie = client_at(OWNER)
        expect(await sign_in(without_cookie, PASSWORD), 200)

    async def test_reset_opens_the_account_on_a_new_device_during_an_attack(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        for number in range(30):
            await sign_in(client_at(f"198.51.100.{number}"))
        new_device = client_at(OWNER)
        await forgot(new_device)
        expect(await reset(new_device, mailbox.code()), 204)
        expect(await sign_in(new_device, NEW), 200)

    async def test_cookie_of_another_user_is_not_a_known_device(
        self, client_at: Any, person: Any, new_person: Any
    ) -> None:
        other = await new_person("ines")
        device = other.client.cookies["impasto_device"]
        attacker = client_at(STRANGER)
        attacker.cookies.set("impasto_device", device, domain="testserver", path="/api/v1/identity")
        for number in range(10):
            await sign_in(client_at(f"198.51.100.{number}"))
        expect(await sign_in(attacker), 429)

    async def test_known_device_meets_growing_delays_too(self, person: Any) -> None:
        for _ in range(10):
            expect(await sign_in(person.client), 401)
        expect(await sign_in(person.client), 429)

    async def test_success_resets_the_delay(self, person: Any) -> None:
        for _ in range(3):
            for _ in range(9):
                expect(await sign_in(person.client), 401)
            expect(await sign_in(person.client, PASSWORD), 200)

    async def test_one_address_cannot_try_one_password_on_many_accounts(self, client_at: Any) -> None:
        attacker = client_at(STRANGER)
        answers = [await sign_in(attacker, username=f"name{number}") for number in range(101)]
        assert [answer.status_code for answer in answers] == [401] * 100 + [429]

    class TestOneNetwork:
        @pytest.fixture
        def extra_settings(self) -> dict[str, Any]:
            return {"rate_limit_address": "5/minute"}

        async def test_addresses_of_one_ipv6_network_share_a_limit(self, client_at: Any) -> None:
            for number in range(5):
                expect(await sign_in(client_at(f"2001:db8::{number + 1}"), username=f"name{number}"), 401)
            expect(await sign_in(client_at("2001:db8::ffff:1"), username="another"), 429)
            expect(await sign_in(client_at("2001:db8:0:1::1"), username="another"), 401)


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_address_block(address: str, block: str) -> None:
    assert address_block(address) == block


class TestGuessedCodes:
    async def test_new_code_does_not_restore_the_attempts_of_the_day(
        self, client_at: Any, person: Any, mailbox: Any
    ) -> None:
        attacker = client_at(STRANGER)
        for _ in range(2):
            await forgot(attacker)
            for _ in range(5):
                expect(await reset(attacker, other_than(mailbox.code())), 400)
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
        for _ in range(2):
            await forgot(attacker)
            for _ in range(5):
                await reset(attacker, other_than(mailbox.code()))
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
        for _ in range(2):
            await forgot(attacker)
            for _ in range(5):
                await reset(attacker, other_than(mailbox.code()))
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
        for _ in range(2):
            await forgot(attacker)
            for _ in range(5):
                await reset(attacker, other_than(mailbox.code()))
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


class TestEnumeration:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_sign_up": "3/hour"}

    async def test_sign_up_answers_few_questions_about_accounts(self, client_at: Any) -> None:
        def wanted(number: int) -> dict[str, str]:
            return {"username": f"name{number}", "email": f"n{number}@n.example", "password": PASSWORD}

        first = wanted(0)
        expect(await client_at(OWNER).post("/identity/sign-up", json=first), 201)
        stranger = client_at(STRANGER)
        for _ in range(3):
            known = await stranger.post("/identity/sign-up", json=first)
            expect(known, 409)
            assert known.json()["detail"] == "User already exists. Please sign in."
        expect(await stranger.post("/identity/sign-up", json=first), 429, code="rate_limited")
        expect(await stranger.post("/identity/sign-up", json=wanted(1)), 429)
        expect(await client_at(OWNER).post("/identity/sign-up", json=wanted(2)), 201)


class TestStolenAccess:
    """What a thief holds ends when the owner ends it, wherever it is in use."""

    async def test_stream_ends_with_its_session(
        self, person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stream, "CHECK_SECONDS", 0.05)
        made = await make_flow(person, chain("wait"))
        run = await run_flow(person, made["id"])
        async with follow(app, person, run["id"]) as live:
            await live.until("step.started")
            expect(await person.client.post("/identity/sign-out"), 204)
            await live.rest()
            assert live.ended

    async def test_stream_ends_with_its_api_key(
        self, person: Any, app: FastAPI, make_flow: Any, run_flow: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stream, "CHECK_SECONDS", 0.05)
        made = await make_flow(person, chain("wait"))
        run = await run_flow(person, made["id"])
        key = (await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})).json()
        async with follow(app, SimpleNamespace(token=key["key"]), run["id"]) as live:
            await live.until("step.started")
            expect(await person.client.delete(f"/api-keys/{key['id']}"), 204)
            await live.rest()
            assert live.ended
        async with follow(app, person, run["id"]) as live:
            await live.until("step.started")
            gate("gate").set()
            assert (await live.rest())[-1]["type"] == "run.finished"

    async def test_api_key_expires_after_90_days_by_default(
        self, person: Any, client: httpx.AsyncClient, clock: Any
    ) -> None:
        made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})
        client.headers["Authorization"] = f"Bearer {made.json()['key']}"
        clock.travel(days=89)
        expect(await client.get("/flows/"), 200)
        clock.travel(days=1, seconds=1)
        refused = await client.get("/flows/")
        expect(refused, 401, code="key_expired")
        assert "This API key expired on " in refused.json()["detail"]

    async def test_reset_revokes_api_keys(self, person: Any, client_at: Any, mailbox: Any) -> None:
        robot = client_at(STRANGER)
        made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})
        robot.headers["Authorization"] = f"Bearer {made.json()['key']}"
        expect(await robot.get("/flows/"), 200)
        owner = client_at(OWNER)
        await forgot(owner)
        expect(await reset(owner, mailbox.code()), 204)
        expect(await robot.get("/flows/"), 401)

    @pytest.mark.parametrize(("is_wanted", "status"), [(True, 401), (False, 200)])
    async def test_password_change_revokes_api_keys_if_wanted(
        self, person: Any, client_at: Any, is_wanted: bool, status: int
    ) -> None:
        robot = client_at(STRANGER)
        made = await person.client.post("/api-keys", json={"name": "robot", "scopes": ["read"]})
        robot.headers["Authorization"] = f"Bearer {made.json()['key']}"
        body = {"old_password": PASSWORD, "new_password": NEW, "revoke_api_keys": is_wanted}
        expect(await person.client.post("/identity/change-password", json=body), 204)
        expect(await robot.get("/flows/"), status)


def link_token(mailbox: Any) -> str:
    """Return the token of the link in the newest e-mail, or an empty text."""
    text = mailbox.messages()[-1].get_body(("plain",)).get_content()
    found = re.search(r"#\S*token=([\w-]+)", text)
    return found[1] if found else ""
