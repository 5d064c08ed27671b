"""Accounts without a sign-up: its two requests and its e-mail take a third of the time of a short test."""

import functools
import secrets
from typing import Any

import httpx
from fastapi import Response

from impasto_server.audit import service as audit
from impasto_server.audit.origin import Origin, acting_from
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.identity.endpoints import session_response
from impasto_server.identity.models import Password
from impasto_server.identity.passwords import PasswordHasher
from impasto_server.identity.sessions import devices
from impasto_server.identity.sessions import service as sessions
from impasto_server.identity.sessions.devices import Device
from impasto_server.settings import Settings
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
            stored = _hash(app_state.settings, password)
            session.add(Password(user_id=user.id, hash=stored, temporary=False, changed_at=now))
            user.confirmed_at = now
            await audit.record(app_state, session, "account.confirm", actor_id=user.id, target=target)
            issued = await sessions.start(app_state, session, user, device)
    issued_session = session_response(app_state, response, issued, device)
    request = client.build_request("POST", "/identity/confirm-sign-up")
    client.cookies.extract_cookies(httpx.Response(200, headers=response.headers.raw, request=request))
    return issued_session.model_dump(mode="json")


def _hash(settings: Settings, password: str) -> str:
    costs = (settings.argon2_time_cost, settings.argon2_memory_kib, settings.argon2_parallelism)
    return _hash_at(costs, password)


@functools.cache
def _hash_at(costs: tuple[int, int, int], password: str) -> str:
    time, memory, parallelism = costs
    settings = Settings.model_construct(
        argon2_time_cost=time, argon2_memory_kib=memory, argon2_parallelism=parallelism
    )
    return PasswordHasher(settings)._argon2.hash(password)
