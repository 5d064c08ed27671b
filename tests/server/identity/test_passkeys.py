"""Passkeys: signing in, as a second factor, and every reason to refuse one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update
from tests.server.conftest import PASSWORD, Recorded, TravellingClock
from tests.server.identity.authenticator import PRESENT, Authenticator
from tests.server.identity.second_factor_steps import (
    add_passkey,
    challenge,
    passkey_proof,
    show,
    sign_in,
)
from tests.server.responses import expect
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from impasto_server.admin import people
from impasto_server.container import AppState
from impasto_server.identity.errors import PasskeyInvalid
from impasto_server.identity.second_factors import passkeys
from impasto_server.settings import Settings
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"public_url": "http://localhost:8000"}


class TestPasskeys:
    async def sign_in(
        self, client: httpx.AsyncClient, authenticator: Authenticator
    ) -> tuple[httpx.Response, dict[str, Any]]:
        options = expect(await client.post("/identity/passkey-sign-in/options"), 200).json()
        body = {"challenge_id": options["challenge_id"], "credential": authenticator.get(options["options"])}
        return await client.post("/identity/passkey-sign-in", json=body), body

    async def test_passkey_signs_in_without_a_password(
        self, client: httpx.AsyncClient, person: Any, clock: Any, mailbox: Any
    ) -> None:
        authenticator, before = Authenticator(), clock()
        made = await add_passkey(person, authenticator)
        assert len(made["recovery_codes"]) == 10
        answer, _ = await self.sign_in(client, authenticator)
        token = expect(answer, 200).json()["session"]["identity_token"]
        assert {"impasto_refresh", "impasto_device"} <= {*client.cookies}
        assert mailbox.messages()[-1]["Subject"] == "New sign-in to Impasto"
        (listed,) = (await person.client.get("/identity/second-factors")).json()["passkeys"]
        times = [datetime.fromisoformat(listed[name]) for name in ("created_at", "last_used_at")]
        assert before <= times[0] < times[1] <= clock()
        me = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
        assert me.json()["username"] == "mara"

    async def test_passkey_is_a_second_factor_after_the_password(
        self, client: httpx.AsyncClient, person: Any
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        asked = await sign_in(client)
        token = asked["challenge_token"]
        assert asked["factors"] == ["passkey", "recovery_code"]
        proof = await passkey_proof(client, token, authenticator)
        expect(await show(client, token, passkey=proof), 200)

    async def test_challenge_is_valid_once(self, client: httpx.AsyncClient, person: Any) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        answer, body = await self.sign_in(client, authenticator)
        expect(answer, 200)
        expect(await client.post("/identity/passkey-sign-in", json=body), 400, code="passkey_invalid")

    async def test_failed_answer_uses_up_the_challenge(self, client: httpx.AsyncClient, person: Any) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        options = (await client.post("/identity/passkey-sign-in/options")).json()
        right = authenticator.get(options["options"])
        for credential in ({**right, "id": "AAAA", "rawId": "AAAA"}, right):
            body = {"challenge_id": options["challenge_id"], "credential": credential}
            expect(await client.post("/identity/passkey-sign-in", json=body), 400)

    async def test_challenge_of_another_browser_is_refused(
        self, client: httpx.AsyncClient, person: Any, new_client: Any
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        options = (await new_client().post("/identity/passkey-sign-in/options")).json()
        body = {"challenge_id": options["challenge_id"], "credential": authenticator.get(options["options"])}
        expect(await client.post("/identity/passkey-sign-in", json=body), 400)

    async def test_challenge_of_another_session_registers_nothing(self, person: Any, new_person: Any) -> None:
        other = await new_person("ines")
        started = await other.client.post("/identity/passkeys/options", json={"password": PASSWORD})
        options = started.json()
        credential = Authenticator().create(options["options"])
        body = {"challenge_id": options["challenge_id"], "credential": credential, "name": "Mine"}
        expect(await person.client.post("/identity/passkeys", json=body), 400, code="passkey_invalid")

    @pytest.mark.parametrize(
        "attack",
        [
            {"origin": "https://impasto.evil.example"},
            {"rp_id": "evil.example"},
            {"flags": PRESENT},
        ],
    )
    async def test_wrong_origin_or_unverified_user_is_refused(
        self, client: httpx.AsyncClient, person: Any, attack: dict[str, Any]
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        for name, value in attack.items():
            setattr(authenticator, name, value)
        answer, _ = await self.sign_in(client, authenticator)
        expect(answer, 400, code="passkey_invalid")

    @pytest.mark.parametrize("attack", [{"rp_id": "evil.example"}, {"flags": PRESENT}])
    async def test_passkey_of_another_host_or_an_unverified_user_is_not_registered(
        self, person: Any, attack: dict[str, Any]
    ) -> None:
        authenticator = Authenticator()
        for name, value in attack.items():
            setattr(authenticator, name, value)
        started = await person.client.post("/identity/passkeys/options", json={"password": PASSWORD})
        options = expect(started, 200).json()
        credential = authenticator.create(options["options"])
        body = {"challenge_id": options["challenge_id"], "credential": credential, "name": "Mine"}
        expect(await person.client.post("/identity/passkeys", json=body), 400, code="passkey_invalid")
        assert (await person.client.get("/identity/second-factors")).json()["passkeys"] == []

    async def test_passkey_of_another_user_is_no_second_factor(
        self, client: httpx.AsyncClient, person: Any, new_person: Any
    ) -> None:
        await add_passkey(person, Authenticator())
        other, foreign = await new_person("ines"), Authenticator()
        await add_passkey(other, foreign)
        token = await challenge(client)
        proof = await passkey_proof(client, token, foreign)
        expect(await show(client, token, passkey=proof), 400)

    async def test_cloned_authenticator_is_refused(self, client: httpx.AsyncClient, person: Any) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        expect((await self.sign_in(client, authenticator))[0], 200)
        authenticator.count -= 1
        expect((await self.sign_in(client, authenticator))[0], 400)

    async def test_passkey_of_an_unconfirmed_or_suspended_user_starts_no_session(
        self, app: FastAPI, client: httpx.AsyncClient, person: Any, clock: Any, recorded: Recorded
    ) -> None:
        authenticator, mara = Authenticator(), await person.id()
        await add_passkey(person, authenticator)
        for confirmed_at in (None, clock()):
            async with app.state.app_state.database.writing() as session:
                await session.execute(update(User).values(confirmed_at=confirmed_at))
            status = 403 if confirmed_at is None else 200
            expect((await self.sign_in(client, authenticator))[0], status)
        await people.suspend(app.state.app_state, None, mara, "Spam")
        expect((await self.sign_in(client, authenticator))[0], 403, code="account_suspended")
        *_, refused = await recorded("sign_in")
        assert (refused.outcome, refused.target_id, refused.actor_id) == ("denied", mara, None)

    async def test_forged_passkey_is_no_second_factor_and_is_recorded(
        self, client: httpx.AsyncClient, person: Any, recorded: Recorded
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        token = await challenge(client)
        authenticator.origin = "https://impasto.evil.example"
        proof = await passkey_proof(client, token, authenticator)
        for _ in range(2):  # the second time its challenge is used up
            expect(await show(client, token, passkey=proof), 400, code="second_factor_invalid")
        user_id = await person.id()
        _, *refused = await recorded("sign_in")
        assert [(row.outcome, row.target_id) for row in refused] == [("failure", user_id)] * 2

    async def test_number_of_passkeys_is_limited(self, person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("impasto_server.identity.second_factors.passkeys.MAX_PASSKEYS", 1)
        made = await add_passkey(person, Authenticator())
        path, body = "/identity/passkeys/options", {"password": PASSWORD}
        refused = expect(await person.client.post(path, json=body), 409, code="passkeys_unavailable").json()
        assert refused["detail"] == "You have 1 passkeys. Remove one first."
        await person.client.request("DELETE", f"/identity/passkeys/{made['id']}", json=body)
        options = expect(await person.client.post(path, json=body), 200).json()["options"]
        assert len(base64url_to_bytes(options.pop("challenge"))) == 64
        assert {parameter["type"] for parameter in options.pop("pubKeyCredParams")} == {"public-key"}
        user_id = (await person.id()).encode()
        assert options == {
            "rp": {"name": "Impasto", "id": "localhost"},
            "user": {"id": bytes_to_base64url(user_id), "name": person.email, "displayName": "mara"},
            "timeout": 60000,
            "excludeCredentials": [],
            "authenticatorSelection": {
                "residentKey": "required", "requireResidentKey": True, "userVerification": "required",
            },
            "attestation": "none",
        }  # fmt: skip

    async def test_passkeys_that_are_known_are_named_to_the_browser(
        self, client: httpx.AsyncClient, person: Any
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        name = bytes_to_base64url(authenticator.id)
        started = await person.client.post("/identity/passkeys/options", json={"password": PASSWORD})
        options = started.json()
        assert [each["id"] for each in options["options"]["excludeCredentials"]] == [name]
        again = {
            "challenge_id": options["challenge_id"],
            "credential": authenticator.create(options["options"]),
            "name": "Twice",
        }
        expect(await person.client.post("/identity/passkeys", json=again), 400, code="passkey_invalid")
        body = {"challenge_token": await challenge(client)}
        asked = (await client.post("/identity/second-factor/passkey-options", json=body)).json()["options"]
        assert len(base64url_to_bytes(asked.pop("challenge"))) == 64
        usual = {"timeout": 60000, "rpId": "localhost", "userVerification": "required"}
        assert asked == {**usual, "allowCredentials": [{"id": name, "type": "public-key"}]}
        anyone = (await client.post("/identity/passkey-sign-in/options")).json()["options"]
        assert {**anyone, "challenge": ""} == {**usual, "allowCredentials": [], "challenge": ""}

    async def test_passkeys_are_listed_renamed_and_removed(
        self, client: httpx.AsyncClient, person: Any, new_person: Any
    ) -> None:
        authenticator = Authenticator()
        made = await add_passkey(person, authenticator)
        path = f"/identity/passkeys/{made['id']}"
        other = await new_person("ines")
        expect(await other.client.patch(path, json={"name": "Theirs"}), 404)
        expect(await other.client.request("DELETE", path, json={"password": PASSWORD}), 404)
        renamed = expect(await person.client.patch(path, json={"name": " Phone "}), 200).json()
        assert renamed == {
            "id": made["id"], "name": "Phone", "created_at": made["created_at"], "last_used_at": None,
        }  # fmt: skip
        assert (await person.client.get("/identity/second-factors")).json()["passkeys"] == [renamed]
        unknown = await person.client.patch("/identity/passkeys/unknown", json={"name": "Phone"})
        assert expect(unknown, 404).json()["detail"] == "There is no passkey unknown."
        expect(await person.client.request("DELETE", path, json={"password": PASSWORD}), 204)
        expect((await self.sign_in(client, authenticator))[0], 400)
        assert (await sign_in(client))["session"]


@pytest.mark.parametrize(
    ("url", "is_available"),
    [
        ("https://impasto.example", True),
        ("http://localhost:8000", True),
        ("http://impasto.localhost:8000", True),
        ("http://mylocalhost", False),
        ("http://impasto.example", False),
        ("https://192.0.2.1", False),
        ("https://[2001:db8::1]", False),
        ("http://127.0.0.1:8000", False),
    ],
)
def test_passkeys_need_https_and_a_host_name(url: str, is_available: bool) -> None:
    assert passkeys.are_available(Settings(_env_file=None, public_url=url)) is is_available


async def test_challenge_is_valid_for_five_minutes_and_one_purpose_and_binding(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = now = datetime(2026, 1, 31, 9, tzinfo=UTC)
    monkeypatch.setattr(TravellingClock, "__call__", lambda _: now)

    async def taken(purpose: str, binding: str, after: timedelta) -> bool:
        nonlocal now
        now = start
        async with app_state.database.writing() as session:
            made = await passkeys.assertion_options(app_state, session, passkeys.SIGN_IN, "device")
        now = start + after
        try:
            challenge = await passkeys.take_challenge(app_state, made.challenge_id, purpose, binding)
        except PasskeyInvalid:
            return False
        return bytes_to_base64url(challenge) == made.options["challenge"]

    last = timedelta(minutes=5, microseconds=-1)
    assert await taken(passkeys.SIGN_IN, "device", last)
    assert not await taken(passkeys.SIGN_IN, "device", timedelta(minutes=5))
    assert not await taken(passkeys.SIGN_IN, "another", last)
    assert not await taken(passkeys.SECOND_FACTOR, "device", last)
    with pytest.raises(PasskeyInvalid):
        await passkeys.take_challenge(app_state, "unknown", passkeys.SIGN_IN, "device")


async def test_passkey_is_named_after_the_user_where_there_is_no_address(app_state: AppState) -> None:
    async with app_state.database.writing() as session:
        made = await passkeys.registration_options(app_state, session, User(id="m", username="mara"), "b")
    assert made.options["user"] == {"id": "bQ", "name": "mara", "displayName": "mara"}
