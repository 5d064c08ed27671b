"""Queries that are built once, executed without what SQLAlchemy does for each execution.

Of a short query, SQLAlchemy's own connection, transaction, result and search of its compiled statements take
several times what the driver takes. Its pool, its SQL and its types are used here too.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Dialect, PoolProxiedConnection, Select
from sqlalchemy.util import await_only

from impasto_server.db.sqlite import SqliteConnection

Process = Callable[[Any], Any]
Values = Mapping[str, Any]


class PreparedQuery:
    """A query of columns as SQL of a dialect.

    `values` are those of an execution: the other ones must name the same parameters. A parameter is one
    value, and not a list of them.
    """

    def __init__(self, query: Select[*tuple[Any, ...]], dialect: Dialect, values: Values) -> None:
        state = query.compile(dialect=dialect).construct_expanded_state(dict(values))
        self._sql = state.statement
        self._constants: list[Any] = []
        self._parameters: list[tuple[int, str, Process | None]] = []
        for place, name in enumerate(state.positiontup or ()):
            process: Any = state.processors.get(name)
            if name in values:
                self._parameters.append((place, name, process))
                self._constants.append(None)
            else:
                value = state.parameters[name]
                self._constants.append(value if process is None else process(value))
        types = [column.type.dialect_impl(dialect) for column in query.selected_columns]
        processes = [each.result_processor(dialect, None) for each in types]
        self._processes = processes if any(processes) else None

    def rows(self, connection: PoolProxiedConnection, values: Values) -> list[tuple[Any, ...]]:
        """Return the rows of the query in a transaction of its own. Raises the driver's own errors.

        To be called in a greenlet of SQLAlchemy.
        """
        arguments = self._constants.copy()
        for place, name, process in self._parameters:
            value = values[name]
            arguments[place] = value if process is None else process(value)
        driver: Any = connection.driver_connection
        is_sqlite = isinstance(driver, SqliteConnection)
        reading = driver.read(self._sql, arguments) if is_sqlite else driver.fetch(self._sql, *arguments)
        rows = await_only(reading)
        if self._processes is None:
            return [tuple(row) for row in rows]
        return [
            tuple(
                value if process is None else process(value)
                for value, process in zip(row, self._processes, strict=True)
            )
            for row in rows
        ]
