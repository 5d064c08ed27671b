"""Rows and tables of former versions, brought up to date by the migrations and back."""

import asyncio
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from impasto_server.assets.models import AssetRow
from impasto_server.assets.repository import TEXT_INDEX as ASSETS
from impasto_server.db import text_search
from impasto_server.db.engine import Database
from impasto_server.db.folding import folded_on_postgresql
from impasto_server.db.migrations.runner import configuration, migrate
from impasto_server.db.substring_search import SubstringIndex
from impasto_server.runs.models import RunRow
from impasto_server.runs.repository import TEXT_INDEX as RUNS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index"),
]
_AT = "'2026-01-01 00:00:00'"
_RUN = (
    "INSERT INTO runs (id, owner_id, number, flow_name, document, subflows, inputs, fresh, reuse, status,"
    " estimate, cost_usd, last_seq, cancel_requested, attempt, fence, created_at, batch_id, launch_key)"
    " VALUES ('{}', 'u1', 1, 'Sample', '{{}}', '{{}}', '{{}}', '[]', 'pure', '{}', '{{}}', 0, 1, false, 0, 1,"
    f" {_AT}, {{}}, {{}})"
)
_ASSET = (
    "INSERT INTO assets (id, owner_id, kind, media_type, name, bytes, sha256, object_key, source,"
    " input_asset_ids, created_at) VALUES ('{}', 'u1', 'image', 'image/png', '{}', 1, 'x', 'x', 'upload',"
    f" '[]', {_AT})"
)
_LISTING = (
    "INSERT INTO run_listings (run_id, owner_id, title, excerpt, asset_ids, assets, words, in_library)"
    " VALUES ('{}', 'u1', '', '', '[]', 0, '{}', true)"
)
# The words of a run's listing before they were split into terms, and as they are now.
_WORDS = {
    "t01": ("!?", ""),
    "t02": ("a1 B-2_c one ONE", " a1 b 2 c one "),
    "t03": ("x" * 61, f" {'x' * 60} "),
    "t04": ("é" * 61, f" {'é' * 60} "),
    "t05": ("Größe ﬁ", " grösse fi "),
    "t06": ("夏のx旅", " 夏の の x 旅 "),
    "t07": ("a☕b ☕\ufe0f é+", " a u2615 b é "),
    "t08": ("नमस्ते a\ufe00b\ufe0fc", " नमस्ते a b c "),
}
# What each version has written, by the newest migration that it knew.
_ROWS = {
    "0001": [
        "INSERT INTO users (id, username, username_key, betas, created_at)"
        f" VALUES ('u1', 'mara', 'mara', '[]', {_AT})",
        "INSERT INTO codes (user_id, purpose, hash, expires_at, tries_left, auto_sign_in)"
        f" VALUES ('u1', 'confirm', 'h', {_AT}, 3, true)",
        f"INSERT INTO batches (id, owner_id, flow_name, created_at) VALUES ('b1', 'u1', 'Sample', {_AT})",
        *(_RUN.format(*each) for each in (
            ("r1", "queued", "'b1'", "'key'"), ("r2", "finished", "'b1'", "NULL"),
            ("r3", "queued", "NULL", "NULL"), ("r4", "running", "'b1'", "NULL"),
        )),
        _ASSET.format("a1", "Blue JUG.png"),
        _ASSET.format("a2", "Vase.png"),
        "INSERT INTO flows (id, owner_id, name, description, category, visibility, status, beta, kinds,"
        " draft, revision, created_at, updated_at) VALUES"
        " ('f1', 'u1', 'Sämple', '', 'ads', 'public', 'draft', false, '[]',"
        f" '{{\"ä\": 1}}', 3, {_AT}, {_AT}),"
        f" ('f2', 'u1', 'Poster', 'amps', 'ads', 'private', 'draft', false, '[]', '{{}}', 3, {_AT}, {_AT})",
        "INSERT INTO flow_versions (id, flow_id, number, revision, note, kept, document, created_at) VALUES"
        f" ('v1', 'f1', 1, 1, '', false, '{{\"b\": 22}}', {_AT}),"
        f" ('v2', 'f1', NULL, 2, '', false, '{{\"c\": 4444}}', {_AT}),"
        f" ('w1', 'f2', 1, 1, '', false, '{{}}', {_AT})",
    ],
    "0019": [
        "UPDATE flow_versions SET subflows = '{\"s\": 333}' WHERE id = 'v1'",
        "INSERT INTO brands (id, owner_id, draft, revision, created_at, updated_at)"
        f" VALUES ('b1', 'u1', '{{\"d\": 5}}', 1, {_AT}, {_AT})",
        "INSERT INTO brand_versions (id, brand_id, number, note, summary, content, created_at)"
        f" VALUES ('w1', 'b1', 1, '', '', '{{\"e\": 66}}', {_AT})",
    ],
    "0027": [
        *(_RUN.format(each, "finished", "NULL", "NULL") for each in _WORDS),
        *(_LISTING.format(each, words) for each, (words, _) in _WORDS.items()),
        _ASSET.format("a3", "Post.txt"),
        "INSERT INTO asset_texts (asset_id, content) VALUES ('a3', 'Porto')",
    ],
}  # fmt: skip


