"""Sign-in, challenge, refresh and sign-out."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete
from tests.server.responses import expect

from impasto_server.cli.admin.accounts import create_account
from impasto_server.identity import service as identity
from impasto_server.identity.models import Password
from impasto_server.users import service as users
from impasto_server.users.models import User

PASSWORD = "Thick-paint-7"

pytestmark = pytest.mark.anyio


async def sign_in(
    client: httpx.AsyncClient, username: str = "mara", password: str = PASSWORD
) -> httpx.Response:
    return await client.post("/identity/sign-in", json={"username": username, "password": password})


async def refresh(client: httpx.AsyncClient, token: str | None = None) -> httpx.Response:
    cookies = {"Cookie": f"impasto_refresh={token}"} if token else {}
    return await client.post("/identity/refresh", headers=cookies)


def cookie(client: httpx.AsyncClient) -> str:
    return str(client.cookies["impasto_refresh"])


async def test_sign_in_by_username_or_email(
    client: httpx.AsyncClient, person: Any, subtests: pytest.Subtests
) -> None:
    cases = ["mara", "MARA", "mara@northbound.example", "Mara@Northbound.Example"]
    for login in cases:
        with subtests.test(login=login):
            answer = await sign_in(client, login)
            expect(answer, 200)
            session = answer.json().pop("session")
            assert set(session) == {"identity_token", "expires_at"}
            nothing = {"challenge": None, "challenge_token": None, "factors": None}
            assert answer.json() == {"session": session, **nothing}
            assert re.fullmatch(r"[\w-]{43}", cookie(client))


async def test_wrong_password_and_unknown_account_get_same_response(
    client: httpx.AsyncClient, person: Any
) -> None:
    known = await sign_in(client, password="Thick-paint-8")
    unknown = await sign_in(client, "unknown", "Thick-paint-8")
    expect(known, 401)
    expect(unknown, 401)
    assert known.json() == unknown.json()
    assert known.json()["code"] == "invalid_credentials"
    assert known.json()["detail"] == "Invalid username or password."


async def test_unknown_account_hashes_a_password_too(app: FastAPI, client: httpx.AsyncClient) -> None:
    tried: list[str | None] = []
    passwords = app.state.app_state.password_hasher
    original = passwords.matches

    async def spy(password: str, kept: str | None) -> bool:
        tried.append(kept)
        return bool(await original(password, kept))

    passwords.matches = spy
    await sign_in(client, "unknown")
    assert tried == [None], "a hash is computed also when there is none to compare with"


@pytest.mark.parametrize(
    ("username", "password", "message"),
    [
        ("m", PASSWORD, "Username must be at least 2 characters."),
        ("mara", "Ab1!x", "Password must be at least 6 characters."),
    ],
)
async def test_short_values_are_named(
    client: httpx.AsyncClient, username: str, password: str, message: str
) -> None:
    answer = await sign_in(client, username, password)
    expect(answer, 422)
    assert answer.json()["detail"] == message


async def test_unconfirmed_state_is_revealed_with_password_only(client: httpx.AsyncClient) -> None:
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    await client.post("/identity/sign-up", json=body)
    expect(await sign_in(client, password="Thick-paint-8"), 401)
    answer = await sign_in(client)
    expect(answer, 403, code="not_confirmed")


async def test_temporary_password_must_be_replaced(
    app: FastAPI, client: httpx.AsyncClient, mailbox: Any
) -> None:
    await create_account(app.state.app_state, "noor", "noor@northbound.example", PASSWORD, temporary=True)
    answer = (await sign_in(client, "noor")).json()
    assert answer["session"] is None
    assert answer["challenge"] == "new_password_required"

    body = {"challenge_token": answer["challenge_token"], "new_password": "Definitive-9"}
    met = await client.post("/identity/new-password", json=body)
    expect(met, 200)
    token = met.json()["session"]["identity_token"]
    me = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
    assert me.json()["username"] == "noor"

    assert {"impasto_refresh", "impasto_device"} <= {*client.cookies}
    (letter,) = mailbox.messages()
    assert (letter["To"], letter["Subject"]) == ("noor@northbound.example", "New sign-in to Impasto")

    again = await client.post("/identity/new-password", json=body)
    expect(again, 401)
    assert again.json()["detail"] == "Failed to set definitive password."
    assert (await sign_in(client, "noor", "Definitive-9")).json()["challenge"] is None


async def test_temporary_password_of_an_operator_confirms_a_sign_up(
    app: FastAPI, client: httpx.AsyncClient, mailbox: Any
) -> None:
    state, temporary = app.state.app_state, "Temporary-8"
    body = {"username": "mara", "email": "mara@northbound.example", "password": PASSWORD}
    expect(await client.post("/identity/sign-up", json=body), 201)
    async with state.database.reading() as session:
        user = await users.find_by_username(session, "mara")
    assert user is not None
    await identity.set_password(state, user.id, temporary, temporary=True)
    assert mailbox.messages()[-1]["To"] == "mara@northbound.example"
    assert mailbox.messages()[-1]["Subject"] == "Your Impasto password was reset by the administrator"
    expect(await sign_in(client), 401)
    answer = expect(await sign_in(client, password=temporary), 200).json()
    body = {"challenge_token": answer["challenge_token"], "new_password": "Definitive-9"}
    expect(await client.post("/identity/new-password", json=body), 200)
    assert expect(await sign_in(client, password="Definitive-9"), 200).json()["session"]
    assert len(mailbox.messages()) == 2, "the device of the sign-up is known"


async def test_challenge_of_a_deleted_user_is_refused(app: FastAPI, client: httpx.AsyncClient) -> None:
    await create_account(app.state.app_state, "noor", "noor@northbound.example", PASSWORD, temporary=True)
    body = {"challenge_token": (await sign_in(client, "noor")).json()["challenge_token"]}
    for table in (Password, User):
        async with app.state.app_state.database.writing() as session:
            await session.execute(delete(table))
        refused = await client.post("/identity/new-password", json={**body, "new_password": "Definitive-9"})
        expect(refused, 401, code="challenge_invalid")


async def test_challenge_token_expires_and_is_no_identity_token(
    app: FastAPI, client: httpx.AsyncClient, clock: Any
) -> None:
    await create_account(app.state.app_state, "noor", "noor@northbound.example", PASSWORD, temporary=True)
    token = (await sign_in(client, "noor")).json()["challenge_token"]
    me = await client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
    expect(me, 401)
    clock.travel(minutes=16)
    body = {"challenge_token": token, "new_password": "Definitive-9"}
    assert (await client.post("/identity/new-password", json=body)).json()["code"] == "challenge_invalid"


async def test_identity_token_is_no_challenge_token(client: httpx.AsyncClient, person: Any) -> None:
    body = {"challenge_token": person.token, "new_password": "Definitive-9"}
    expect(await client.post("/identity/new-password", json=body), 401)


async def test_refreshing_rotates_the_cookie(person: Any) -> None:
    first = cookie(person.client)
    answer = await refresh(person.client)
    expect(answer, 200)
    assert cookie(person.client) != first
    token = answer.json()["session"]["identity_token"]
    me = await person.client.get("/users/me", headers={"Authorization": f"Bearer {token}"})
    expect(me, 200)


async def test_reused_refresh_token_ends_the_whole_family(client: httpx.AsyncClient, person: Any) -> None:
    stolen = cookie(person.client)
    await refresh(person.client)
    replayed = await refresh(client, stolen)
    expect(replayed, 401, code="session_ended")
    expect(await refresh(person.client), 401, reason="the newest of the family is dead, too")
    expect(await person.client.get("/users/me"), 401, reason="and so is its identity token")


async def test_other_sessions_survive_the_end_of_one(
    new_client: Callable[[], httpx.AsyncClient], person: Any
) -> None:
    other = new_client()
    await sign_in(other)
    stolen = cookie(person.client)
    await refresh(person.client)
    await refresh(new_client(), stolen)
    expect(await refresh(other), 200)


async def test_concurrent_refreshes_end_the_session(
    new_client: Callable[[], httpx.AsyncClient], person: Any
) -> None:
    token = cookie(person.client)
    answers = await asyncio.gather(*(refresh(new_client(), token) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 401], [answer.text for answer in answers]


@pytest.mark.parametrize("token", [None, "made-up"])
async def test_missing_or_unknown_refresh_token_is_refused(
    client: httpx.AsyncClient, token: str | None
) -> None:
    expect(await refresh(client, token), 401)


async def test_refresh_token_expires(person: Any, clock: Any) -> None:
    clock.travel(days=30, seconds=1)
    expect(await refresh(person.client), 401)


async def test_refresh_tokens_are_stored_hashed(app: FastAPI, person: Any) -> None:
    from sqlalchemy import select

    from impasto_server.identity.models import RefreshToken

    async with app.state.app_state.database.reading() as session:
        hashes = (await session.scalars(select(RefreshToken.hash))).all()
    assert hashes
    assert cookie(person.client) not in hashes


async def test_signing_out_ends_this_session_only(
    new_client: Callable[[], httpx.AsyncClient], person: Any
) -> None:
    other = new_client()
    await sign_in(other)
    token = cookie(person.client)
    answer = await person.client.post("/identity/sign-out", json={"everywhere": False})
    expect(answer, 204)
    assert 'impasto_refresh=""' in answer.headers["set-cookie"]
    expect(await person.client.get("/users/me"), 401)
    expect(await refresh(new_client(), token), 401)
    expect(await refresh(other), 200)


async def test_signing_out_everywhere_ends_every_session(
    new_client: Callable[[], httpx.AsyncClient], person: Any
) -> None:
    other = new_client()
    await sign_in(other)
    answer = await person.client.post("/identity/sign-out", json={"everywhere": True})
    expect(answer, 204)
    expect(await refresh(other), 401)


async def test_signing_out_works_with_the_token_alone_and_with_an_expired_one_beside_the_cookie(
    new_client: Callable[[], httpx.AsyncClient], person: Any, clock: Any
) -> None:
    bare = new_client()
    headers = {"Authorization": f"Bearer {person.token}"}
    expect(await bare.post("/identity/sign-out", headers=headers), 204)
    expect(await person.client.get("/users/me"), 401)

    other = new_client()
    other.headers["Authorization"] = f"Bearer {(await sign_in(other)).json()['session']['identity_token']}"
    clock.travel(minutes=20)
    expect(await other.post("/identity/sign-out"), 204)
    expect(await refresh(other), 401)


async def test_sign_out_without_session_succeeds(client: httpx.AsyncClient) -> None:
    expect(await client.post("/identity/sign-out"), 204)
    expect(await client.post("/identity/sign-out", json={"everywhere": True}), 401)
