"""The database: the declarative base, one engine, and sessions that read or write."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from datetime import datetime
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from sqlalchemy import Connection, Executable, MetaData, Select, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import Pool
from sqlalchemy.util import greenlet_spawn
from starlette.requests import HTTPConnection

from impasto_server.db.connection_check import install_connection_check
from impasto_server.db.folding import SQLITE_FUNCTION, fold
from impasto_server.db.prepared import PreparedStatements
from impasto_server.db.sqlite import SqliteConnection
from impasto_server.db.sqlite import connect as connect_sqlite
from impasto_server.db.types import JsonColumn, JsonDict, JsonList, UtcDateTime
from impasto_server.db.watchdog import Watchdog, install_watchdog
from impasto_server.db.write_lock import WriteLock
from impasto_server.file_modes import make_private_file, make_private_folder, sqlite_file
from impasto_server.utils import finished, shielded

_CLOSE_TIMEOUT_SECONDS = 10
_CONNECT_SECONDS = 5
# PostgreSQL closes the connection of a machine that has vanished after a minute. Linux asks after two hours.
_KEEPALIVES = {
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "60s",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
R = TypeVar("R")


class Base(DeclarativeBase):
    """Base class of every table, with the naming convention of constraints and indexes."""

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
    """One engine with two kinds of session.

    `reading()` never blocks a writer. `writing()` commits at the end of its block and rolls back if the
    block raises. On SQLite it acquires the write lock when the transaction begins, so it cannot fail later
    because another transaction wrote first. With `is_durable=False` it does not wait until SQLite has
    synchronized its file: a power failure may undo it, unless a durable transaction was committed since.

    While PostgreSQL does not answer, all of them raise `ServiceUnavailable`. It ends transactions in which
    nothing happens for `idle_seconds`, if they are not 0, so that a process that hangs or has vanished does
    not keep its locks.
    """

    def __init__(self, url: str, *, pool_size: int = 20, idle_seconds: float = 0) -> None:
        self.url = url
        self.engine = _make_engine(url, pool_size, idle_seconds)
        self._watchdog = _watched(self.engine)
        writing = self.engine.execution_options(writes=True)
        relaxed = self.engine.execution_options(writes=True, is_durable=False)
        reading, single_write = self.engine, relaxed
        if self.engine.dialect.name != "sqlite":
            # Saves the round trips of BEGIN and ROLLBACK. At PostgreSQL's level READ COMMITTED the statements
            # of a transaction do not see the same moment either.
            reading = single_write = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._prepared = PreparedStatements(self.engine.dialect)
        info = self._prepared.info
        # Without autoflush no change of a row that was read is written.
        self._reading = async_sessionmaker(reading, autoflush=False, info=info)
        self._writing = async_sessionmaker(writing, expire_on_commit=False, info=info)
        self._relaxed = async_sessionmaker(relaxed, expire_on_commit=False, info=info)
        self._single, self._single_write = reading.sync_engine, single_write.sync_engine
        self._open: set[asyncio.Future[None]] = set()

    @property
    def connections_in_use(self) -> int:
        """The number of sessions that have a connection, or wait for one."""
        return len(self._open)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session that only reads."""
        async with self._closing(self._reading()) as session:
            yield session

    @shielded
    async def first(
        self, query: Select[*tuple[Any, ...]], values: Mapping[str, Any]
    ) -> tuple[Any, ...] | None:
        """Return the first row of a query of columns that is built once, in a transaction of its own.

        Takes a fourth of what a session takes.
        """
        rows = await self._alone(partial(self._rows, query, values))
        return rows[0] if rows else None

    @shielded
    async def all(
        self, query: Select[*tuple[Any, ...]], values: Mapping[str, Any]
    ) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query of columns, like `first`."""
        return await self._alone(partial(self._rows, query, values))

    def _rows(self, query: Select[*tuple[Any, ...]], values: Mapping[str, Any]) -> Sequence[tuple[Any, ...]]:
        if not self._single.dispatch.before_cursor_execute:  # listeners want to know of every statement
            try:
                return self._prepared_rows(query, values)
            except SQLAlchemyError:
                raise
            except Exception:  # noqa: BLE001, S110 - the driver's: SQLAlchemy knows what follows from it
                pass
        with self._single.connect() as connection:
            return [tuple(row) for row in connection.execute(query, values)]

    def _prepared_rows(
        self, query: Select[*tuple[Any, ...]], values: Mapping[str, Any]
    ) -> Sequence[tuple[Any, ...]]:
        with closing(self._single.raw_connection()) as connection:
            return self._prepared.rows(connection, query, values)

    @shielded
    async def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute a statement that writes, with the values of each row, in a transaction that is not durable.

        Like `first`, it takes less than a session.
        """
        await self._alone(partial(self._execute, statement, rows))

    def _execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        with self._single_write.begin() as connection:
            connection.execute(statement, rows)

    async def _alone(self, function: Callable[[], R]) -> R:
        self._check_answers()
        closed = asyncio.get_running_loop().create_future()
        self._open.add(closed)
        pool = self.engine.pool
        try:
            return await greenlet_spawn(function)
        finally:
            self._on_closed(closed)
            if pool is not self.engine.pool:  # see `_end`
                await greenlet_spawn(pool.dispose)

    @asynccontextmanager
    async def writing(self, *, is_durable: bool = True) -> AsyncIterator[AsyncSession]:
        """Open a session that is committed at the end of the block."""
        async with self._closing(self._writing() if is_durable else self._relaxed()) as session:
            yield session
            await session.commit()

    @asynccontextmanager
    async def _closing(self, session: AsyncSession) -> AsyncIterator[AsyncSession]:
        """Yield the session; on exit, close it shielded from cancellation."""
        self._check_answers()
        closed = asyncio.get_running_loop().create_future()
        self._open.add(closed)
        pool = self.engine.pool
        try:
            yield session
        finally:
            if session.in_transaction() or pool is not self.engine.pool:
                closing = asyncio.create_task(self._end(session, pool))
                closing.add_done_callback(lambda _: self._on_closed(closed))
                await finished(closing)
            else:  # committed, or not used: it has no connection
                session.sync_session.close()
                self._on_closed(closed)

    async def _end(self, session: AsyncSession, pool: Pool) -> None:
        await session.close()
        if pool is not self.engine.pool:  # `close` did not wait for this session, nor close its connection
            await greenlet_spawn(pool.dispose)

    def _check_answers(self) -> None:
        if self._watchdog is not None:
            self._watchdog.check()

    def _on_closed(self, closed: asyncio.Future[None]) -> None:
        self._open.discard(closed)
        closed.set_result(None)

    async def close(self) -> None:
        """Wait up to 10 seconds for open sessions, then close every connection.

        A session that is open longer closes its connection when it ends.
        """
        if self._open:
            await asyncio.wait(self._open, timeout=_CLOSE_TIMEOUT_SECONDS)
        if self._watchdog is not None:
            await self._watchdog.close()
        try:
            async with asyncio.timeout(None if self._watchdog is None else _CLOSE_TIMEOUT_SECONDS):
                await self.engine.dispose()
        except TimeoutError:  # the server does not confirm that it has closed them
            assert self._watchdog is not None
            self._watchdog.give_up()
            await self.engine.dispose()


