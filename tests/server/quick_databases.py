"""Databases of this process's servers use statements that earlier ones have compiled, and no disk's time."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Dialect, event
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from impasto_server.db import engine as engines
from impasto_server.db.prepared import PreparedStatements

__all__ = ["commits_reach_the_disk", "quick_databases"]
_MAX_STATEMENTS = 5000
_make_real_engine = engines._make_engine


@pytest.fixture(autouse=True, scope="session")
def quick_databases() -> Iterator[None]:
    """Compiling statements is a fifth of what a fresh server costs that is asked twice."""
    statements = LRUCache[Any, Any](_MAX_STATEMENTS)

    def make(url: str, pool_size: int, idle_seconds: float) -> AsyncEngine:
        engine = _make_real_engine(url, pool_size, idle_seconds)
        engine.sync_engine._compiled_cache = statements
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", _commit_without_waiting)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_make_engine", make)
        patch.setattr(PreparedStatements, "__init__", _share)
        for dialect in (PGDialect_asyncpg, SQLiteDialect_aiosqlite):
            # A compiled statement is looked up by its dialect, of which each engine makes one.
            patch.setattr(dialect, "__eq__", lambda one, other: type(one) is type(other))
            patch.setattr(dialect, "__hash__", lambda one: hash(type(one)))
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


_prepared: dict[type[Dialect], Any] = {}


def _share(self: PreparedStatements, dialect: Dialect) -> None:
    """Initialise a database's statements with those that earlier databases of its kind have built."""
    self._dialect, self._found = dialect, _prepared.setdefault(type(dialect), {})


@pytest.fixture
def commits_reach_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Databases of this test are those of the product."""
    monkeypatch.setattr(engines, "_make_engine", _make_real_engine)


def _commit_without_waiting(connection: Any, _: object) -> None:
    """A test ends long before a power failure: its commits and files need not reach the disk."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous=OFF")
    cursor.close()
