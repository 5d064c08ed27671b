"""Authenticator apps, recovery codes and passkeys: setting up, signing in, password reset, removal."""

import base64
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, text, update
from tests.server.conftest import PASSWORD, Recorded, TravellingClock
from tests.server.identity.authenticator import Authenticator
from tests.server.identity.second_factor_steps import (
    add_passkey,
    challenge,
    enable_totp,
    show,
    shown,
    sign_in,
)
from tests.server.identity.token_claims import claims_of
from tests.server.responses import expect

from impasto_server.identity import service as identity
from impasto_server.identity.models import Password
from impasto_server.identity.second_factors.models import TotpSecret
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
NEW = "Thin-glaze-8"


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"public_url": "http://localhost:8000"}


class TestTotp:
    async def test_code_is_asked_after_the_password(
        self, client: httpx.AsyncClient, person: Any, clock: Any, mailbox: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        asked = await sign_in(client)
        token = asked.pop("challenge_token")
        factors = ["totp", "recovery_code"]
        assert asked == {"session": None, "challenge": "second_factor_required", "factors": factors}
        expect(await client.get("/users/me", headers={"Authorization": f"Bearer {token}"}), 401)
        expect(await show(client, token, code="000000"), 400, code="second_factor_invalid")
        assert mailbox.messages()[-1]["Subject"] == "Authenticator app added to Impasto"
        answer = await show(client, token, code=shown(secret, clock))
        assert expect(answer, 200).json()["session"]["identity_token"]
        assert "impasto_refresh" in client.cookies
        assert mailbox.messages()[-1]["Subject"] == "New sign-in to Impasto"

    async def test_code_is_accepted_once(self, client: httpx.AsyncClient, person: Any, clock: Any) -> None:
        secret, _ = await enable_totp(person, clock)
        code = shown(secret, clock)
        expect(await show(client, await challenge(client), code=code), 200)
        expect(await show(client, await challenge(client), code=code), 400)
        expect(await show(client, await challenge(client), code=shown(secret, clock, -1)), 400)

    async def test_old_code_is_refused(self, client: httpx.AsyncClient, person: Any, clock: Any) -> None:
        secret, _ = await enable_totp(person, clock)
        expect(await show(client, await challenge(client), code=shown(secret, clock, -2)), 400)

    @pytest.mark.usefixtures("no_delay_passes")
    async def test_guesses_meet_growing_delays(
        self, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        token = await challenge(client)
        for _ in range(2):  # the first time makes the device known, which has a count of its own
            for _ in range(4):
                expect(await show(client, token, code="abcdef"), 400)
            expect(await show(client, token, code=shown(secret, clock)), 200, reason="the count begins again")
            clock.travel(minutes=1)
        answers = [await show(client, token, code="abcdef") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [400] * 5 + [429]

    @pytest.mark.parametrize(("more", "status"), [(timedelta(), 200), (timedelta(microseconds=1), 401)])
    async def test_challenge_ends_with_a_newer_password(
        self, app: FastAPI, client: httpx.AsyncClient, person: Any, clock: Any, more: timedelta, status: int
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        token = await challenge(client)
        async with app.state.app_state.database.writing() as session:
            # Times in tokens are whole seconds: a password of the same second may be the one that was shown.
            changed_at = datetime.fromtimestamp(claims_of(token)["iat"] + 1, UTC) + more
            await session.execute(update(Password).values(changed_at=changed_at))
        expect(await show(client, token, code=shown(secret, clock)), status)

    async def test_challenge_belongs_to_the_device_and_expires(
        self, client: httpx.AsyncClient, person: Any, clock: Any, new_client: Any
    ) -> None:
        secret, _ = await enable_totp(person, clock)
        token = await challenge(client)
        expect(await show(new_client(), token, code=shown(secret, clock)), 401)
        clock.travel(minutes=11)
        expect(await show(client, token, code=shown(secret, clock)), 401, code="challenge_invalid")

    async def test_unconfirmed_app_is_not_asked_for(
        self, client: httpx.AsyncClient, person: Any, clock: Any
    ) -> None:
        confirm = "/identity/totp/confirm"
        expect(await person.client.post(confirm, json={"code": "000000"}), 400, code="second_factor_invalid")
        started = await person.client.post("/identity/totp", json={"password": PASSWORD})
        secret = expect(started, 200).json()["secret"]
        assert (await sign_in(client))["session"]
        await add_passkey(person, Authenticator())
        asked = await sign_in(client)
        assert asked["factors"] == ["passkey", "recovery_code"]
        expect(await show(client, asked["challenge_token"], code=shown(secret, clock)), 400)

    async def test_app_is_confirmed_once(self, person: Any, clock: Any) -> None:
        secret, _ = await enable_totp(person, clock)
        again = await person.client.post("/identity/totp/confirm", json={"code": shown(secret, clock)})
        expect(again, 400, code="second_factor_invalid")

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
        state, now = app.state.app_state, clock()
        async with state.database.writing() as session:
            sealed = await session.scalar(text("SELECT sealed FROM totp_secrets"))
            session.add(User(id="n", username="noor", username_key="noor", created_at=now))
            await session.flush()
            session.add(TotpSecret(user_id="n", sealed=b"of a key that is lost", created_at=now))
        assert base64.b32decode(secret) not in sealed
        assert await identity.reencrypt_all(state) == 1
        async with state.database.reading() as session:
            rows = await session.scalars(select(TotpSecret.sealed).order_by(TotpSecret.created_at))
            encrypted, lost = rows.all()
        assert (encrypted != sealed, lost) == (True, b"of a key that is lost")
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
        assert all(re.fullmatch(r"([a-z2-7]{4}-){3}[a-z2-7]{4}", code) for code in codes)
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


def subjects(mailbox: Any) -> list[tuple[str, str]]:
    """Return the subjects of the e-mails to the user, oldest first, with the name of a key or passkey."""
    found = []
    for message in mailbox.messages():
        body = message.get_body(("plain",)).get_content()
        name = re.search(r"^ {4}Name: (.*?)\r?$", body, re.MULTILINE)
        found.append((str(message["Subject"]), name[1] if name else ""))
    return found


async def test_owner_gets_an_email_about_each_change(person: Any, clock: Any, mailbox: Any) -> None:
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


def travel_into_half_minute(clock: TravellingClock) -> None:
    """Set the clock to ten seconds after the start of a code's half minute, which lasts the whole test."""
    clock.ahead -= timedelta(seconds=clock().timestamp() % 30 - 10)


@pytest.mark.parametrize(
    ("steps", "is_accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)]
)
async def test_code_of_the_neighbouring_half_minutes_is_accepted(
    person: Any, client: httpx.AsyncClient, clock: Any, steps: int, is_accepted: bool
) -> None:
    travel_into_half_minute(clock)
    secret, _ = await enable_totp(person, clock)
    proof = {"code": shown(secret, clock, steps)}
    expect(await show(client, await challenge(client), **proof), 200 if is_accepted else 400)


async def test_code_may_have_spaces_and_is_not_older_than_the_last_one(
    person: Any, client: httpx.AsyncClient, clock: Any
) -> None:
    travel_into_half_minute(clock)
    secret, _ = await enable_totp(person, clock)
    code = shown(secret, clock)
    expect(await show(client, await challenge(client), code=f"{code[:3]} {code[3:]}"), 200)
    expect(await show(client, await challenge(client), code=shown(secret, clock, -1)), 400)
    expect(await show(client, await challenge(client), code=shown(secret, clock, 1)), 200)


async def test_secret_is_shown_as_text_link_and_qr_code(person: Any) -> None:
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
    expect(await person.client.post("/identity/totp", json=confirmed), 200)  # in the place of the first app
    expect(await person.client.request("DELETE", "/identity/totp", json=confirmed), 204)
    entries = [*await recorded("totp"), *await recorded("passkey"), *await recorded("recovery_codes")]
    assert [(entry.action, entry.target_kind, entry.target_id) for entry in entries] == [
        ("totp.enable", "user", user_id),
        ("totp.disable", "user", user_id),
        ("totp.disable", "user", user_id),  # of the second one
        ("passkey.add", "passkey", passkey),
        ("passkey.remove", "passkey", passkey),
        ("recovery_codes.create", "user", user_id),  # with the first factor
        ("recovery_codes.create", "user", user_id),
    ]
    assert {(entry.actor_kind, entry.actor_id, entry.outcome) for entry in entries} == {
        ("user", user_id, "success")
    }


async def test_temporary_password_is_replaced_after_the_second_factor(
    app: FastAPI, client: httpx.AsyncClient, person: Any, clock: Any
) -> None:
    secret, _ = await enable_totp(person, clock)
    await identity.set_password(app.state.app_state, await person.id(), PASSWORD, temporary=True)
    answer = expect(await show(client, await challenge(client), code=shown(secret, clock)), 200).json()
    assert (answer["session"], answer["challenge"]) == (None, "new_password_required")
    assert answer["factors"] is None
    body = {"challenge_token": answer["challenge_token"], "new_password": NEW}
    expect(await client.post("/identity/new-password", json=body), 200)


async def test_factors_are_described_with_their_dates(person: Any, clock: Any) -> None:
    async def factors() -> dict[str, Any]:
        return dict(expect(await person.client.get("/identity/second-factors"), 200).json())

    nothing = {
        "totp_since": None, "recovery_codes_left": 0, "passkeys": [], "passkeys_available": True,
        "has_password": True,
    }  # fmt: skip
    assert await factors() == nothing
    start = clock()
    await enable_totp(person, clock)
    passkey = await add_passkey(person, Authenticator())
    assert passkey["recovery_codes"] is None, "there are some already"
    found = await factors()
    assert start <= datetime.fromisoformat(found["totp_since"]) < start + timedelta(minutes=1)
    assert found["recovery_codes_left"] == 10
    assert [(each["name"], each["last_used_at"]) for each in found["passkeys"]] == [("Laptop", None)]
    confirmed = {"password": PASSWORD}
    expect(await person.client.request("DELETE", "/identity/totp", json=confirmed), 204)
    assert (await factors())["recovery_codes_left"] == 10, "the passkey is left"
    expect(await person.client.request("DELETE", f"/identity/passkeys/{passkey['id']}", json=confirmed), 204)
    assert await factors() == nothing
    expect(await person.client.request("DELETE", "/identity/totp", json=confirmed), 404)


async def test_wrong_second_factor_is_in_the_audit_log_as_a_failed_sign_in(
    client: httpx.AsyncClient, person: Any, clock: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    await enable_totp(person, clock)
    expect(await show(client, await challenge(client), code="abcdef"), 400, code="second_factor_invalid")
    entry = (await recorded("sign_in"))[-1]
    assert (entry.outcome, entry.actor_id, entry.target_id) == ("failure", None, user_id)


class TestFewTries:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_in_tries": 2}

    @pytest.mark.usefixtures("no_delay_passes")
    async def test_passwords_that_confirm_a_change_meet_growing_delays(self, person: Any) -> None:
        passwords = ["Not-the-one-1", PASSWORD, "Not-the-one-1", "Not-the-one-1", PASSWORD]
        answers = [await person.client.post("/identity/totp", json={"password": each}) for each in passwords]
        assert [answer.status_code for answer in answers] == [403, 200, 403, 403, 429]
