"""The records of objects to delete: when they are written, and which of them a sweep executes."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import garbage
from impasto_server.assets.garbage import PendingDeletion, mark_for_deletion, put_objects, sweep
from impasto_server.container import AppState
from impasto_server.settings import Settings
from impasto_server.storage import deletion_pause

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "utc_now", lambda: NOON)


async def recorded(app_state: AppState) -> dict[str, tuple[datetime, datetime | None]]:
    async with app_state.database.reading() as session:
        rows = await session.scalars(select(PendingDeletion).order_by(PendingDeletion.object_key))
        return {row.object_key: (row.since, row.storing_until) for row in rows}


async def record(app_state: AppState, **records: tuple[datetime, datetime | None]) -> None:
    async with app_state.database.writing() as session:
        for key, (since, until) in records.items():
            session.add(PendingDeletion(object_key=key, since=since, storing_until=until))
            await app_state.storage.put_at(key, b"words")


async def test_sweep_deletes_the_oldest_objects_that_no_request_is_storing(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "_BATCH_SIZE", 2)
    records = {
        "a": (NOON - SECOND, None),
        "b": (NOON - HOUR, NOON + SECOND),
        "c": (NOON - 2 * SECOND, NOON),
        "d": (NOON, None),
    }
    await record(app_state, **records)
    await sweep(app_state)
    assert await recorded(app_state) == {key: records[key] for key in "bd"}
    assert [await app_state.storage.exists(key) for key in "abcd"] == [False, True, False, True]
    await sweep(app_state, iter(["b", "unknown"]))
    assert await app_state.storage.exists("b")
    await app_state.storage.put_at("unrecorded", b"words")
    await sweep(app_state, ["unrecorded"])
    assert await app_state.storage.exists("unrecorded")
    async with deletion_pause.pause(app_state.storage, app_state.clock):
        await sweep(app_state)
        assert await app_state.storage.exists("d")
    assert list(await recorded(app_state)) == ["b", "d"]


@pytest.mark.parametrize(("minutes", "is_kept"), [(30, True), (31, False)])
async def test_unfinished_file_is_deleted_after_half_the_time_that_storing_takes(
    app_state: AppState, settings: Settings, minutes: int, is_kept: bool
) -> None:
    await record(app_state, a=(NOON, None))
    unfinished = settings.data_dir / "assets" / "a#1"
    unfinished.write_bytes(b"wo")
    changed = (NOON - timedelta(minutes=minutes)).timestamp()
    os.utime(unfinished, (changed, changed))
    await sweep(app_state)
    assert unfinished.exists() is is_kept
    assert await recorded(app_state) == {}


async def test_object_is_recorded_once_and_since_the_first_time(app_state: AppState) -> None:
    await record(app_state, a=(NOON - HOUR, NOON))
    async with app_state.database.writing() as session:
        await mark_for_deletion(session, [])
        await mark_for_deletion(session, ["b", "a", "b"])
    assert await recorded(app_state) == {"a": (NOON - HOUR, NOON), "b": (NOON, None)}


async def test_objects_are_recorded_for_as_long_as_they_are_being_stored(app_state: AppState) -> None:
    await record(app_state, b=(NOON - HOUR, None))
    seen: list[Any] = []

    async def put() -> None:
        seen.append(await recorded(app_state))

    async def refuse(session: AsyncSession) -> str:
        raise ValueError("refused")

    async def write(session: AsyncSession) -> str:
        return "written"

    storing = {"a": (NOON, NOON + HOUR), "b": (NOON - HOUR, NOON + HOUR)}
    with pytest.raises(ValueError, match="refused"):
        await put_objects(app_state.database, {"b": put, "a": put}, refuse)
    assert await recorded(app_state) == {"a": (NOON, None), "b": (NOON - HOUR, None)}
    assert await put_objects(app_state.database, {"b": put, "a": put}, write) == "written"
    assert seen == [storing] * 4
    assert await recorded(app_state) == {}


async def test_objects_are_stored_again_if_one_of_them_was_deleted_before_the_rows_are_written(
    app_state: AppState,
) -> None:
    stored: list[str] = []

    def put(key: str) -> Any:
        async def store() -> None:
            stored.append(key)
            if stored == ["a", "b"]:
                async with app_state.database.writing() as session:
                    await session.delete(await session.get_one(PendingDeletion, "a"))

        return store

    async def write(session: AsyncSession) -> int:
        return len(stored)

    assert await put_objects(app_state.database, {"b": put("b"), "a": put("a")}, write) == 4
    assert stored == ["a", "b", "a", "b"]
