"""The pause of deletions lasts as long as the backup that asked for it, and some minutes longer."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from impasto_server.settings import Settings
from impasto_server.storage import deletion_pause
from impasto_server.storage.object_storage import Storage

pytestmark = pytest.mark.anyio
START = datetime(2026, 11, 22, tzinfo=UTC)


class Clock:
    """A clock that advances by ten minutes with each call."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> datetime:
        self.calls += 1
        return START + timedelta(minutes=10 * self.calls)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage.from_settings(Settings(_env_file=None, data_dir=tmp_path))


async def test_pause_ends_ten_minutes_after_its_last_renewal(storage: Storage) -> None:
    assert not await deletion_pause.is_paused(storage, START)
    async with deletion_pause.pause(storage, lambda: START):
        assert await deletion_pause.is_paused(storage, START + timedelta(minutes=10, microseconds=-1))
        assert not await deletion_pause.is_paused(storage, START + timedelta(minutes=10))
    assert await deletion_pause.is_paused(storage, START)


async def test_pause_is_renewed_until_the_block_ends(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion_pause, "_RENEWAL_SECONDS", 0.001)
    clock, tasks = Clock(), asyncio.all_tasks()
    async with asyncio.timeout(20), deletion_pause.pause(storage, clock):
        while clock.calls < 3:
            await asyncio.sleep(0.001)
        assert len(asyncio.all_tasks() - tasks) == 1
    assert asyncio.all_tasks() == tasks
    assert await deletion_pause.is_paused(storage, START + timedelta(minutes=10 * (clock.calls - 1)))


async def test_renewal_that_fails_is_tried_again(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion_pause, "_RENEWAL_SECONDS", 0.001)
    failing = Clock()

    def clock() -> datetime:
        now = failing()
        if failing.calls == 2:
            raise OSError("no space left")
        return now

    async with asyncio.timeout(20), deletion_pause.pause(storage, clock):
        while failing.calls < 4:
            await asyncio.sleep(0.001)
    assert await deletion_pause.is_paused(storage, START + timedelta(minutes=30))
