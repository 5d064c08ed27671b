"""Invitations work once, for one address, until they expire or are revoked."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, text
from tests.server.conftest import PASSWORD, Mailbox, Recorded, TravellingClock
from tests.server.responses import expect

from impasto_server.cli.admin.accounts import create_account
from impasto_server.identity.models import Invitation
from impasto_server.identity.sign_up import invitations
from impasto_server.users import service as users

pytestmark = pytest.mark.anyio

EMAIL = "noor@elsewhere.example"
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"sign_up": "invite", "invitation_days": 3}


@pytest.fixture
async def root(app: FastAPI, client: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client of an admin, whose account an operator created."""
    user = await create_account(
        app.state.app_state, "root", "root@northbound.example", PASSWORD, temporary=False
    )
    async with app.state.app_state.database.writing() as session:
        user.is_admin = True
        await session.merge(user)
    signed_in = await client.post("/identity/sign-in", json={"username": "root", "password": PASSWORD})
    client.headers["Authorization"] = f"Bearer {signed_in.json()['session']['identity_token']}"
    return client


@pytest.fixture
def guest(new_client: Any) -> httpx.AsyncClient:
    client: httpx.AsyncClient = new_client()
    return client


async def invite(root: httpx.AsyncClient, email: str = EMAIL) -> str:
    made = expect(await root.post("/admin/invitations", json={"email": email}), 201)
    return str(made.json()["id"])


def token(mailbox: Mailbox) -> str:
    """Return the token in the link of the newest invitation."""
    body = mailbox.messages()[-1].get_body(("plain",))
    assert body is not None
    found = re.search(r"http://testserver/invitation#(\S{43})\s", body.get_content())
    assert found
    return found[1]


async def accept(
    client: httpx.AsyncClient, token: str, username: str = "noor", **more: Any
) -> httpx.Response:
    body = {"token": token, "username": username, "password": PASSWORD, **more}
    return await client.post("/identity/accept-invitation", json=body)


async def state(root: httpx.AsyncClient) -> list[str]:
    return [item["state"] for item in (await root.get("/admin/invitations")).json()["items"]]


async def test_invitation_creates_a_confirmed_account_for_its_address(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI
) -> None:
    await invite(root)
    assert mailbox.messages()[-1]["To"] == EMAIL
    shown = expect(await guest.post("/identity/invitation", json={"token": token(mailbox)}), 200)
    assert shown.json()["email"] == EMAIL
    accepted = expect(await accept(guest, token(mailbox), client_metadata={"website": "https://x"}), 201)
    headers = {"Authorization": f"Bearer {accepted.json()['session']['identity_token']}"}
    me = (await guest.get("/users/me", headers=headers)).json()
    assert (me["username"], me["email"], me["is_admin"]) == ("noor", EMAIL, False)
    assert {"impasto_refresh", "impasto_device"} <= {*guest.cookies}
    assert await state(root) == ["accepted"]
    root_id = (await root.get("/users/me")).json()["id"]
    async with app.state.app_state.database.reading() as session:
        row = (await session.scalars(select(Invitation))).one()
        user = await users.find(session, me["id"])
    assert user is not None
    assert (row.created_by, row.accepted_by, row.created_at) == (root_id, user.id, row.sent_at)
    assert user.client_metadata == {"website": "https://x"}
    assert row.accepted_at is not None
    assert user.confirmed_at is not None
    assert row.accepted_at >= user.confirmed_at
    signed_in = {"username": "noor", "password": PASSWORD}
    assert (await guest.post("/identity/sign-in", json=signed_in)).json()["session"]


