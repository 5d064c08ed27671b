"""Changing the e-mail address: a code to the new address, notices to the old one."""

import re
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.conftest import PASSWORD, Mailbox, Recorded
from tests.server.responses import expect

from impasto_server.audit import service as audit
from impasto_server.audit.schemas import AuditFilter
from impasto_server.cli.admin.accounts import create_account

pytestmark = pytest.mark.anyio
NEW, OLD = "mara@studio.example", "mara@northbound.example"


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def request(client: httpx.AsyncClient, email: str = NEW, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/identity/change-email", json={"email": email, "password": password})


async def confirm(client: httpx.AsyncClient, code: str, email: str = NEW, **more: str) -> httpx.Response:
    body = {"email": email, "code": code, **more}
    return await client.post("/identity/confirm-change-email", json=body)


async def sign_in(client: httpx.AsyncClient, username: str, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/identity/sign-in", json={"username": username, "password": password})


async def address_of(person: Any) -> str:
    return str((await person.client.get("/users/me")).json()["email"])


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06d}"


def newest_to(mailbox: Mailbox, address: str) -> tuple[str, str]:
    """Return the subject and the text of the newest e-mail to an address."""
    message = [each for each in mailbox.messages() if each["To"] == address][-1]
    body = message.get_body(("plain",))
    assert body is not None
    return str(message["Subject"]), body.get_content()


def code_to(mailbox: Mailbox, address: str) -> str:
    return newest_to(mailbox, address)[0].split()[0]


async def test_code_to_the_new_address_changes_it(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI
) -> None:
    key = (await person.client.post("/api-keys", json={"name": "CI", "scopes": ["read"]})).json()["key"]
    delivery = expect(await request(person.client), 202).json()
    assert delivery == {"medium": "email", "destination": "m•••@s•••.example", "delayed": False}
    assert await address_of(person) == OLD
    subject, text = newest_to(mailbox, OLD)
    assert subject == "New email address for Impasto"
    assert "A password reset cancels it." in text

    expect(await confirm(person.client, code_to(mailbox, NEW)), 204)
    assert await address_of(person) == NEW
    subject, text = newest_to(mailbox, OLD)
    assert subject == "Your Impasto email address was changed"
    assert "Forgot password" not in text, "a reset would send its code to the new address"
    expect(await sign_in(client, NEW), 200)
    expect(await sign_in(client, OLD), 401)
    robot = {"Authorization": f"Bearer {key}"}
    expect(await client.get("/flows/", headers=robot), 200)

    rows = [row async for row in audit.all_entries(app.state.app_state, AuditFilter(action="email"))]
    assert [(row.action, row.outcome, row.details) for row in rows] == [
        ("email.change", "success", {"from": OLD, "to": NEW}),
        ("email.change_request", "success", {"to": NEW}),
    ]


async def test_code_is_valid_once_and_for_its_address_only(
    person: Any, mailbox: Mailbox, recorded: Recorded
) -> None:
    expect(await request(person.client), 202)
    code = code_to(mailbox, NEW)
    expect(await confirm(person.client, code, "victim@studio.example"), 400, code="code_invalid")
    expect(await confirm(person.client, other_than(code)), 400)
    expect(await confirm(person.client, code), 204)
    expect(await confirm(person.client, code), 400)
    found = [(row.outcome, row.actor_id, row.target_id) for row in await recorded("email.change")]
    mara = await person.id()
    assert found == [(outcome, mara, mara) for outcome in ("failure", "failure", "success", "failure")]


@pytest.mark.usefixtures("at_noon")
@pytest.mark.parametrize(("wrong_codes", "status"), [(4, 204), (5, 400)])
async def test_other_sessions_share_the_tries_that_are_not_reserved_for_the_requester(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox, wrong_codes: int, status: int
) -> None:
    session = expect(await sign_in(client, "mara"), 200).json()["session"]
    client.headers["Authorization"] = f"Bearer {session['identity_token']}"
    expect(await request(person.client), 202)
    code = code_to(mailbox, NEW)
    for _ in range(wrong_codes):
        expect(await confirm(client, other_than(code)), 400)
    expect(await confirm(client, code), status)


async def test_newer_request_replaces_the_older_one(person: Any, mailbox: Mailbox) -> None:
    expect(await request(person.client), 202)
    code = code_to(mailbox, NEW)
    expect(await request(person.client, "mara@elsewhere.example"), 202)
    expect(await confirm(person.client, code), 400)


async def test_code_of_another_user_is_refused(person: Any, new_person: Any, mailbox: Mailbox) -> None:
    ines = await new_person("ines")
    expect(await request(person.client), 202)
    expect(await confirm(ines.client, code_to(mailbox, NEW)), 400)


async def test_code_dies_after_five_wrong_ones_and_an_address_after_ten_a_day(
    person: Any, new_person: Any, mailbox: Mailbox
) -> None:
    for attacker in (person, await new_person("ines")):
        expect(await request(attacker.client), 202)
        code = code_to(mailbox, NEW)
        for _ in range(5):
            expect(await confirm(attacker.client, other_than(code)), 400)
        expect(await confirm(attacker.client, code), 400)
    owner = await new_person("noor")
    expect(await request(owner.client), 202)
    _, text = newest_to(mailbox, NEW)
    code, token = code_to(mailbox, NEW), re.search(r"/account/#\S*token=([\w-]+)", text)
    assert token
    expect(await confirm(owner.client, code), 400, reason="the code alone could be guessed")
    expect(await confirm(owner.client, code, token=token[1]), 204)


@pytest.mark.parametrize("how", ["change", "reset"])
async def test_new_password_cancels_the_request(person: Any, mailbox: Mailbox, how: str) -> None:
    expect(await request(person.client), 202)
    code, new = code_to(mailbox, NEW), "Thin-glaze-8"
    if how == "change":
        body = {"old_password": PASSWORD, "new_password": new}
        expect(await person.client.post("/identity/change-password", json=body), 204)
    else:
        await person.client.post("/identity/forgot-password", json={"username": "mara"})
        body = {"username": "mara", "confirmation_code": code_to(mailbox, OLD), "new_password": new}
        expect(await person.client.post("/identity/confirm-forgot-password", json=body), 204)
        person.use(expect(await sign_in(person.client, "mara", new), 200).json()["session"])
    expect(await confirm(person.client, code), 400)
    assert await address_of(person) == OLD


async def test_reset_code_sent_to_the_old_address_dies_with_it(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    await client.post("/identity/forgot-password", json={"username": "mara"})
    stale = code_to(mailbox, OLD)
    expect(await request(person.client), 202)
    expect(await confirm(person.client, code_to(mailbox, NEW)), 204)
    body = {"username": "mara", "confirmation_code": stale, "new_password": "Thin-glaze-8"}
    expect(await client.post("/identity/confirm-forgot-password", json=body), 400)


async def test_username_that_is_the_address_changes_with_it(
    app: FastAPI, new_person: Any, client: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    await create_account(app.state.app_state, OLD, OLD, PASSWORD, temporary=False)
    session = expect(await sign_in(client, OLD), 200).json()["session"]
    client.headers["Authorization"] = f"Bearer {session['identity_token']}"
    longest = f"m@{'a' * 58}.{'b' * 59}.example"
    expect(await request(client, f"m{longest}"), 422, code="invalid")
    expect(await request(client, longest), 202)
    expect(await request(client), 202)
    expect(await confirm(client, code_to(mailbox, NEW)), 204)
    me = (await client.get("/users/me")).json()
    assert (me["username"], me["email"]) == (NEW, NEW)
    later = await new_person("later")  # the old address is free again
    expect(await request(later.client, OLD), 202)
    expect(await confirm(later.client, code_to(mailbox, OLD), OLD), 204)


async def test_address_of_another_account_is_not_revealed(
    person: Any, new_person: Any, mailbox: Mailbox
) -> None:
    ines = await new_person("ines")
    taken, free = await request(person.client, ines.email), await request(person.client)
    assert [taken.status_code, free.status_code] == [202, 202]
    subject, text = newest_to(mailbox, ines.email)
    assert subject == "You already have an Impasto account"
    assert not re.search(r"\d{6}", text)


async def test_address_that_was_taken_since_the_request_is_refused(
    person: Any, new_person: Any, mailbox: Mailbox
) -> None:
    ines = await new_person("ines")
    for asker in (person, ines):
        expect(await request(asker.client), 202)
    first, second = [each["Subject"].split()[0] for each in mailbox.messages() if each["To"] == NEW]
    expect(await confirm(ines.client, second), 204)
    expect(await confirm(person.client, first), 409, code="email_taken")
    assert await address_of(person) == OLD


async def test_unconfirmed_sign_up_does_not_hold_the_address(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    squatter = {"username": "squatter", "email": NEW, "password": PASSWORD}
    expect(await client.post("/identity/sign-up", json=squatter), 201)
    expect(await request(person.client), 202)
    expect(await confirm(person.client, code_to(mailbox, NEW)), 204)


async def test_request_needs_the_password_and_a_session(
    person: Any, client: httpx.AsyncClient, mailbox: Mailbox, recorded: Recorded
) -> None:
    expect(await request(client), 401)
    key = (await person.client.post("/api-keys", json={"name": "CI", "scopes": ["run"]})).json()["key"]
    client.headers["Authorization"] = f"Bearer {key}"
    expect(await request(client), 403)
    sent = len(mailbox.messages())
    expect(await request(person.client, password="Not-the-one-1"), 403, code="password_wrong")
    assert len(mailbox.messages()) == sent
    [entry] = await recorded("email.change_request")
    mara = await person.id()
    assert (entry.outcome, entry.actor_id, entry.target_id) == ("failure", mara, mara)
    long_address = f"m@{'a' * 60}.{'b' * 60}.example"
    expect(await request(person.client, long_address), 202, reason="the username is not the address")


async def test_same_address_in_another_spelling_is_refused(person: Any) -> None:
    refused = expect(await request(person.client, OLD.upper()), 422)
    assert refused.json()["errors"][0]["code"] == "email_unchanged"


class TestDomains:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_up": "domains", "sign_up_domains": "northbound.example"}

    async def test_new_address_must_be_at_an_allowed_domain(self, person: Any) -> None:
        refused = expect(await request(person.client), 422).json()
        assert refused["detail"] == "Email addresses are limited to northbound.example."
        expect(await request(person.client, "m.lind@northbound.example"), 202)


class TestMails:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"rate_limit_mails_address": "3/hour"}

    @pytest.mark.usefixtures("no_delay_passes")
    async def test_requests_for_one_address_are_limited(
        self, person: Any, mailbox: Mailbox, recorded: Recorded
    ) -> None:
        for _ in range(3):
            expect(await request(person.client), 202)
        refused = expect(await request(person.client), 429, code="rate_limited")
        assert refused.headers["retry-after"] == "3600"
        assert len([each for each in mailbox.messages() if each["To"] == NEW]) == 3
        mara, outcomes = await person.id(), ["success"] * 3 + ["denied"]
        rows = await recorded("email.change_request")
        assert [(row.outcome, row.actor_id, row.target_id) for row in rows] == [
            (outcome, mara, mara) for outcome in outcomes
        ]
