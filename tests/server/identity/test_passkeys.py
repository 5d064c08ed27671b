"""Passkeys: signing in, as a second factor, and every reason to refuse one."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import PASSWORD, Recorded
from tests.server.identity.authenticator import PRESENT, Authenticator
from tests.server.identity.second_factor_steps import (
    add_passkey,
    challenge,
    passkey_proof,
    show,
    sign_in,
)
from tests.server.responses import expect
from webauthn.helpers import bytes_to_base64url

from impasto_server.admin import people
from impasto_server.identity.second_factors.passkeys import are_available
from impasto_server.settings import Settings

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

    async def test_passkey_signs_in_without_a_password(self, client: httpx.AsyncClient, person: Any) -> None:
        authenticator = Authenticator()
        made = await add_passkey(person, authenticator)
        assert len(made["recovery_codes"]) == 10
        answer, _ = await self.sign_in(client, authenticator)
        token = expect(answer, 200).json()["session"]["identity_token"]
        me = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
        assert me.json()["username"] == "mara"

    async def test_passkey_is_a_second_factor_after_the_password(
        self, client: httpx.AsyncClient, person: Any
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        token = await challenge(client)
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

    async def test_passkey_of_a_suspended_user_starts_no_session(
        self, app: FastAPI, client: httpx.AsyncClient, person: Any, recorded: Recorded
    ) -> None:
        authenticator, mara = Authenticator(), await person.id()
        await add_passkey(person, authenticator)
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
        expect(await show(client, token, passkey=proof), 400, code="second_factor_invalid")
        *_, refused = await recorded("sign_in")
        assert (refused.outcome, refused.target_id) == ("failure", await person.id())

    async def test_number_of_passkeys_is_limited(self, person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("impasto_server.identity.second_factors.passkeys.MAX_PASSKEYS", 1)
        made = await add_passkey(person, Authenticator())
        path, body = "/identity/passkeys/options", {"password": PASSWORD}
        refused = expect(await person.client.post(path, json=body), 409, code="passkeys_unavailable").json()
        assert refused["detail"] == "You have 1 passkeys. Remove one first."
        await person.client.request("DELETE", f"/identity/passkeys/{made['id']}", json=body)
        options = expect(await person.client.post(path, json=body), 200).json()["options"]
        assert options["rp"] == {"name": "Impasto", "id": "localhost"}
        assert (options["user"]["name"], options["user"]["displayName"]) == (person.email, "mara")
        assert options["authenticatorSelection"]["residentKey"] == "required"
        assert options["authenticatorSelection"]["userVerification"] == "required"

    async def test_passkeys_that_are_known_are_named_to_the_browser(
        self, client: httpx.AsyncClient, person: Any
    ) -> None:
        authenticator = Authenticator()
        await add_passkey(person, authenticator)
        name = bytes_to_base64url(authenticator.id)
        started = await person.client.post("/identity/passkeys/options", json={"password": PASSWORD})
        assert [each["id"] for each in started.json()["options"]["excludeCredentials"]] == [name]
        body = {"challenge_token": await challenge(client)}
        asked = (await client.post("/identity/second-factor/passkey-options", json=body)).json()["options"]
        assert [each["id"] for each in asked["allowCredentials"]] == [name]
        assert asked["userVerification"] == "required"

    async def test_passkeys_are_listed_renamed_and_removed(
        self, client: httpx.AsyncClient, person: Any, new_person: Any
    ) -> None:
        authenticator = Authenticator()
        made = await add_passkey(person, authenticator)
        path = f"/identity/passkeys/{made['id']}"
        other = await new_person("ines")
        expect(await other.client.patch(path, json={"name": "Theirs"}), 404)
        expect(await other.client.request("DELETE", path, json={"password": PASSWORD}), 404)
        expect(await person.client.patch(path, json={"name": "Phone"}), 200)
        (listed,) = (await person.client.get("/identity/second-factors")).json()["passkeys"]
        assert listed["name"] == "Phone"
        expect(await person.client.request("DELETE", path, json={"password": PASSWORD}), 204)
        expect((await self.sign_in(client, authenticator))[0], 400)
        assert (await sign_in(client))["session"]


@pytest.mark.parametrize(
    ("url", "is_available"),
    [
        ("https://impasto.example", True),
        ("http://localhost:8000", True),
        ("http://impasto.example", False),
        ("https://192.0.2.1", False),
        ("http://127.0.0.1:8000", False),
    ],
)
def test_passkeys_need_https_and_a_host_name(url: str, is_available: bool) -> None:
    assert are_available(Settings(_env_file=None, public_url=url)) is is_available
