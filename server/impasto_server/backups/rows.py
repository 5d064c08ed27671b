"""Rows of any table as lines of JSON, for SQLite and PostgreSQL alike.

Tables are described by the database itself, not by today's models, so that a backup of an older version is
read into the tables of that version, which migrations then bring up to date.
"""

import base64
import json
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import IO, Any

from sqlalchemy import JSON, Connection, LargeBinary, MetaData, Table, event, insert, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import DBAPIError, SAWarning
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import Date, DateTime, Numeric

from impasto_server.backups.errors import ArchiveInvalid
from impasto_server.outages import is_outage

# What describes processes of the installation and not its data.
_LEFT_OUT = frozenset({"alembic_version", "run_workers"})
_CHUNK_BYTES = 4 * 2**20
_CHUNK_ROWS = 500
_UNFIT = "The backup was changed: rows of '{}' do not fit the table."


async def read_tables(connection: AsyncConnection) -> list[Table]:
    """Return the tables to back up, each after those that it refers to."""
    return await connection.run_sync(_reflect)


def _reflect(connection: Connection) -> list[Table]:
    metadata = MetaData()
    event.listen(metadata, "column_reflect", _use_sql_null)
    left_out = _LEFT_OUT | _derived_tables(connection)
    with warnings.catch_warnings():
        # Of indexes of expressions in SQLite: a backup has rows alone.
        warnings.filterwarnings("ignore", "Skipped unsupported reflection", SAWarning)
        metadata.reflect(connection, only=lambda name, _: name not in left_out)
    return metadata.sorted_tables


def _use_sql_null(_inspector: object, _table: object, column: dict[str, Any]) -> None:
    """Write None as NULL and not as the JSON value null, as the models do."""
    if isinstance(column["type"], JSON):
        kind = JSONB if isinstance(column["type"], JSONB) else JSON
        column["type"] = kind(none_as_null=True)


def _derived_tables(connection: Connection) -> frozenset[str]:
    """Return the virtual tables of SQLite and their shadow tables: indexes of other tables' content."""
    if connection.dialect.name != "sqlite":
        return frozenset()
    rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'table'")).all()
    virtual = [name for name, sql in rows if str(sql).upper().startswith("CREATE VIRTUAL")]
    return frozenset(name for name, _ in rows for one in virtual if name == one or name.startswith(f"{one}_"))


async def dump(connection: AsyncConnection, table: Table) -> AsyncIterator[tuple[bytes, int]]:
    """Yield the rows of a table as lines of JSON, in pieces of about 4 MiB with their number of rows."""
    encoders = [_encoder(column.type) for column in table.columns]
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=_CHUNK_ROWS)
    lines, size = [], 0
    async for row in await connection.stream(query):
        values = [
            None if value is None else encode(value) for encode, value in zip(encoders, row, strict=True)
        ]
        line = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        lines.append(line)
        size += len(line)
        if size >= _CHUNK_BYTES:
            yield b"".join(lines), len(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines), len(lines)


async def load(connection: AsyncConnection, table: Table, columns: Sequence[str], file: IO[bytes]) -> int:
    """Insert rows from lines of JSON with the values of these columns; return how many.

    Raises `ArchiveInvalid` if the lines do not fit the table.
    """
    count = 0
    is_sqlite = connection.dialect.name == "sqlite"
    for rows in _batches(table, columns, file, is_sqlite):
        try:
            await connection.execute(insert(table), rows)
        except DBAPIError as error:
            if is_outage(error):
                raise
            raise ArchiveInvalid(_UNFIT.format(table.name)) from error
        count += len(rows)
    return count


def _batches(
    table: Table, columns: Sequence[str], file: IO[bytes], is_sqlite: bool
) -> Iterator[list[Mapping[str, Any]]]:
    try:
        decoders = [_decoder(table.columns[name].type, is_sqlite) for name in columns]
        rows: list[Mapping[str, Any]] = []
        for line in file:
            values = zip(decoders, json.loads(line), strict=True)
            decoded = [None if value is None else decode(value) for decode, value in values]
            rows.append(dict(zip(columns, decoded, strict=True)))
            if len(rows) == _CHUNK_ROWS:
                yield rows
                rows = []
    except (ValueError, KeyError, TypeError) as error:
        raise ArchiveInvalid(_UNFIT.format(table.name)) from error
    if rows:
        yield rows


async def count_rows(connection: AsyncConnection, tables: Sequence[Table]) -> dict[str, int]:
    """Return the numbers of rows of the tables that have any."""
    counts = {}
    for table in tables:
        query = text(f'SELECT count(*) FROM "{table.name}"')  # noqa: S608 - the name is the database's own
        counts[table.name] = int(await connection.scalar(query) or 0)
    return {name: count for name, count in counts.items() if count}


def _encoder(kind: Any) -> Callable[[Any], Any]:
    if isinstance(kind, LargeBinary):
        return _to_base64
    if isinstance(kind, DateTime):
        return _to_iso
    if isinstance(kind, Date):
        return date.isoformat
    if isinstance(kind, Numeric):
        return str
    return _same


def _decoder(kind: Any, is_sqlite: bool) -> Callable[[Any], Any]:
    if isinstance(kind, LargeBinary):
        return base64.b64decode
    if isinstance(kind, DateTime):
        return _naive if is_sqlite else datetime.fromisoformat
    if isinstance(kind, Date):
        return date.fromisoformat
    if isinstance(kind, Numeric):
        return Decimal if kind.asdecimal else float
    return _same


def _to_base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _to_iso(value: datetime) -> str:
    return (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)).isoformat()


def _naive(value: str) -> datetime:
    return datetime.fromisoformat(value).astimezone(UTC).replace(tzinfo=None)


def _same(value: Any) -> Any:
    return value