async def test_rows_of_former_versions_are_brought_up_to_date_and_back(
    no_tables: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, engine = configuration(no_tables), create_async_engine(no_tables)
    await asyncio.to_thread(command.upgrade, config, "0001")
    first = await _tables(engine)
    for revision, statements in _ROWS.items():
        await asyncio.to_thread(command.upgrade, config, revision)
        async with engine.begin() as connection:
            for statement in statements:
                await connection.execute(text(statement.replace(":", "\\:")))
    if no_tables.startswith("sqlite"):  # an index of texts that were folded in another way
        await asyncio.to_thread(command.upgrade, config, "0039")
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE flows_search SET folded = 'another text'"))
    await migrate(no_tables)
    newest = await _tables(engine)
    database = Database(no_tables)
    async with database.reading() as session:
        await _check(session, monkeypatch)
    await database.close()

    await asyncio.to_thread(command.downgrade, config, "0001")
    assert await _tables(engine) == first
    async with engine.connect() as connection:
        runs = await connection.execute(text("SELECT id FROM runs ORDER BY id"))
        assert list(runs.scalars()) == ["r1", "r2", "r3", "r4", *_WORDS]
        assets = await connection.execute(text("SELECT id FROM assets ORDER BY id"))
        assert list(assets.scalars()) == ["a1", "a2"], "a text has no content without its table"
    await migrate(no_tables)
    assert await _tables(engine) == newest
    await asyncio.to_thread(command.downgrade, config, "base")
    assert (await _tables(engine)).keys() == {"alembic_version"}
    await engine.dispose()


async def _check(session: AsyncSession, monkeypatch: pytest.MonkeyPatch) -> None:
    async def rows(query: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in await session.execute(text(query))]

    columns = "user_id, purpose, requester, hash, tries_left, is_link, auto_sign_in"
    assert await rows(f"SELECT {columns} FROM email_codes") == [("u1", "confirm", "", "h", 3, False, True)]
    assert await rows("SELECT id, priority, launch_key FROM runs WHERE id < 's' ORDER BY id") == [
        ("r1", 1, None), ("r2", 0, None), ("r3", 0, None), ("r4", 1, None),
    ]  # fmt: skip
    assert await rows("SELECT id, public, bytes FROM flow_versions ORDER BY id") == [
        ("v1", True, len('{"b": 22}{"s": 333}')), ("v2", False, len('{"c": 4444}')), ("w1", False, 2),
    ]  # fmt: skip
    sizes = len('{"ä": 1}'.encode()) + len('{"b": 22}{"s": 333}{"c": 4444}')
    assert await rows("SELECT id, stored_bytes FROM flows ORDER BY id") == [("f1", sizes), ("f2", 2 + 2)]
    assert await rows("SELECT bytes FROM brand_versions") == [(len('{"e": 66}'),)]
    assert await rows("SELECT stored_bytes FROM brands") == [(len('{"d": 5}{"e": 66}'),)]
    assert await rows("SELECT run_id, words FROM run_listings ORDER BY run_id") == [
        (each, terms) for each, (_, terms) in _WORDS.items()
    ]

    (matching,) = await ASSETS.conditions(session, "u1", "jug")
    assert list(await session.scalars(select(AssetRow.id).where(matching))) == ["a1"]
    (matching,) = await RUNS.conditions(session, "u1", "grösse")
    assert list(await session.scalars(select(RunRow.id).where(matching))) == ["t05"]
    monkeypatch.setattr(text_search, "_MAX_MATCHES", 0)  # all rows are compared
    for words, found in (
        ("b", ["t02", "t07", "t08"]),
        ("b one", ["t02"]),
        ("gröss", ["t05"]),
        ("gröss fi", []),
    ):
        conditions = await RUNS.conditions(session, "u1", words)
        query = select(RunRow.id).where(*conditions).order_by(RunRow.id)
        assert list(await session.scalars(query)) == found, words
    agents = SubstringIndex("flows", folded_on_postgresql("name", "description"))
    assert await agents.candidates(session, "sam") == ["f1"]
    assert await agents.candidates(session, "AMP") == ["f1", "f2"]


async def _tables(engine: AsyncEngine) -> dict[str, list[str]]:
    """Return the columns, keys and indexes of each table."""

    def described(connection: Connection) -> dict[str, list[str]]:
        inspector = inspect(connection)
        found: dict[str, list[str]] = {name: [] for name in inspector.get_table_names()}
        for part in (
            inspector.get_multi_columns(),
            inspector.get_multi_pk_constraint(),
            inspector.get_multi_foreign_keys(),
            inspector.get_multi_unique_constraints(),
            inspector.get_multi_indexes(),
        ):
            for (_, name), each in part.items():
                found[name] += sorted(map(_plain, each if isinstance(each, list) else [each]))
        return found

    async with engine.connect() as connection:
        return await connection.run_sync(described)


def _plain(value: Any) -> str:
    """Return a description as text: types and conditions have no equality."""
    return str({key: _plain(each) for key, each in value.items()} if isinstance(value, dict) else value)
