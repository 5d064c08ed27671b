"""Rows as lines of JSON, and back, for each type of column."""

import io
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Column,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    String,
    Table,
    insert,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from impasto_server.backups import rows
from impasto_server.backups.errors import ArchiveInvalid

pytestmark = pytest.mark.anyio
PAINTS = Table(
    "paints",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", String),
    Column("data", LargeBinary),
    Column("made_at", DateTime),
    Column("day", Date),
    Column("usd", Numeric(12, 4)),
    Column("settings", JSON),
)
COLUMNS = list(PAINTS.columns.keys())
MADE_AT = datetime(2026, 11, 22, 3, 26, 1, 5, tzinfo=UTC).replace(tzinfo=None)
VALUES = {
    "id": 1, "name": "Ö “x”", "data": b"\0\xff", "made_at": MADE_AT,
    "day": date(2026, 11, 22), "usd": Decimal("0.1250"), "settings": {"a": [1]},
}  # fmt: skip
LINE = '[1,"Ö “x”","AP8=","2026-11-22T03:26:01.000005+00:00","2026-11-22","0.1250",{"a":[1]}]\n'.encode()


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'paints.db'}")
    async with engine.connect() as opened:
        await opened.run_sync(PAINTS.metadata.create_all)
        yield opened
    await engine.dispose()


async def all_rows(connection: AsyncConnection) -> list[dict[str, Any]]:
    found = await connection.execute(select(PAINTS).order_by(PAINTS.c.id))
    return [dict(row) for row in found.mappings()]


async def load(connection: AsyncConnection, content: bytes, columns: list[str] = COLUMNS) -> int:
    return await rows.load(connection, PAINTS, columns, io.BytesIO(content))


async def test_row_is_a_line_of_json_with_texts_for_other_types(connection: AsyncConnection) -> None:
    for values in ({"id": 2}, VALUES):
        await connection.execute(insert(PAINTS), values)
    assert [each async for each in rows.dump(connection, PAINTS)] == [
        (LINE + b"[2,null,null,null,null,null,null]\n", 2)
    ]


async def test_lines_become_the_same_rows(connection: AsyncConnection) -> None:
    assert await load(connection, LINE + b"[2,null,null,null,null,null,null]\n") == 2
    assert await all_rows(connection) == [VALUES, {**dict.fromkeys(COLUMNS), "id": 2}]


async def test_columns_may_be_fewer_or_in_another_order(connection: AsyncConnection) -> None:
    assert await load(connection, b'["red",7]\n', ["name", "id"]) == 1
    assert await all_rows(connection) == [{**dict.fromkeys(COLUMNS), "id": 7, "name": "red"}]


async def test_times_are_kept_in_utc(connection: AsyncConnection) -> None:
    at = datetime(2026, 11, 22, 5, tzinfo=timezone(timedelta(hours=2)))
    await load(connection, f'[1,"{at.isoformat()}"]\n'.encode(), ["id", "made_at"])
    (row,) = await all_rows(connection)
    assert row["made_at"] == at.astimezone(UTC).replace(tzinfo=None)


async def test_many_rows_are_written_and_read_in_pieces(connection: AsyncConnection) -> None:
    name = "x" * 9000
    lines = b"".join(f'[{number},"{name}"]\n'.encode() for number in range(1001))
    assert await load(connection, lines, ["id", "name"]) == 1001
    found = [each async for each in rows.dump(connection, PAINTS)]
    assert [count for _, count in found] == [465, 465, 71]
    assert all(len(piece) >= 4 * 2**20 for piece, _ in found[:-1])
    assert b"".join(piece for piece, _ in found).count(b"\n") == 1001


async def test_table_without_rows_has_no_piece(connection: AsyncConnection) -> None:
    assert [each async for each in rows.dump(connection, PAINTS)] == []
    assert await load(connection, b"") == 0


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"words\n", ["id"]),
        (b"7\n", ["id"]),
        (b"[1,2]\n", ["id"]),
        (b"[1]\n", ["id", "name"]),
        (b"[1]\n", ["none"]),
        (b'[1,"yesterday"]\n', ["id", "made_at"]),
        (b'[1,"x"]\n', ["id", "data"]),
        (b"[1,7]\n", ["id", "day"]),
        (b"[1]\n[1]\n", ["id"]),
    ],
)
async def test_lines_that_do_not_fit_the_table_are_refused(
    connection: AsyncConnection, content: bytes, columns: list[str]
) -> None:
    with pytest.raises(ArchiveInvalid, match="rows of 'paints' do not fit"):
        await load(connection, content, columns)


async def test_tables_are_listed_after_those_they_refer_to(connection: AsyncConnection) -> None:
    for statement in (
        "CREATE TABLE alembic_version (version_num TEXT)",
        "CREATE TABLE run_workers (id TEXT)",
        "CREATE TABLE a_child (id TEXT PRIMARY KEY, of_id TEXT REFERENCES z_parent (id))",
        "CREATE TABLE z_parent (id TEXT PRIMARY KEY)",
        "CREATE VIRTUAL TABLE texts USING fts5 (body)",
        "CREATE TABLE textures (id TEXT)",
    ):
        await connection.execute(text(statement))
    found = [table.name for table in await rows.read_tables(connection)]
    assert set(found) == {"paints", "a_child", "z_parent", "textures"}
    assert found.index("z_parent") < found.index("a_child")


async def test_tables_without_rows_are_not_counted(connection: AsyncConnection) -> None:
    tables = await rows.read_tables(connection)
    assert await rows.count_rows(connection, tables) == {}
    await connection.execute(insert(PAINTS), [{"id": 1}, {"id": 2}])
    assert await rows.count_rows(connection, tables) == {"paints": 2}


async def test_missing_json_is_restored_as_null(connection: AsyncConnection) -> None:
    (table,) = await rows.read_tables(connection)
    await rows.load(connection, table, ["id", "settings"], io.BytesIO(b"[1,null]\n"))
    assert await connection.scalar(text("SELECT settings IS NULL FROM paints")) == 1
