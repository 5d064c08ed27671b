"""Statements that are built once, executed without what SQLAlchemy does for each execution.

Of a short statement, the session and SQLAlchemy's search of its compiled statements, its parameters and its
result take several times what the driver takes. Its pool, its SQL and its types are used here too.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, PoolProxiedConnection, Select, Update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.util import await_only, greenlet_spawn

from impasto_server.db.sqlite import SqliteConnection

Process = Callable[[Any], Any]
Row = tuple[Any, ...]
Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete
Values = Mapping[str, Any]
Query = tuple[Statement, Values]
_INFO = "prepared statements"
_CONNECTION = "connection"


class PreparedStatement:
    """A statement of columns as SQL of a dialect.

    `values` are those of an execution: the other ones must name the same parameters. A parameter is one
    value, and not a list of them. Raises TypeError for an insert that leaves a default to SQLAlchemy.
    """

    def __init__(self, statement: Statement, dialect: Dialect, values: Values) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=list(values))
        state = compiled.construct_expanded_state(dict(values))
        if not isinstance(statement, Select) and (compiled.insert_prefetch or compiled.update_prefetch):
            raise TypeError(f"a column of this statement has a default and no value: {state.statement}")
        # The state's own are those of lists only.
        processors = {**compiled._bind_processors, **state.processors}
        self.sql: str = state.statement
        self._constants: list[Any] = []
        self._parameters: list[tuple[int, str, Process | None]] = []
        for place, name in enumerate(state.positiontup or ()):
            process: Any = processors.get(name)
            if name in values:
                self._parameters.append((place, name, process))
                self._constants.append(None)
            else:
                value = state.parameters[name]
                self._constants.append(value if process is None else process(value))
        self._types = [column.type.dialect_impl(dialect) for column in statement.exported_columns]
        self._dialect = dialect
        self._processes: Sequence[Process | None] | None = None

    def arguments(self, values: Values) -> Row:
        """Return the arguments of an execution, as the driver takes them."""
        arguments = self._constants.copy()
        for place, name, process in self._parameters:
            value = values[name]
            arguments[place] = value if process is None else process(value)
        return tuple(arguments)

    def converted(
        self, rows: Sequence[Sequence[Any]], description: Sequence[Sequence[Any]] | None = None
    ) -> list[Row]:
        """Return rows of the driver with the values of the columns' types.

        `description` is the cursor's: a number in PostgreSQL is converted by its own type.
        """
        if self._processes is None:
            found = [one[1] for one in description] if description else [None] * len(self._types)
            self._processes = [
                each.result_processor(self._dialect, kind)
                for each, kind in zip(self._types, found, strict=True)
            ]
        if not any(self._processes):
            return [tuple(row) for row in rows]
        return [
            tuple(
                value if process is None else process(value)
                for value, process in zip(row, self._processes, strict=True)
            )
            for row in rows
        ]


class PreparedStatements:
    """The prepared statements of a database."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._found: dict[Statement, PreparedStatement] = {}

    @property
    def info(self) -> dict[str, Any]:
        """What a session needs to know for `rows` and `write`: its `info`."""
        return {_INFO: self}

    def get(self, statement: Statement, values: Values) -> PreparedStatement:
        """Return a statement that is built once, and kept for the life of the process."""
        found = self._found.get(statement)
        if found is None:
            found = self._found[statement] = PreparedStatement(statement, self._dialect, values)
        return found

    def rows(
        self, connection: PoolProxiedConnection, query: Select[*tuple[Any, ...]], values: Values
    ) -> list[Row]:
        """Return the rows of a query in a transaction of its own. Raises the driver's own errors.

        To be called in a greenlet of SQLAlchemy.
        """
        prepared = self.get(query, values)
        arguments, driver = prepared.arguments(values), connection.driver_connection
        if isinstance(driver, SqliteConnection):
            reading = driver.read(prepared.sql, arguments)
        else:
            reading = driver.fetch(prepared.sql, *arguments)  # type: ignore[union-attr]
        return prepared.converted(await_only(reading))


