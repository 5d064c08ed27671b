"""Entries have actor, action and origin, and no secrets."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.origin import Origin, OriginMiddleware, acting_from, current_origin
from impasto_server.audit.schemas import AuditFilter, Target
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery

pytestmark = pytest.mark.anyio


@pytest.fixture
def app_state(app: FastAPI) -> AppState:
    state: AppState = app.state.app_state
    return state


async def entries(app_state: AppState, **wanted: object) -> list[AuditRow]:
    return [row async for row in audit.all_entries(app_state, AuditFilter(**wanted))]  # type: ignore[arg-type]


async def test_entry_names_actor_target_address_and_user_agent(app_state: AppState) -> None:
    with acting_from(Origin("anonymous", "2001:db8::7", "Sample/1.0")):
        await audit.record_now(
            app_state, "api_key.create", actor_id="u1", target=Target("api_key", "k1"), details={"name": "CI"}
        )
    [entry] = await entries(app_state, action="api_key")
    assert (entry.actor_kind, entry.actor_id, entry.target_kind, entry.target_id) == (
        "user", "u1", "api_key", "k1",
    )  # fmt: skip
    assert (entry.address, entry.user_agent, entry.outcome) == ("2001:db8::7", "Sample/1.0", "success")
    assert entry.details == {"name": "CI"}


async def test_entry_of_a_rolled_back_action_is_not_stored(app_state: AppState) -> None:
    async def fail() -> None:
        async with app_state.database.writing() as session:
            await audit.record(app_state, session, "password.change", actor_id="u1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await entries(app_state, action="password.change") == []


async def test_detail_named_like_a_secret_is_refused(app_state: AppState, subtests: pytest.Subtests) -> None:
    cases = ["password", "new_password", "secret", "refresh_token", "code", "key"]
    for name in cases:
        with subtests.test(name=name):
            with pytest.raises(ValueError, match="must not hold secrets"):
                await audit.record_now(app_state, "sign_in", details={name: "x"})
            assert await entries(app_state) == []


async def test_texts_are_cut_and_stripped_of_control_and_bidi_characters(app_state: AppState) -> None:
    await audit.record_now(app_state, "sign_in", details={"name": "a\u202eb\x1b\n" + "c" * 900})
    [entry] = await entries(app_state)
    assert entry.details["name"] == ("ab" + "c" * 900)[:200]


async def test_middleware_records_client_and_user_agent_of_a_request(
    app: FastAPI, app_state: AppState, new_client: Callable[[], httpx.AsyncClient]
) -> None:
    @app.post("/probe")
    async def probe() -> None:
        await audit.record_now(app_state, "sign_out")

    app.router.routes.insert(0, app.router.routes.pop())
    agent = "Evil\u202eAgent/1.0" + "x" * 999
    await new_client().post("http://testserver/probe", headers=[(b"User-Agent", agent.encode())])
    [entry] = await entries(app_state, action="sign_out")
    assert entry.actor_kind == "anonymous"
    assert entry.address == "127.0.0.1"
    assert entry.user_agent is not None
    assert len(entry.user_agent) <= 256
    assert entry.user_agent.isprintable()


async def test_filters_and_pages(app_state: AppState) -> None:
    for number in range(5):
        await audit.record_now(app_state, "sign_in", actor_id=f"u{number % 2}", outcome="failure")
    await audit.record_now(app_state, "user.suspend", actor_id="u9", target=Target("user", "u1"))
    assert len(await entries(app_state, action="sign_in")) == 5
    assert len(await entries(app_state, action="user")) == 1
    assert len(await entries(app_state, user_id="u1")) == 3
    assert len(await entries(app_state, outcome="success")) == 1
    assert await entries(app_state, since=datetime(2999, 1, 1, tzinfo=UTC)) == []
    assert await entries(app_state, until=datetime(2001, 1, 1, tzinfo=UTC)) == []
    async with app_state.database.reading() as session:
        first, cursor = await audit.page(session, AuditFilter(), PageQuery(4))
        assert cursor is not None
        rest, end = await audit.page(session, AuditFilter(), PageQuery(4, first[-1].id))
    assert (len(first), len(rest), end) == (4, 2, None)
    assert [entry.id for entry in first + rest] == sorted((e.id for e in first + rest), reverse=True)


async def test_actor_is_the_api_key_the_user_or_the_origin(app_state: AppState) -> None:
    expected = set()
    for origin, actor_id, api_key_id, kind in (
        (current_origin(), None, None, "system"),
        (Origin("operator"), None, None, "operator"),
        (Origin("anonymous", "192.0.2.7"), None, None, "anonymous"),
        (Origin("operator"), "u1", None, "user"),
        (Origin("anonymous"), "u2", "k1", "api_key"),
    ):
        expected.add((kind, actor_id, api_key_id))
        with acting_from(origin):
            async with app_state.database.writing() as session:
                await audit.record(app_state, session, "sign_out", actor_id=actor_id, api_key_id=api_key_id)
    found = await entries(app_state)
    assert len(found) == 5
    assert {(entry.actor_kind, entry.actor_id, entry.api_key_id) for entry in found} == expected
    for entry in found:
        assert (entry.target_kind, entry.target_id, entry.details) == (None, None, {})
        assert entry.outcome == "success"


async def test_details_keep_numbers_and_harmless_names(app_state: AppState) -> None:
    details = {"revoked_keys": 3, "is_new": True, "nothing": None, "codec": "a", "keyboard": "b" * 200}
    await audit.record_now(app_state, "sign_out", details=details)
    assert (await entries(app_state))[0].details == details


async def test_sixty_refusals_a_minute_are_recorded_for_each_address(app_state: AppState) -> None:
    for address, number, expected in (("192.0.2.1", 61, 60), ("192.0.2.2", 1, 1)):
        with acting_from(Origin("anonymous", address)):
            for _ in range(number):
                await audit.record_refusal(
                    app_state, "sign_in", "denied", actor_id="u1", api_key_id="k1",
                    target=Target("user", "u2"), details={"reason": "a"},
                )  # fmt: skip
        found = await entries(app_state, address=address)
        assert len(found) == expected
    assert (found[0].actor_id, found[0].api_key_id, found[0].target_id) == ("u1", "k1", "u2")
    assert (found[0].outcome, found[0].details) == ("denied", {"reason": "a"})


async def test_request_without_client_and_user_agent_has_neither() -> None:
    seen: list[Origin] = []

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(current_origin())

    async def unused(*given: object) -> Any:
        raise AssertionError

    middleware = OriginMiddleware(handle)
    long = [(b"user-agent", b"a" * 257)]
    for scope in (
        {"type": "http", "client": None, "headers": []},
        {"type": "http", "client": ("2001:db8::7", 5), "headers": long},
        {"type": "lifespan"},
    ):
        await middleware(scope, unused, unused)
    assert seen == [
        Origin("anonymous"),
        Origin("anonymous", "2001:db8::7", "a" * 256),
        Origin("system"),
    ]
    assert current_origin() == Origin("system")


async def test_every_page_of_a_long_log_is_read(app_state: AppState) -> None:
    at = app_state.clock()
    row = {"action": "sign_out", "outcome": "success", "actor_kind": "system", "details": {}}
    async with app_state.database.writing() as session:
        session.add_all(AuditRow(id=f"e{number:04}", at=at, **row) for number in range(501))
    found = [entry.id for entry in await entries(app_state)]
    assert found == [f"e{number:04}" for number in reversed(range(501))]
