"""Outputs that later runs reuse: on their way to the database, and back."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from anyio.lowlevel import checkpoint
from sqlalchemy import delete, event, select

from impasto_server.container import AppState
from impasto_server.runs.launch.reuse import ReuseCaches, ReuseWriter
from impasto_server.runs.models import ReuseRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
MIB = 2**20


@pytest.fixture
def statements(app_state: AppState) -> Callable[[str], list[Any]]:
    """Return a function that returns the parameters of the executed statements on reusable outputs."""
    executed: list[tuple[str, Any]] = []

    @event.listens_for(app_state.database.engine.sync_engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        if "reuse" in statement:
            executed.append((statement, values))

    return lambda verb: [values for statement, values in executed if statement.startswith(verb)]


@pytest.fixture
def caches(app_state: AppState) -> ReuseCaches:
    return ReuseCaches(app_state.database, app_state.clock)


async def rows(app_state: AppState) -> dict[str, tuple[bytes, datetime]]:
    async with app_state.database.reading() as session:
        found = await session.execute(select(ReuseRow.key, ReuseRow.entry, ReuseRow.used_at))
        return {key: (entry, used_at) for key, entry, used_at in found}


async def test_entries_of_a_quarter_of_a_second_are_written_together(
    person: Any, app_state: AppState, statements: Any
) -> None:
    owner_id = await person.id()
    writer = ReuseWriter(app_state.database, app_state.clock)
    for key in ("a", "b", "c"):
        await writer.add(owner_id, key, b"output")
        await checkpoint()  # without a delay the first one would be written alone
    await writer.flush()
    assert len(statements("INSERT")) == 1


async def test_entry_is_found_before_and_after_it_is_written_and_only_by_its_owner(
    person: Any, new_person: Any, app_state: AppState, caches: ReuseCaches
) -> None:
    mara, ines = await person.id(), await (await new_person("ines")).id()
    cache = caches.for_user(mara)
    assert caches.for_user(mara) is cache
    assert await cache.get("a") is None
    await cache.put("a", b"1")
    assert (await rows(app_state), await cache.get("a")) == ({}, b"1")
    await caches.flush()
    assert (await rows(app_state))["a"][0] == b"1"
    assert (await cache.get("a"), await cache.get("b")) == (b"1", None)
    assert await caches.for_user(ines).get("a") is None
    await cache.put("a", b"2")
    assert await cache.get("a") == b"2"
    await caches.flush()
    assert (await rows(app_state))["a"][0] == await cache.get("a") == b"2"


async def test_entry_that_is_being_written_is_found(person: Any, app_state: AppState) -> None:
    owner_id = await person.id()
    writer = ReuseWriter(app_state.database, app_state.clock)
    found: list[bytes | None] = []

    @event.listens_for(app_state.database.engine.sync_engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT") and "reuse" in statement:
            found.append(writer.find(owner_id, "a"))

    await writer.add(owner_id, "a", b"1")
    await writer.flush()
    assert found == [b"1"]
    assert writer.find(owner_id, "a") is None


async def test_outputs_of_at_most_4_mib_are_stored(person: Any, caches: ReuseCaches) -> None:
    cache = caches.for_user(await person.id())
    await cache.put("allowed", bytes(4 * MIB))
    await cache.put("too large", bytes(4 * MIB + 1))
    assert await cache.get("allowed") == bytes(4 * MIB)
    assert await cache.get("too large") is None


async def test_outputs_of_more_than_16_mib_are_written_before_more_are_taken(
    person: Any, app_state: AppState, caches: ReuseCaches
) -> None:
    cache = caches.for_user(await person.id())
    for number in range(4):
        await cache.put(f"{number}", bytes(4 * MIB))
    assert await rows(app_state) == {}
    await cache.put("last", b"1")
    assert (await rows(app_state)).keys() == {"0", "1", "2", "3", "last"}
    await cache.put("next", b"1")
    assert "next" not in await rows(app_state), "what is written waits no more"
    await caches.flush()


async def test_entries_that_are_wanted_together_are_read_together(
    person: Any, caches: ReuseCaches, statements: Any
) -> None:
    cache = caches.for_user(await person.id())
    for number in range(70):
        await cache.put(f"{number}", f"{number}".encode())
    await caches.flush()
    found = await asyncio.gather(*(cache.get(f"{number}") for number in range(71)))
    assert found == [*(f"{number}".encode() for number in range(70)), None]
    assert [len(values) for values in statements("SELECT")] == [2 * 64, 2 * 8]
    assert await cache.get("5") == b"5"
    assert [len(values) for values in statements("SELECT")][2:] == [2]


async def test_time_of_use_is_noted_once_a_day(
    person: Any, app_state: AppState, caches: ReuseCaches, clock: Any
) -> None:
    cache = caches.for_user(await person.id())
    await cache.put("a", b"1")
    await cache.put("b", b"1")
    await caches.flush()
    stored = (await rows(app_state))["a"][1]
    clock.travel(hours=23, minutes=59)
    await cache.get("a")
    assert (await rows(app_state))["a"][1] == stored
    clock.travel(minutes=2)
    await cache.get("a")
    used = {key: used_at for key, (_, used_at) in (await rows(app_state)).items()}
    assert (used["a"] - stored).total_seconds() == pytest.approx(24 * 3600 + 60, abs=30)
    assert used["b"] == stored


async def test_step_that_stopped_waiting_does_not_keep_others_from_their_entries(
    person: Any, caches: ReuseCaches
) -> None:
    cache = caches.for_user(await person.id())
    for key in ("a", "b"):
        await cache.put(key, key.encode())
    await caches.flush()
    stopped, waiting = asyncio.create_task(cache.get("a")), asyncio.create_task(cache.get("b"))
    await checkpoint()
    stopped.cancel()
    assert await waiting == b"b"


async def test_failed_read_fails_every_step_that_waits_and_the_next_read_succeeds(
    person: Any, app_state: AppState, caches: ReuseCaches
) -> None:
    cache = caches.for_user(await person.id())
    await cache.put("a", b"1")
    await caches.flush()
    engine = app_state.database.engine.sync_engine

    def refuse(*_: object) -> None:
        raise ConnectionError("The database is gone.")

    event.listen(engine, "before_cursor_execute", refuse)
    waiting = [asyncio.create_task(cache.get(key)) for key in ("a", "b", "c")]
    await checkpoint()
    waiting[2].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert list(map(type, results)) == [ConnectionError, ConnectionError, asyncio.CancelledError]
    event.remove(engine, "before_cursor_execute", refuse)
    assert await cache.get("a") == b"1"


async def test_entries_of_a_deleted_user_do_not_keep_those_of_others_from_being_written(
    person: Any, new_person: Any, app_state: AppState, caches: ReuseCaches
) -> None:
    mara, ines = await person.id(), await (await new_person("ines")).id()
    for user_id in (ines, mara):
        await caches.for_user(user_id).put(f"of {user_id}", b"1")
    async with app_state.database.writing() as session:
        await session.execute(delete(User).where(User.id == ines))
    await caches.flush()
    assert (await rows(app_state)).keys() == {f"of {mara}"}
    await caches.for_user(ines).put("again", b"1")
    await caches.flush()
    assert (await rows(app_state)).keys() == {f"of {mara}"}
