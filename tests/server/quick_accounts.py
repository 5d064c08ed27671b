"""Accounts without a sign-up: its two requests and its e-mail take a third of the time of a short test."""

import functools
import secrets
from typing import Any

import httpx
from fastapi import Response
from pwdlib.hashers.argon2 import Argon2Hasher

from impasto_server.audit import service as audit
from impasto_server.audit.origin import Origin, acting_from
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.identity.endpoints import session_response
from impasto_server.identity.models import Password
from impasto_server.identity.sessions import devices
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.users import service as users

_ADDRESS = "127.0.0.1"  # of requests that httpx sends to an application


async def create_account(
    app_state: AppState, client: httpx.AsyncClient, username: str, email: str, password: str
) -> dict[str, Any]:
    """Write the rows of a confirmed account, and return its session, whose cookies the client gets."""
    agent = client.headers["User-Agent"]
    device = Device(secrets.token_urlsafe(32), _ADDRESS, devices.name_of(agent))
    now, response = app_state.clock(), Response()
    with acting_from(Origin("anonymous", _ADDRESS, agent)):
        async with app_state.database.writing() as session:
            user = await users.create(session, username, email, now)
            target = Target("user", user.id)
            await audit.record(app_state, session, "account.create", target=target)
            costs = app_state.settings
            stored = _hash(
                costs.argon2_time_cost, costs.argon2_memory_kib, costs.argon2_parallelism, password
            )
            session.add(Password(user_id=user.id, hash=stored, temporary=False, changed_at=now))
            user.confirmed_at = now
            await audit.record(app_state, session, "account.confirm", actor_id=user.id, target=target)
            issued = await sessions.start(app_state, session, user, device)
    issued_session = session_response(app_state, response, issued, device)
    request = client.build_request("POST", "/identity/confirm-sign-up")
    client.cookies.extract_cookies(httpx.Response(200, headers=response.headers.raw, request=request))
    return issued_session.model_dump(mode="json")


@functools.cache
def _hash(time_cost: int, memory_kib: int, parallelism: int, password: str) -> str:
    hasher = Argon2Hasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=parallelism)
    return hasher.hash(password)
