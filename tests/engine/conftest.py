"""Fixtures and limits of the engine's tests: deterministic property tests, one journal of each kind."""

import pytest
from hypothesis import HealthCheck, settings

from impasto import MemoryJournal, SqliteJournal

settings.register_profile(
    "engine", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("engine")


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request, tmp_path):
    if request.param == "memory":
        yield MemoryJournal()
        return
    journal = SqliteJournal(tmp_path / "runs.db")
    yield journal
    await journal.close()
