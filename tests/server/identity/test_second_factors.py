"""Authenticator apps, recovery codes and passkeys: setting up, signing in, password reset, removal."""

import base64
import re
from datetime import timedelta
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from fastapi import FastAPI
from sqlalchemy import text
from tests.server.conftest import Recorded
from tests.server.identity.authenticator import PRESENT, Authenticator
from tests.server.responses import expect

from impasto_server.identity import service as identity
from impasto_server.identity.second_factors.passkeys import are_available
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
PASSWORD = "Thick-paint-7"
NEW = "Thin-glaze-8"


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"public_url": "http://localhost:8000"}


def shown(secret: str, clock: Any, steps: int = 0) -> str:
    key = base64.b32decode(secret)
    at = int(clock().timestamp()) + 30 * steps
    return TOTP(key, 6, SHA1(), 30, enforce_key_length=False).generate(at).decode()


async def enable_totp(person: Any, clock: Any) -> tuple[str, list[str]]:
    started = await person.client.post("/identity/totp", json={"password": PASSWORD})
    secret = expect(started, 200).json()["secret"]
    confirmed = await person.client.post("/identity/totp/confirm", json={"code": shown(secret, clock)})
    clock.travel(minutes=2)
    return secret, expect(confirmed, 200).json()["recovery_codes"]


async def add_passkey(person: Any, authenticator: Authenticator) -> dict[str, Any]:
    started = await person.client.post("/identity/passkeys/options", json={"password": PASSWORD})
    options = expect(started, 200).json()
    body = {
        "challenge_id": options["challenge_id"],
        "credential": authenticator.create(options["options"]),
        "name": "Laptop",
    }
    return dict(expect(await person.client.post("/identity/passkeys", json=body), 201).json())


async def sign_in(client: httpx.AsyncClient) -> dict[str, Any]:
    body = {"username": "mara", "password": PASSWORD}
    return dict(expect(await client.post("/identity/sign-in", json=body), 200).json())


async def challenge(client: httpx.AsyncClient) -> str:
    answer = await sign_in(client)
    assert answer["session"] is None
    assert answer["challenge"] == "second_factor_required"
    return str(answer["challenge_token"])


async def show(client: httpx.AsyncClient, token: str, **proof: Any) -> httpx.Response:
    return await client.post("/identity/second-factor", json={"challenge_token": token, "proof": proof})


async def passkey_proof(
    client: httpx.AsyncClient, token: str, authenticator: Authenticator
) -> dict[str, Any]:
    started = await client.post("/identity/second-factor/passkey-options", json={"challenge_token": token})
    options = expect(started, 200).json()
    return {"challenge_id": options["challenge_id"], "credential": authenticator.get(options["options"])}


