"""Who calls, and for how long what they called with is valid."""

from datetime import timedelta
from typing import Any

import pytest
import structlog
from tests.server.responses import expect

from impasto_server.http.errors import NotAuthenticated
from impasto_server.identity.errors import AccountSuspended
from impasto_server.security.auth import Caller, authenticate, authenticate_scope, is_active
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


def scope(authorization: str | None) -> dict[str, Any]:
    headers = [] if authorization is None else [(b"authorization", authorization.encode())]
    return {"type": "http", "method": "GET", "path": "/api/v1/flows/", "headers": headers}


async def test_caller_is_a_person_or_a_program_until_what_they_called_with_ends(
    person: Any, app_state: Any
) -> None:
    made = expect(await person.client.post("/api-keys", json={"name": "ci", "scopes": ["read"]}), 201).json()
    human = await authenticate_scope(app_state, scope(f"bearer  {person.token} "))
    assert structlog.contextvars.get_contextvars()["user_id"] == await person.id()
    program = await authenticate_scope(app_state, scope(f"Bearer {made['key']}"))
    known = Caller(human.user, None)  # as one with a token of an OpenID Connect provider
    assert (human.is_api_key, program.is_api_key, known.is_api_key) == (False, True, False)
    assert (human.user.id, program.user.id) == (await person.id(),) * 2
    assert (human.session_id is None, program.session_id, program.api_key_id) == (False, None, made["id"])

    async def active() -> list[bool]:
        return [await is_active(app_state, each) for each in (human, program, known)]

    assert await active() == [True, True, True]
    expect(await person.client.delete(f"/api-keys/{made['id']}"), 204)
    assert await active() == [True, False, True]
    expect(await person.client.post("/identity/sign-out"), 204)
    assert await active() == [False, False, True]
    for suspended_at in (app_state.clock(), None):
        async with app_state.database.writing() as session:
            (await session.get(User, human.user.id)).suspended_at = suspended_at
        assert await active() == [False, False, suspended_at is None]
    async with app_state.database.writing() as session:
        await session.delete(await session.get(User, human.user.id))
    assert await active() == [False, False, False]


async def test_caller_without_a_valid_token_is_refused(person: Any, app_state: Any) -> None:
    made = expect(await person.client.post("/api-keys", json={"name": "ci", "scopes": ["read"]}), 201).json()
    for authorization in (None, "", "Bearer", "Bearer  ", f"Basic {person.token}", person.token):
        with pytest.raises(NotAuthenticated, match=r"Please sign in to continue\."):
            await authenticate_scope(app_state, scope(authorization))
    with pytest.raises(NotAuthenticated, match=r"This API key is unknown or was revoked\."):
        await authenticate(app_state, "imp_made-up", "GET", "/api/v1/flows/")
    async with app_state.database.writing() as session:
        user = await session.get(User, await person.id())
        user.suspended_at = app_state.clock() - timedelta(days=1)
    for token in (person.token, made["key"]):
        with pytest.raises(AccountSuspended):
            await authenticate(app_state, token, "GET", "/api/v1/flows/")
