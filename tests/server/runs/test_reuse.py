"""The cache of step outputs in the database: what is written together, and what is found before."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import event, func, select
from tests.server.sample_nodes import CALLS, chain

from impasto_server.runs.launch.reuse import ReuseCache, ReuseCaches
from impasto_server.runs.models import ReuseRow
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def caches(app_state: Any) -> ReuseCaches:
    return ReuseCaches(app_state.database, utc_now)


async def stored(app_state: Any) -> int:
    async with app_state.database.reading() as session:
        return int(await session.scalar(select(func.count()).select_from(ReuseRow)) or 0)


async def test_outputs_of_many_steps_are_written_in_one_transaction(
    person: Any, app_state: Any, caches: ReuseCaches
) -> None:
    commits: list[object] = []
    event.listen(app_state.database.engine.sync_engine, "commit", commits.append)
    cache = caches.for_user(await person.id())
    for number in range(40):
        await cache.put(f"{number}", b'{"output":1}')
    assert await cache.get("7") == b'{"output":1}', "found before it is written"
    await caches.flush()
    assert (len(commits), await stored(app_state)) == (1, 40)
    await cache.put("7", b'{"output":2}')
    await caches.flush()
    assert await cache.get("7") == b'{"output":2}'


async def test_entries_of_a_deleted_user_do_not_take_others_along(
    person: Any, app_state: Any, caches: ReuseCaches
) -> None:
    mine, gone = caches.for_user(await person.id()), caches.for_user("no such user")
    for number in range(3):
        await gone.put(f"{number}", b"{}")
        await mine.put(f"{number}", b"{}")
    await caches.flush()
    assert await stored(app_state) == 3
    assert await mine.get("2") == b"{}"
    assert await gone.get("2") is None


async def test_waiting_entries_take_bounded_memory(person: Any, app_state: Any, caches: ReuseCaches) -> None:
    cache: ReuseCache = caches.for_user(await person.id())
    for number in range(5):
        await cache.put(f"{number}", bytes(4 * 2**20))
    assert await stored(app_state) == 5, (
        "with over 16 MiB waiting, the last put returned when all were written"
    )
    await cache.put("too large", bytes(4 * 2**20 + 1))
    assert await cache.get("too large") is None


async def test_next_run_reuses_outputs_that_are_not_written_yet(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    for _ in range(3):
        await finished(person, await run_flow(person, made["id"], reuse="changed"))
    assert CALLS["shout"] == 1


@pytest.fixture
async def five(person: Any, app_state: Any, caches: ReuseCaches) -> ReuseCache:
    """The cache of a user that has the keys 0 to 4 in the database."""
    cache = caches.for_user(await person.id())
    for number in range(5):
        await cache.put(f"{number}", f"{number}".encode())
    await caches.flush()
    return cache


async def test_outputs_that_are_looked_up_at_once_are_read_together(
    app_state: Any, caches: ReuseCaches, five: ReuseCache
) -> None:
    statements: list[str] = []

    def on_statement(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(app_state.database.engine.sync_engine, "before_cursor_execute", on_statement)
    other = caches.for_user("another user")
    found = await asyncio.gather(*(five.get(f"{number}") for number in range(6)), other.get("1"))

    assert found == [b"0", b"1", b"2", b"3", b"4", None, None]
    assert len([each for each in statements if "step_reuse" in each]) == 1


async def test_cancelled_look_up_does_not_disturb_others(five: ReuseCache) -> None:
    cancelled, kept = asyncio.create_task(five.get("1")), asyncio.create_task(five.get("2"))
    await asyncio.sleep(0)
    cancelled.cancel()

    assert await kept == b"2"
    with pytest.raises(asyncio.CancelledError):
        await cancelled


async def test_each_look_up_raises_why_outputs_could_not_be_read(
    app_state: Any, five: ReuseCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any) -> None:
        raise ConnectionError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(app_state.database, "all", refuse)
        found = await asyncio.gather(five.get("1"), five.get("2"), return_exceptions=True)

    assert [type(each) for each in found] == [ConnectionError, ConnectionError]
    assert await five.get("1") == b"1"