class TestTotp:
    async def test_code_is_asked_after_the_password(
        self, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        token = await challenge(client)
        expect(await client.get("/users/me", headers={"Authorization": f"Bearer {token}"}), 401)
        expect(await show(client, token, code="000000"), 400, code="second_factor_invalid")
        answer = await show(client, token, code=shown(secret, clock))
        assert expect(answer, 200).json()["session"]["identity_token"]

    async def test_code_is_accepted_once(self, client: httpx.AsyncClient, person: Any, clock: Any) -> None:
        secret, _ = await enable_totp(person, clock)
        code = shown(secret, clock)
        expect(await show(client, await challenge(client), code=code), 200)
        expect(await show(client, await challenge(client), code=code), 400)
        expect(await show(client, await challenge(client), code=shown(secret, clock, -1)), 400)

    async def test_old_code_is_refused(self, client: httpx.AsyncClient, person: Any, clock: Any) -> None:
        secret, _ = await enable_totp(person, clock)
        expect(await show(client, await challenge(client), code=shown(secret, clock, -2)), 400)

    async def test_guesses_meet_growing_delays(
        self, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        await enable_totp(person, clock)
        token = await challenge(client)
        answers = [await show(client, token, code="abcdef") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [400] * 5 + [429]

    async def test_challenge_belongs_to_the_device_and_expires(
        self, client: httpx.AsyncClient, person: Any, clock: Any, new_client: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        token = await challenge(client)
        expect(await show(new_client(), token, code=shown(secret, clock)), 401)
        clock.travel(minutes=11)
        expect(await show(client, token, code=shown(secret, clock)), 401, code="challenge_invalid")

    async def test_unconfirmed_app_is_not_asked_for(self, client: httpx.AsyncClient, person: Any) -> None:
        expect(await person.client.post("/identity/totp", json={"password": PASSWORD}), 200)
        assert (await sign_in(client))["session"]

    async def test_changes_need_the_password(self, person: Any, clock: Any) -> None:
        await enable_totp(person, clock)
        for method, path in (
            ("POST", "/identity/totp"),
            ("DELETE", "/identity/totp"),
            ("POST", "/identity/recovery-codes"),
            ("POST", "/identity/passkeys/options"),
        ):
            refused = await person.client.request(method, path, json={"password": "Not-the-one-1"})
            expect(refused, 403, code="password_wrong")

    async def test_secret_is_stored_encrypted_and_survives_a_key_rotation(
        self, app: FastAPI, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        async with app.state.app_state.database.reading() as session:
            sealed = await session.scalar(text("SELECT sealed FROM totp_secrets"))
        assert base64.b32decode(secret) not in sealed
        assert await identity.reencrypt_all(app.state.app_state) == 1
        expect(await show(client, await challenge(client), code=shown(secret, clock)), 200)

    async def test_removed_app_is_not_asked_for(
        self, client: httpx.AsyncClient, person: Any, clock: Any, mailbox: Any
    ) -> None:
        await enable_totp(person, clock)
        assert mailbox.messages()[-1]["Subject"] == "Authenticator app added to Impasto"
        removed = await person.client.request("DELETE", "/identity/totp", json={"password": PASSWORD})
        expect(removed, 204)
        assert mailbox.messages()[-1]["Subject"] == "Authenticator app removed from Impasto"
        assert (await sign_in(client))["session"]
        assert (await person.client.get("/identity/second-factors")).json()["recovery_codes_left"] == 0

    async def test_password_reset_asks_for_the_code(
        self, client: httpx.AsyncClient, person: Any, clock: Any, mailbox: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        await client.post("/identity/forgot-password", json={"username": "mara"})
        body = {"username": "mara", "confirmation_code": mailbox.code(), "new_password": NEW}
        wrong = {**body, "confirmation_code": f"{(int(mailbox.code()) + 1) % 10**6:06d}"}
        expect(await client.post("/identity/confirm-forgot-password", json=wrong), 400, code="code_invalid")
        asked = await client.post("/identity/confirm-forgot-password", json=body)
        expect(asked, 403, code="second_factor_required")
        assert asked.json()["factors"] == ["totp", "recovery_code"]
        guess = {**body, "second_factor": {"code": "abcdef"}}
        expect(await client.post("/identity/confirm-forgot-password", json=guess), 400)
        shown_code = {**body, "second_factor": {"code": shown(secret, clock)}}
        expect(await client.post("/identity/confirm-forgot-password", json=shown_code), 204)


class TestRecoveryCodes:
    async def test_recovery_code_is_accepted_once_and_mailed(
        self, client: httpx.AsyncClient, person: Any, clock: Any, mailbox: Any
    ) -> None:
        _, codes = await enable_totp(person, clock)
        assert len(set(codes)) == 10
        expect(await show(client, await challenge(client), recovery_code=codes[0].upper()), 200)
        assert any(letter["Subject"] == "Impasto recovery code used" for letter in mailbox.messages())
        expect(await show(client, await challenge(client), recovery_code=codes[0]), 400)
        factors = (await person.client.get("/identity/second-factors")).json()
        assert factors["recovery_codes_left"] == 9

    async def test_recovery_codes_are_stored_hashed(self, app: FastAPI, person: Any, clock: Any) -> None:
        _, codes = await enable_totp(person, clock)
        async with app.state.app_state.database.reading() as session:
            rows = str((await session.execute(text("SELECT * FROM recovery_codes"))).all())
        assert not any(code in rows or code.replace("-", "") in rows for code in codes)

    async def test_new_recovery_codes_replace_the_old_ones(
        self, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        _, old = await enable_totp(person, clock)
        made = await person.client.post("/identity/recovery-codes", json={"password": PASSWORD})
        fresh = expect(made, 200).json()["recovery_codes"]
        expect(await show(client, await challenge(client), recovery_code=old[0]), 400)
        expect(await show(client, await challenge(client), recovery_code=fresh[0]), 200)


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


def subjects(mailbox: Any) -> list[tuple[str, str]]:
    """Return the subjects of the e-mails to the user, oldest first, with the name of a key or passkey."""
    found = []
    for message in mailbox.messages():
        body = message.get_body(("plain",)).get_content()
        name = re.search(r"^ {4}Name: (.*?)\r?$", body, re.MULTILINE)
        found.append((str(message["Subject"]), name[1] if name else ""))
    return found


async def test_owner_is_told_of_each_change_by_email(person: Any, clock: Any, mailbox: Any) -> None:
    client, confirmed = person.client, {"password": PASSWORD}
    await enable_totp(person, clock)
    passkey = (await add_passkey(person, Authenticator()))["id"]
    expect(await client.post("/identity/recovery-codes", json=confirmed), 200)
    expect(await client.post("/identity/totp", json=confirmed), 200)  # in the place of the first app
    await enable_totp(person, clock)
    expect(await client.request("DELETE", f"/identity/passkeys/{passkey}", json=confirmed), 204)
    expect(await client.request("DELETE", "/identity/totp", json=confirmed), 204)
    key = (await client.post("/api-keys", json={"name": "CI", "scopes": ["read"]})).json()
    expect(await client.delete(f"/api-keys/{key['id']}"), 204)
    expect(await client.put("/credentials/openai", json={"key": "sk-123456789"}), 200)
    expect(await client.delete("/credentials/openai"), 204)
    changed = {"old_password": PASSWORD, "new_password": NEW}
    expect(await client.post("/identity/change-password", json=changed), 204)
    assert subjects(mailbox)[1:] == [
        ("Authenticator app added to Impasto", ""),
        ("Passkey added to Impasto", "Laptop"),
        ("New Impasto recovery codes", ""),
        ("Authenticator app removed from Impasto", ""),
        ("Authenticator app added to Impasto", ""),
        ("Passkey removed from Impasto", "Laptop"),
        ("Authenticator app removed from Impasto", ""),
        ("New Impasto API key", "CI"),
        ("Impasto API key revoked", "CI"),
        ("Provider key saved in Impasto", "openai"),
        ("Provider key removed from Impasto", "openai"),
        ("Your Impasto password was changed", ""),
    ]


@pytest.mark.parametrize(
    ("steps", "is_accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)]
)
async def test_code_of_the_neighbouring_half_minutes_is_accepted(
    person: Any, client: httpx.AsyncClient, clock: Any, steps: int, is_accepted: bool
) -> None:
    clock.ahead -= timedelta(
        seconds=clock().timestamp() % 30 - 10
    )  # the half minute does not end in the test
    secret, _ = await enable_totp(person, clock)
    proof = {"code": shown(secret, clock, steps)}
    expect(await show(client, await challenge(client), **proof), 200 if is_accepted else 400)


async def test_code_may_have_spaces_and_is_not_older_than_the_last_one(
    person: Any, client: httpx.AsyncClient, clock: Any
) -> None:
    clock.ahead -= timedelta(seconds=clock().timestamp() % 30 - 10)
    secret, _ = await enable_totp(person, clock)
    code = shown(secret, clock)
    expect(await show(client, await challenge(client), code=f"{code[:3]} {code[3:]}"), 200)
    expect(await show(client, await challenge(client), code=shown(secret, clock, -1)), 400)
    expect(await show(client, await challenge(client), code=shown(secret, clock, 1)), 200)


async def test_secret_is_shown_as_text_link_and_picture(person: Any) -> None:
    made = expect(await person.client.post("/identity/totp", json={"password": PASSWORD}), 200).json()
    assert len(base64.b32decode(made["secret"])) == 20
    assert made["uri"] == f"otpauth://totp/Impasto%3Amara?secret={made['secret']}&issuer=Impasto"
    assert made["qr_code"].startswith("data:image/svg+xml")


async def test_changes_of_second_factors_are_in_the_audit_log(
    person: Any, clock: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    confirmed = {"password": PASSWORD}
    await enable_totp(person, clock)
    passkey = (await add_passkey(person, Authenticator()))["id"]
    expect(await person.client.post("/identity/recovery-codes", json=confirmed), 200)
    expect(await person.client.request("DELETE", f"/identity/passkeys/{passkey}", json=confirmed), 204)
    expect(await person.client.request("DELETE", "/identity/totp", json=confirmed), 204)
    entries = [*await recorded("totp"), *await recorded("passkey"), *await recorded("recovery_codes")]
    assert [(entry.action, entry.target_kind, entry.target_id) for entry in entries] == [
        ("totp.enable", "user", user_id),
        ("totp.disable", "user", user_id),
        ("passkey.add", "passkey", passkey),
        ("passkey.remove", "passkey", passkey),
        ("recovery_codes.create", "user", user_id),  # with the first factor
        ("recovery_codes.create", "user", user_id),
    ]
    assert {(entry.actor_kind, entry.actor_id, entry.outcome) for entry in entries} == {
        ("user", user_id, "success")
    }


async def test_wrong_second_factor_is_in_the_audit_log_as_a_failed_sign_in(
    client: httpx.AsyncClient, person: Any, clock: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    await enable_totp(person, clock)
    expect(await show(client, await challenge(client), code="abcdef"), 400, code="second_factor_invalid")
    entry = (await recorded("sign_in"))[-1]
    assert (entry.outcome, entry.actor_id, entry.target_id) == ("failure", None, user_id)


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
