"""Fixtures of the engine's tests: one journal of each kind."""

import pytest

from impasto import MemoryJournal, SqliteJournal


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request, tmp_path):
    if request.param == "memory":
        yield MemoryJournal()
        return
    journal = SqliteJournal(tmp_path / "runs.db")
    yield journal
    await journal.close()