async def test_invitation_works_once(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    await invite(root)
    expect(await accept(guest, token(mailbox)), 201)
    expect(await accept(guest, token(mailbox), "other"), 400, code="invitation_invalid")
    read = await guest.post("/identity/invitation", json={"token": token(mailbox)})
    expect(read, 400, code="invitation_invalid")


async def test_of_concurrent_acceptances_one_succeeds(
    root: httpx.AsyncClient, new_client: Any, mailbox: Mailbox
) -> None:
    await invite(root)
    answers = await asyncio.gather(*(accept(new_client(), token(mailbox), f"noor{n}") for n in range(5)))
    assert [answer.status_code for answer in answers].count(201) == 1


async def test_expired_invitation_is_refused_until_it_is_sent_again(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI, clock: TravellingClock
) -> None:
    invitation_id = await invite(root)
    clock.travel(days=3, seconds=-60)
    expect(await guest.post("/identity/invitation", json={"token": token(mailbox)}), 200)
    clock.travel(seconds=61)
    expect(await accept(guest, token(mailbox)), 400, code="invitation_invalid")
    await invitations.resend(app.state.app_state, invitation_id, None)
    expect(await accept(guest, token(mailbox)), 201)


async def test_revoked_invitation_is_refused(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    invitation_id = await invite(root)
    expect(await root.post(f"/admin/invitations/{invitation_id}/revoke"), 200)
    expect(await accept(guest, token(mailbox)), 400, code="invitation_invalid")
    assert await state(root) == ["revoked"]
    for action in ("resend", "revoke"):
        again = await root.post(f"/admin/invitations/{invitation_id}/{action}")
        ended = expect(again, 409, code="invitation_ended").json()
        assert ended["detail"] == "This invitation was revoked already."
        unknown = await root.post(f"/admin/invitations/unknown/{action}")
        assert expect(unknown, 404).json()["detail"] == "There is no invitation unknown."


async def test_sending_again_voids_the_earlier_link(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    invitation_id = await invite(root)
    old = token(mailbox)
    expect(await root.post(f"/admin/invitations/{invitation_id}/resend"), 200)
    assert mailbox.messages()[-1]["To"] == EMAIL
    assert token(mailbox) != old
    expect(await accept(guest, old), 400, code="invitation_invalid")
    expect(await accept(guest, token(mailbox)), 201)


@pytest.mark.parametrize(
    ("about", "state"),
    [
        ({}, "open"),
        ({"expires_at": AT}, "expired"),
        ({"expires_at": AT, "revoked_at": AT}, "revoked"),
        ({"accepted_at": AT, "revoked_at": AT}, "accepted"),
    ],
)
def test_invitation_is_open_until_it_expires_or_is_used(about: dict[str, datetime], state: str) -> None:
    at_nine: Any = SimpleNamespace(clock=lambda: AT)
    row = Invitation(**{"expires_at": AT + timedelta(microseconds=1), **about})
    assert invitations.state_of(at_nine, row) == state


async def test_unknown_token_is_refused(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    await invite(root)
    cases = ["", "unknown", "x" * 43]
    for wrong in cases:
        with subtests.test(wrong=wrong):
            expect(await accept(guest, wrong), 400, code="invitation_invalid")


async def test_invitation_is_for_its_own_address_only(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    await invite(root)
    other = "other@elsewhere.example"
    refused = expect(await accept(guest, token(mailbox), other), 422).json()
    message = "A username with an @ must be your own email address."
    assert refused["errors"] == [{"path": "username", "code": "username_invalid", "message": message}]
    body = {"token": token(mailbox), "username": "noor", "password": PASSWORD, "email": other}
    answer = await guest.post("/identity/accept-invitation", json=body)
    found = (await root.get("/admin/users", params={"q": other})).json()
    assert found["total"] == 0, answer.text
    signed_up = {"username": "noor2", "email": other, "password": PASSWORD}
    expect(await guest.post("/identity/sign-up", json=signed_up), 403, code="sign_up_refused")


async def test_taken_username_leaves_the_invitation_open(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
) -> None:
    await invite(root)
    expect(await accept(guest, token(mailbox), "root"), 409, code="user_exists")
    assert await state(root) == ["open"]
    expect(await accept(guest, token(mailbox)), 201)


@pytest.mark.parametrize(
    ("username", "email", "is_confirmed", "status"),
    [
        ("noor", "x@other.example", False, 409),
        ("other", EMAIL, False, 201),
        ("noor", EMAIL, False, 201),
        ("other", EMAIL, True, 409),
        ("noor", "x@other.example", True, 409),
        ("other", "x@other.example", False, 201),
    ],
)
async def test_only_an_unconfirmed_sign_up_at_the_same_address_is_replaced(
    root: httpx.AsyncClient,
    guest: httpx.AsyncClient,
    mailbox: Mailbox,
    app: FastAPI,
    username: str,
    email: str,
    is_confirmed: bool,
    status: int,
) -> None:
    await invite(root)
    state = app.state.app_state
    async with state.database.writing() as session:
        user = await users.create(session, username, email, state.clock())
        user.confirmed_at = state.clock() if is_confirmed else None
    expect(await accept(guest, token(mailbox)), status)
    async with state.database.reading() as session:
        is_there = await users.find(session, user.id) is not None
    assert is_there is (status == 409 or email != EMAIL)


async def test_unconfirmed_address_is_invited_and_shown_the_end_of_the_invitation(
    root: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI, clock: TravellingClock
) -> None:
    state, before = app.state.app_state, clock()
    async with state.database.writing() as session:
        await users.create(session, "noor", EMAIL, before)
    made = expect(await root.post("/admin/invitations", json={"email": EMAIL}), 201).json()
    assert (await root.get("/admin/invitations")).json() == {"items": [made], "next_cursor": None}
    assert (made["email"], made["state"], made["accepted_at"]) == (EMAIL, "open", None)
    sent = datetime.fromisoformat(made["sent_at"])
    assert before <= datetime.fromisoformat(made["created_at"]) <= sent <= clock()
    ends = datetime.fromisoformat(made["expires_at"])
    assert timedelta(days=2, hours=23) < ends - clock() < timedelta(days=3, hours=1)
    read = await root.post("/identity/invitation", json={"token": token(mailbox)})
    assert read.json() == {"email": EMAIL, "expires_at": made["expires_at"]}


async def test_address_with_an_account_or_an_invitation_is_not_invited(root: httpx.AsyncClient) -> None:
    await invite(root)
    for email, code in ((EMAIL.upper(), "already_invited"), ("root@northbound.example", "user_exists")):
        expect(await root.post("/admin/invitations", json={"email": email}), 409, code=code)


async def test_only_a_hash_of_the_token_is_stored(
    root: httpx.AsyncClient, mailbox: Mailbox, app: FastAPI
) -> None:
    await invite(root)
    async with app.state.app_state.database.reading() as session:
        row = (await session.execute(text("select * from invitations"))).one()
    assert EMAIL in str(row)
    assert token(mailbox) not in str(row)


class TestDomains:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_up": "domains", "sign_up_domains": "northbound.example"}

    async def test_invitation_admits_an_address_of_another_domain(
        self, root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox
    ) -> None:
        await invite(root)
        expect(await accept(guest, token(mailbox)), 201)


async def test_invitation_counts_no_more_when_sign_up_is_closed(
    root: httpx.AsyncClient,
    guest: httpx.AsyncClient,
    mailbox: Mailbox,
    app: FastAPI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invitation_id = await invite(root)
    # As after a restart with another setting, which the frozen settings do not allow.
    monkeypatch.setitem(app.state.app_state.settings.__dict__, "sign_up", "closed")
    expect(await accept(guest, token(mailbox)), 403, code="sign_up_refused")
    read = await guest.post("/identity/invitation", json={"token": token(mailbox)})
    expect(read, 403, code="sign_up_refused")
    again = await root.post(f"/admin/invitations/{invitation_id}/resend")
    expect(again, 403, code="sign_up_refused")
    closed = await root.post("/admin/invitations", json={"email": "ines@elsewhere.example"})
    expect(closed, 403, code="sign_up_refused")


async def test_each_change_of_an_invitation_is_in_the_audit_log(
    root: httpx.AsyncClient, guest: httpx.AsyncClient, mailbox: Mailbox, recorded: Recorded
) -> None:
    root_id = (await root.get("/users/me")).json()["id"]
    first = await invite(root)
    expect(await root.post(f"/admin/invitations/{first}/resend"), 200)
    session = expect(await accept(guest, token(mailbox)), 201).json()["session"]
    headers = {"Authorization": f"Bearer {session['identity_token']}"}
    noor_id = (await guest.get("/users/me", headers=headers)).json()["id"]
    second = await invite(root, "ines@elsewhere.example")
    expect(await root.post(f"/admin/invitations/{second}/revoke"), 200)
    entries = await recorded("invitation")
    assert [(entry.action, entry.actor_id, entry.target_id) for entry in entries] == [
        ("invitation.create", root_id, first),
        ("invitation.resend", root_id, first),
        ("invitation.accept", noor_id, first),
        ("invitation.create", root_id, second),
        ("invitation.revoke", root_id, second),
    ]
    assert entries[0].details == {"email": EMAIL}
    [created] = [entry for entry in await recorded("account.create") if entry.target_id == noor_id]
    assert (created.actor_id, created.outcome) == (noor_id, "success")
