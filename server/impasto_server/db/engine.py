"""The database: declarative tables, one engine, and transactions that read or write."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends
from sqlalchemy import JSON, Connection, DateTime, Dialect, MetaData, String, event, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeDecorator
from starlette.requests import HTTPConnection

from impasto_server.db.ids import new_id
from impasto_server.db.sqlite import connect as connect_sqlite
from impasto_server.db.write_lock import Turns

_PATIENCE_SECONDS = 10
READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class UtcDateTime(TypeDecorator[datetime]):
    """A moment. Takes aware datetimes only and always gives back UTC, also on SQLite."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware datetime into what the database holds."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; the database holds moments, not wall clocks")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn what the database holds into an aware datetime."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


JsonColumn = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
JsonDict = dict[str, Any]
JsonList = list[Any]
Id = Annotated[str, mapped_column(String(36))]
PrimaryId = Annotated[str, mapped_column(String(36), primary_key=True, default=new_id)]


class Table(DeclarativeBase):
    """What every table of the server derives from."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads a plain class attribute
        datetime: UtcDateTime(),
        JsonDict: JsonColumn,
        JsonList: JsonColumn,
        list[str]: JsonColumn,
    }


class Database:
    """One engine and its two kinds of transaction.

    `reading()` never blocks a writer. `writing()` commits when its block ends and rolls back when it
    raises; on SQLite it takes the write lock when it begins, so it waits its turn and never fails halfway.
    """

    def __init__(self, url: str, *, pool_size: int = 20) -> None:
        self.url = url
        self.engine = _make_engine(url, pool_size)
        self._reading = async_sessionmaker(self.engine, expire_on_commit=False)
        self._writing = async_sessionmaker(self.engine.execution_options(writes=True), expire_on_commit=False)
        self._open: set[asyncio.Future[None]] = set()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session that is thrown away at the end."""
        async with self._opened(self._reading()) as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """Open a session whose transaction is committed at the end of the block."""
        async with self._opened(self._writing()) as session:
            yield session
            await session.commit()

    @asynccontextmanager
    async def _opened(self, session: AsyncSession) -> AsyncIterator[AsyncSession]:
        """The session until it has given its connection back, which nobody who leaves early cuts short."""
        done = asyncio.get_running_loop().create_future()
        self._open.add(done)
        try:
            yield session
        finally:
            returning = asyncio.create_task(session.close())
            returning.add_done_callback(lambda _: self._closed(done))
            await asyncio.shield(returning)

    def _closed(self, done: asyncio.Future[None]) -> None:
        self._open.discard(done)
        if not done.done():
            done.set_result(None)

    async def close(self) -> None:
        """Close every connection, once those who are at work have given theirs back."""
        if self._open:
            await asyncio.wait(self._open, timeout=_PATIENCE_SECONDS)
        await self.engine.dispose()


async def hold(session: AsyncSession, name: str) -> None:
    """Keep others from holding `name` until the caller's writing transaction ends.

    On SQLite a writing transaction keeps out every other one already.
    """
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name}
        )


def _make_engine(url: str, pool_size: int) -> AsyncEngine:
    if not make_url(url).drivername.startswith("sqlite"):
        return create_async_engine(
            url, pool_size=pool_size, max_overflow=pool_size, pool_pre_ping=True, hide_parameters=True
        )
    make_database_folder(url)
    engine = create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=60,
        hide_parameters=True,
        connect_args={"async_creator_fn": connect_sqlite},
    )
    turns = Turns()
    turns.attend(engine.sync_engine)
    event.listen(engine.sync_engine, "connect", _configure_sqlite)
    event.listen(engine.sync_engine, "begin", partial(_begin_sqlite, turns))
    return engine


def make_database_folder(url: str) -> None:
    """Make the folder of an SQLite file; other databases have none."""
    if not make_url(url).drivername.startswith("sqlite"):
        return
    name = make_url(url).database
    if name and name != ":memory:":
        Path(name).parent.mkdir(parents=True, exist_ok=True)


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's begin event decides, not the driver
    cursor = connection.cursor()
    # FULL: what was committed outlives a power cut, too. It costs writers a sync, and readers nothing.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(turns: Turns, connection: Connection) -> None:
    if not connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql("BEGIN")
        return
    turns.take(connection)
    try:
        # A deferred transaction that reads and then writes fails at once when another wrote in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    except BaseException:
        turns.leave(connection.info)
        raise


async def open_session(connection: HTTPConnection) -> AsyncIterator[AsyncSession]:
    """Give a request its one transaction: committed before the answer leaves, rolled back on an error."""
    database: Database = connection.app.state.app_state.database
    reads = connection.scope.get("method", "GET") in READING_METHODS
    async with database.reading() if reads else database.writing() as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session, scope="function")]
