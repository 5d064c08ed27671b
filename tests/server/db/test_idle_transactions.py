"""Transactions in which nothing happens, as of a process that hangs or has vanished, on PostgreSQL."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from impasto_server.db.engine import Database
from impasto_server.outages import is_outage

pytestmark = pytest.mark.anyio
_LOCK = text("SELECT pg_advisory_xact_lock(1)")
_IDLE_SECONDS = 2


@pytest.fixture
def database_url(migrated_postgresql: str) -> str:
    return migrated_postgresql


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"database_idle_seconds": 90}


async def _settings_of(database: Database) -> dict[str, str]:
    """Return what PostgreSQL does about the connections of a process."""
    names = (
        "idle_in_transaction_session_timeout",
        "tcp_keepalives_idle",
        "tcp_keepalives_interval",
        "tcp_keepalives_count",
        "tcp_user_timeout",
    )
    async with database.reading() as session:
        return {name: str(await session.scalar(text(f"SHOW {name}"))) for name in names}


async def test_transaction_in_which_nothing_happens_loses_its_locks(empty_postgresql: str) -> None:
    hanging, other = Database(empty_postgresql, idle_seconds=_IDLE_SECONDS), Database(empty_postgresql)
    locked_by_other = asyncio.Event()

    async def hang() -> None:
        async with hanging.writing() as session:
            await session.execute(_LOCK)
            async with asyncio.timeout(60), other.writing() as waiting:
                await waiting.execute(_LOCK)
                locked_by_other.set()
            await session.execute(_LOCK)

    try:
        with pytest.raises(Exception) as refusal:  # noqa: PT011 - the driver's
            await hang()
    finally:
        await hanging.close()
        await other.close()
    assert locked_by_other.is_set()
    assert is_outage(refusal.value)


async def test_server_limits_idle_transactions_and_asks_whether_its_clients_live(app_state: Any) -> None:
    assert await _settings_of(app_state.database) == {
        "idle_in_transaction_session_timeout": "90s",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        "tcp_user_timeout": "60000",
    }


async def test_limit_of_zero_leaves_everything_to_postgresql(empty_postgresql: str) -> None:
    plain, limited = Database(empty_postgresql), Database(empty_postgresql, idle_seconds=90)
    try:
        found, changed = await _settings_of(plain), await _settings_of(limited)
    finally:
        await plain.close()
        await limited.close()
    assert found["idle_in_transaction_session_timeout"] == "0"
    assert all(found[name] != value for name, value in changed.items())