async def advisory_lock(session: AsyncSession, name: str) -> None:
    """Lock `name` until the caller's writing transaction ends; other transactions wait for it.

    SQLite needs no lock here: it has one writing transaction at a time.
    """
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name}
        )


def create_sqlite_file(url: str) -> None:
    """Create the folder and the file of an SQLite database, private. Does nothing for other databases."""
    file = sqlite_file(url)
    if file is not None:
        make_private_folder(file.parent)
        make_private_file(file)


def _make_engine(url: str, pool_size: int, idle_seconds: float) -> AsyncEngine:
    if not make_url(url).drivername.startswith("sqlite"):
        return create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=pool_size,
            hide_parameters=True,
            connect_args={"timeout": _CONNECT_SECONDS, "server_settings": _server_settings(idle_seconds)},
        )
    create_sqlite_file(url)
    engine = create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=60,
        hide_parameters=True,
        connect_args={"async_creator_fn": connect_sqlite},
    )
    write_lock = WriteLock()
    write_lock.install(engine.sync_engine)
    event.listen(engine.sync_engine, "connect", _configure_sqlite)
    event.listen(engine.sync_engine, "begin", partial(_begin_sqlite, write_lock))
    return engine


def _server_settings(idle_seconds: float) -> dict[str, str]:
    """Return what PostgreSQL is asked to do about clients that hang or have vanished."""
    if not idle_seconds:
        return {}  # some poolers refuse connections with settings that they do not know
    return {"idle_in_transaction_session_timeout": f"{round(idle_seconds * 1000)}ms", **_KEEPALIVES}


def _watched(engine: AsyncEngine) -> Watchdog | None:
    if engine.dialect.name == "sqlite":
        return None
    watchdog = install_watchdog(engine)
    install_connection_check(engine.sync_engine)
    return watchdog


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the "begin" listener starts transactions, not the driver
    with closing(connection.cursor()) as cursor:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
            cursor.execute(f"PRAGMA {pragma}")
    connection.create_function(SQLITE_FUNCTION, 1, fold)


def _begin_sqlite(write_lock: WriteLock, connection: Connection) -> None:
    driver: SqliteConnection = connection.connection.driver_connection  # type: ignore[assignment]
    options = connection.get_execution_options()
    if not options.get("writes", False):
        driver.begin("BEGIN")
        return
    write_lock.acquire(connection)
    # FULL: a commit survives a power failure. It costs one fsync, which also covers earlier commits.
    synchronous = "FULL" if options.get("is_durable", True) else "NORMAL"
    # A deferred transaction that reads first and writes later fails if another one wrote in between.
    begin = f"PRAGMA synchronous={synchronous}", "BEGIN IMMEDIATE"
    driver.begin(*begin, on_end=partial(write_lock.release, connection.info))


async def get_session(connection: HTTPConnection) -> AsyncIterator[AsyncSession]:
    """Yield the session of a request: it only reads, or is committed before the response is sent."""
    database: Database = connection.app.state.app_state.database
    is_safe = connection.scope.get("method", "GET") in SAFE_METHODS
    async with database.reading() if is_safe else database.writing() as session:
        yield session


SessionDep = Annotated[AsyncSession, Depends(get_session, scope="function")]
