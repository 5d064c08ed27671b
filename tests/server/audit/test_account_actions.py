"""Entries of sign-up, sign-out, passwords, keys, export and deletion: actor, action, target and origin."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import PASSWORD, Mailbox, Recorded, TravellingClock
from tests.server.responses import expect

from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.schemas import AuditFilter
from impasto_server.cli.admin.accounts import create_account

pytestmark = pytest.mark.anyio

NEW = "Thin-glaze-8"
PROVIDER_KEY = "sk-0123456789abcdef"


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


def summary(entry: AuditRow) -> tuple[str, str | None, str | None, str | None, str]:
    return entry.actor_kind, entry.actor_id, entry.target_kind, entry.target_id, entry.outcome


async def test_sign_up_is_recorded_for_an_anonymous_client_and_confirmed_by_the_user(
    person: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    [created], [confirmed] = await recorded("account.create"), await recorded("account.confirm")
    assert summary(created) == ("anonymous", None, "user", user_id, "success")
    assert summary(confirmed) == ("user", user_id, "user", user_id, "success")
    assert {entry.address for entry in (created, confirmed)} == {"127.0.0.1"}
    assert all(entry.user_agent for entry in (created, confirmed))


async def test_confirmation_codes_requested_and_wrong_are_recorded(
    client: httpx.AsyncClient, recorded: Recorded
) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    expect(await client.post("/identity/sign-up", json=body), 201)
    expect(await client.post("/identity/resend-code", json={"username": "mara"}), 202)
    expect(await client.post("/identity/confirm-sign-up", json={"username": "mara", "code": "abcdef"}), 400)
    [created] = await recorded("account.create")
    [requested], [failed] = await recorded("account.confirm_request"), await recorded("account.confirm")
    assert summary(requested) == ("anonymous", None, "user", created.target_id, "success")
    assert summary(failed) == ("anonymous", None, "user", created.target_id, "failure")


async def test_refused_sign_up_is_recorded_without_name_and_address(
    person: Any, client: httpx.AsyncClient, recorded: Recorded
) -> None:
    body = {"username": "mara", "email": "other@northbound.example", "password": PASSWORD}
    expect(await client.post("/identity/sign-up", json=body), 409, code="user_exists")
    _, entry = await recorded("account.create")
    assert summary(entry) == ("anonymous", None, None, None, "denied")
    assert entry.details == {"reason": "user_exists"}
    assert entry.address == "127.0.0.1"


class TestLimitedSignUp:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_up": "domains", "sign_up_domains": "northbound.example"}

    async def test_domain_of_a_refused_sign_up_is_recorded(
        self, client: httpx.AsyncClient, recorded: Recorded
    ) -> None:
        body = {"username": "noor", "email": "noor@Elsewhere.example", "password": PASSWORD}
        expect(await client.post("/identity/sign-up", json=body), 403, code="sign_up_refused")
        [entry] = await recorded("account.create")
        assert entry.details == {"reason": "sign_up_refused", "domain": "elsewhere.example"}
        assert entry.outcome == "denied"


async def test_sign_up_that_replaces_an_unconfirmed_account_records_its_deletion(
    client: httpx.AsyncClient, clock: TravellingClock, recorded: Recorded
) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    expect(await client.post("/identity/sign-up", json=body), 201)
    clock.travel(days=1)
    expect(await client.post("/identity/sign-up", json=body), 201)
    first, _second = await recorded("account.create")
    [deleted] = await recorded("account.delete")
    assert summary(deleted) == ("anonymous", None, "user", first.target_id, "success")
    assert deleted.details == {"reason": "never confirmed"}


@pytest.mark.parametrize("everywhere", [False, True])
async def test_sign_out_is_recorded_once(person: Any, recorded: Recorded, everywhere: bool) -> None:
    user_id = await person.id()
    [signed_in] = await recorded("sign_in")
    for _ in range(2):
        await person.client.post("/identity/sign-out", json={"everywhere": everywhere})
    [entry] = await recorded("sign_out")
    target = ("user", user_id) if everywhere else ("session", signed_in.target_id)
    assert summary(entry) == ("user", user_id, *target, "success")


async def test_refresh_token_used_twice_is_recorded_once(
    person: Any, new_client: Callable[[], httpx.AsyncClient], recorded: Recorded
) -> None:
    thief = new_client()
    thief.cookies.update(person.client.cookies)
    expect(await person.client.post("/identity/refresh"), 200)
    for _ in range(2):
        expect(await thief.post("/identity/refresh"), 401)
    [entry] = await recorded("session.reuse")
    [signed_in] = await recorded("sign_in")
    assert summary(entry) == ("anonymous", None, "user", signed_in.actor_id, "denied")
    assert entry.details == {"session": signed_in.target_id}


async def test_refused_passkey_is_recorded_as_a_failed_sign_in(app: FastAPI, recorded: Recorded) -> None:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver/api/v1") as client:
        body = {"challenge_id": "unknown", "credential": {"id": "unknown"}}
        expect(await client.post("/identity/passkey-sign-in", json=body), 400, code="passkey_invalid")
    [entry] = await recorded("sign_in")
    assert summary(entry) == ("anonymous", None, None, None, "failure")


async def change_password(person: Any, old: str, *, revoke_api_keys: bool = False) -> httpx.Response:
    body = {"old_password": old, "new_password": NEW, "revoke_api_keys": revoke_api_keys}
    response: httpx.Response = await person.client.post("/identity/change-password", json=body)
    return response


async def test_password_changes_are_recorded_with_the_keys_they_revoke(
    person: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    await person.client.post("/api-keys", json={"name": "CI", "scopes": ["run"]})
    assert (await change_password(person, "Wrong-words-9")).is_client_error
    expect(await change_password(person, PASSWORD, revoke_api_keys=True), 204)
    failed, changed = await recorded("password.change")
    assert summary(failed) == ("user", user_id, "user", user_id, "failure")
    assert summary(changed) == ("user", user_id, "user", user_id, "success")
    assert changed.details == {"revoked_keys": 1}


async def test_replaced_temporary_password_is_recorded_as_a_change(
    app: FastAPI, client: httpx.AsyncClient, recorded: Recorded
) -> None:
    user = await create_account(
        app.state.app_state, "noor", "noor@northbound.example", PASSWORD, temporary=True
    )
    answer = await client.post("/identity/sign-in", json={"username": "noor", "password": PASSWORD})
    body = {"challenge_token": answer.json()["challenge_token"], "new_password": NEW}
    expect(await client.post("/identity/new-password", json=body), 200)
    [entry] = await recorded("password.change")
    assert summary(entry) == ("user", user.id, "user", user.id, "success")
    assert entry.details == {"was_temporary": True}


async def test_password_reset_is_recorded_from_request_to_new_password(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox, recorded: Recorded
) -> None:
    user_id = await person.id()
    expect(await client.post("/identity/forgot-password", json={"username": "mara"}), 202)
    body = {"username": "mara", "confirmation_code": "abcdef", "new_password": NEW}
    path = "/identity/confirm-forgot-password"
    assert (await client.post(path, json=body)).is_client_error
    expect(await client.post(path, json={**body, "confirmation_code": mailbox.code()}), 204)
    [requested] = await recorded("password.reset_request")
    failed, reset = await recorded("password.reset")
    # A stranger may have requested the code or tried a wrong one: neither entry names the user as its actor.
    assert summary(requested) == ("anonymous", None, "user", user_id, "success")
    assert summary(failed) == ("anonymous", None, "user", user_id, "failure")
    assert summary(reset) == ("user", user_id, "user", user_id, "success")
    assert reset.details == {"revoked_keys": 0}


async def test_reset_that_an_admin_requests_names_the_admin_once(
    admin: Any, person: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    expect(await admin.client.post(f"/admin/users/{user_id}/password-reset"), 202)
    [entry] = await recorded("password.reset_request")
    assert summary(entry) == ("user", await admin.id(), "user", user_id, "success")


class TestMailLimit:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_mails_address": "2/hour"}

    @pytest.mark.usefixtures("mailbox")
    async def test_code_request_over_the_limit_is_recorded_as_denied(
        self, person: Any, admin: Any, client: httpx.AsyncClient, recorded: Recorded
    ) -> None:
        for _ in range(2):  # the first e-mail was the confirmation
            expect(await client.post("/identity/forgot-password", json={"username": "mara"}), 202)
        user_id = await person.id()
        for _ in range(3):
            expect(await admin.client.post(f"/admin/users/{user_id}/password-reset"), 202)
        first, second, *_, last = await recorded("password.reset_request")
        assert [summary(entry) for entry in (first, second, last)] == [
            ("anonymous", None, "user", user_id, "success"),
            ("anonymous", None, "user", user_id, "denied"),
            ("user", await admin.id(), "user", user_id, "denied"),
        ]


async def test_api_key_is_recorded_at_creation_first_use_of_a_day_and_revocation(
    person: Any, new_client: Callable[[], httpx.AsyncClient], clock: TravellingClock, recorded: Recorded
) -> None:
    user_id = await person.id()
    made = expect(await person.client.post("/api-keys", json={"name": "CI", "scopes": ["read"]}), 201).json()
    robot = new_client()
    robot.headers["Authorization"] = f"Bearer {made['key']}"
    for day in range(1, 3):
        for _ in range(3):
            expect(await robot.get("/nodes/"), 200)
            clock.travel(seconds=1)
        used = await recorded("api_key.use")
        assert len(used) == day
        clock.travel(days=1)
    expect(await robot.post("/flows/", json={"name": "Poster"}), 403, code="scope_missing")
    signed_in = await person.client.post("/identity/sign-in", json={"username": "mara", "password": PASSWORD})
    person.use(signed_in.json()["session"])
    expect(await person.client.delete(f"/api-keys/{made['id']}"), 204)
    target = ("api_key", made["id"])
    [created], [revoked] = await recorded("api_key.create"), await recorded("api_key.revoke")
    assert summary(created) == ("user", user_id, *target, "success")
    assert summary(revoked) == ("user", user_id, *target, "success")
    assert [summary(entry) for entry in await recorded("api_key.use")] == [
        ("api_key", user_id, *target, "success"),
        ("api_key", user_id, *target, "success"),
        ("api_key", user_id, *target, "denied"),
    ]
    assert {entry.api_key_id for entry in await recorded("api_key.use")} == {made["id"]}


async def test_provider_keys_set_and_removed_are_recorded_without_the_key(
    person: Any, recorded: Recorded
) -> None:
    user_id = await person.id()
    expect(await person.client.put("/credentials/openai", json={"key": PROVIDER_KEY}), 200)
    expect(await person.client.delete("/credentials/openai"), 204)
    entries = await recorded("provider_key")
    assert [entry.action for entry in entries] == ["provider_key.set", "provider_key.delete"]
    for entry in entries:
        assert summary(entry) == ("user", user_id, "provider", "openai", "success")
        assert entry.details == {}


async def test_export_and_deletion_of_an_account_are_recorded(person: Any, recorded: Recorded) -> None:
    user_id = await person.id()
    expect(await person.client.get("/users/me/export"), 200)
    refused = await person.client.request("DELETE", "/users/me", json={"password": "Wrong-words-9"})
    expect(refused, 403, code="password_wrong")
    expect(await person.client.request("DELETE", "/users/me", json={"password": PASSWORD}), 204)
    [exported] = await recorded("account.export")
    failed, deleted = await recorded("account.delete")
    mara = ("user", user_id, "user", user_id)
    assert [summary(entry) for entry in (exported, failed, deleted)] == [
        (*mara, "success"), (*mara, "failure"), (*mara, "success"),
    ]  # fmt: skip


class TestManyTries:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_in_tries": 100}

    async def test_refusals_from_one_address_are_bounded(self, person: Any, recorded: Recorded) -> None:
        for _ in range(70):
            await person.client.request("DELETE", "/users/me", json={"password": "Wrong-words-9"})
        assert 1 <= len(await recorded("account.delete")) <= 61


async def test_no_entry_holds_a_secret(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI
) -> None:
    confirmation = mailbox.code()
    made = (await person.client.post("/api-keys", json={"name": "CI", "scopes": ["run"]})).json()
    await person.client.put("/credentials/openai", json={"key": PROVIDER_KEY})
    await client.post("/identity/forgot-password", json={"username": "mara"})
    secrets = [PASSWORD, NEW, confirmation, mailbox.code(), made["key"], PROVIDER_KEY, person.token]
    secrets.append(person.client.cookies["impasto_refresh"])
    body = {"username": "mara", "confirmation_code": mailbox.code(), "new_password": NEW}
    expect(await client.post("/identity/confirm-forgot-password", json=body), 204)
    columns = AuditRow.__table__.columns.keys()
    async for row in audit.all_entries(app.state.app_state, AuditFilter()):
        text = " ".join(
            str(getattr(row, name)) for name in columns if not name.endswith("id") and name != "at"
        )
        assert not [secret for secret in secrets if secret in text]
