"""Writes rows to every table as the database describes it, without the models."""

import itertools
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, Table, insert, select, update
from sqlalchemy.types import Boolean, Date, DateTime, Float, Integer, LargeBinary, Numeric

from impasto_server.db.engine import Database

NUMBERS = itertools.count(1)


class TableWriter:
    """Reads and writes every table with the columns that it has when it is described."""

    def __init__(self, database: Database, tables: list[Table]) -> None:
        self._database = database
        self._tables = tables
        self.rounds = 0

    async def write(self) -> None:
        """Write a row to each table, change it, and read it, in one transaction."""
        number = next(NUMBERS)
        rows: dict[str, dict[str, Any]] = {}
        async with self._database.writing() as session:
            for table in self._tables:
                row = {column.name: value for column, value in self._values(table, rows, number)}
                rows[table.name] = row
                await session.execute(insert(table).values(row))
                own = [column == row[column.name] for column in table.primary_key]
                if table.name != "audit_log":  # nothing changes an entry
                    await session.execute(update(table).where(*own).values(row))
                assert (await session.execute(select(table).where(*own))).one()
        self.rounds += 1

    def _values(
        self, table: Table, rows: dict[str, dict[str, Any]], number: int
    ) -> Iterator[tuple[Column[Any], Any]]:
        for column in table.columns:
            if column.foreign_keys:
                parent = next(iter(column.foreign_keys)).column
                yield column, rows.get(parent.table.name, {}).get(parent.name)
            elif column.server_default is None or column.primary_key:
                yield column, value_of(column, number)


def value_of(column: Column[Any], number: int) -> Any:
    """Return a value that fits the column and differs from row to row."""
    kind = column.type
    if isinstance(kind, DateTime):
        return datetime(2026, 1, 1, tzinfo=UTC if kind.timezone else None)
    if isinstance(kind, Date):
        return date(2026, 1, 1) + timedelta(days=number)
    if isinstance(kind, JSON):
        return {}
    for known, value in (
        (Boolean, False),
        (LargeBinary, b"x"),
        (Float, float(number)),
        (Numeric, Decimal(number)),
        (Integer, number % 30_000),
    ):
        if isinstance(kind, known):
            return value
    return f"{number}{column.name}"[: getattr(kind, "length", None) or 200]
