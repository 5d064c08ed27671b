"""Databases of this process's servers use the statements that earlier ones have compiled."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from impasto_server.db import engine as engines

__all__ = ["quick_databases"]
_MAX_STATEMENTS = 5000


@pytest.fixture(autouse=True, scope="session")
def quick_databases() -> Iterator[None]:
    """Compiling statements is a fifth of what a fresh server costs that is asked twice."""
    make_engine, statements = engines._make_engine, LRUCache[Any, Any](_MAX_STATEMENTS)

    def make(url: str, pool_size: int) -> AsyncEngine:
        engine = make_engine(url, pool_size)
        engine.sync_engine._compiled_cache = statements
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_make_engine", make)
        for dialect in (PGDialect_asyncpg, SQLiteDialect_aiosqlite):
            # A compiled statement is looked up by its dialect, of which each engine makes one.
            patch.setattr(dialect, "__eq__", lambda one, other: type(one) is type(other))
            patch.setattr(dialect, "__hash__", lambda one: hash(type(one)))
        yield