async def rows(session: AsyncSession, statement: Statement, values: Values) -> list[Row]:
    """Return the rows of a statement that is built once, in the session's transaction.

    The session is not flushed before. Raises what `session.execute` does.
    """
    return (await rows_of(session, (statement, values)))[0]


async def rows_of(session: AsyncSession, *queries: Query) -> list[list[Row]]:
    """Return the rows of several statements, executed in their order; otherwise like `rows`.

    On SQLite they are one call of the connection's thread.
    """
    statements: PreparedStatements = session.info[_INFO]
    prepared = [(statements.get(statement, values), values) for statement, values in queries]
    return await greenlet_spawn(lambda: _fetch(_connection(session), prepared))


async def write(session: AsyncSession, statement: Statement, values: Values) -> int:
    """Execute a statement that is built once, in the session's transaction; return how many rows it changed.

    The session is not flushed before. Raises what `session.execute` does.
    """
    prepared: PreparedStatement = session.info[_INFO].get(statement, values)
    arguments = prepared.arguments(values)
    return await greenlet_spawn(
        lambda: _connection(session).exec_driver_sql(prepared.sql, arguments).rowcount
    )


async def write_later(session: AsyncSession, statement: Statement, *values: Values) -> None:
    """Execute a statement that is built once with each of these values, in the session's transaction.

    On SQLite together with the transaction's next statement or its commit, which then raises the errors of
    this one, too. The session is not flushed before.
    """
    prepared: PreparedStatement = session.info[_INFO].get(statement, values[0])
    arguments = [prepared.arguments(each) for each in values]

    def execute(connection: Connection) -> None:
        driver = _unwatched_sqlite(connection)
        if driver is not None:
            driver.execute_later(prepared.sql, arguments)
        else:
            connection.exec_driver_sql(prepared.sql, arguments)

    known = _known_connection(session)
    if known is not None and _unwatched_sqlite(known) is not None:
        execute(known)  # waits for nothing, so it needs no greenlet
    else:
        await greenlet_spawn(lambda: execute(_connection(session)))


def _fetch(connection: Connection, queries: Sequence[tuple[PreparedStatement, Values]]) -> list[list[Row]]:
    driver = _unwatched_sqlite(connection)
    if driver is None:
        return [_fetch_one(connection, prepared, values) for prepared, values in queries]
    statements = [(prepared.sql, prepared.arguments(values)) for prepared, values in queries]
    try:
        found = await_only(driver.rows_of(statements))
    except sqlite3.Error as error:
        sql = "; ".join(sql for sql, _ in statements)
        base = connection.dialect.loaded_dbapi.Error
        raise DBAPIError.instance(sql, None, error, base) from error
    return [prepared.converted(rows) for (prepared, _), rows in zip(queries, found, strict=True)]


def _fetch_one(connection: Connection, prepared: PreparedStatement, values: Values) -> list[Row]:
    result = connection.exec_driver_sql(prepared.sql, prepared.arguments(values))
    description = result.cursor.description if result.cursor else None
    return prepared.converted(result.all(), description)


def _unwatched_sqlite(connection: Connection) -> SqliteConnection | None:
    """Return the driver's connection if it is SQLite's and no listener wants to know of every statement."""
    driver = connection.connection.driver_connection
    is_watched = bool(connection.dispatch.before_cursor_execute)
    return driver if isinstance(driver, SqliteConnection) and not is_watched else None


def _connection(session: AsyncSession) -> Connection:
    """Return the connection of the session's transaction. To be called in a greenlet of SQLAlchemy."""
    known = _known_connection(session)
    if known is None:
        known = session.sync_session.connection()
        session.info[_CONNECTION] = session.sync_session.get_transaction(), known
    return known


def _known_connection(session: AsyncSession) -> Connection | None:
    """Return the same if it was asked for in this transaction: a session takes long to find it."""
    transaction, connection = session.info.get(_CONNECTION, (None, None))
    return connection if transaction is session.sync_session.get_transaction() else None
