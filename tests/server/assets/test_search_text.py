"""The migrations fill the search text of existing assets."""

import asyncio
from typing import Any

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from impasto_server.assets.models import MAX_SEARCHED_CHARS, AssetRow, search_text
from impasto_server.db.migrations.runner import configuration, migrate

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(no_tables: str) -> str:
    return no_tables


async def test_existing_assets_get_search_text(url: str) -> None:
    await asyncio.to_thread(command.upgrade, configuration(url), "0003")
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text(_PERSON))
        await connection.execute(text(_ASSET), [_asset(number) for number in range(1203)])
    await migrate(url)
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT words FROM assets ORDER BY id"))).scalars().all()
    await engine.dispose()
    assert found == [f" été {number} png jugs a blue jug image " for number in range(1203)]


def test_only_the_start_of_a_long_prompt_is_searched() -> None:
    prompt = " ".join(str(number) for number in range(MAX_SEARCHED_CHARS))
    words = search_text("jug.png", None, prompt, "image/png")
    assert " 0 1 2 " in words
    assert " png " in words
    assert len(words) < MAX_SEARCHED_CHARS + 50
    exactly = "ab " * 2666 + "c d"  # 8,000 characters up to the space
    found = search_text("jug.png", "Jugs", exactly, "image/png", None, "tag")
    assert found == " jug png jugs ab c image tag "


def test_words_of_an_asset_are_those_of_its_fields_and_its_text() -> None:
    row = AssetRow(name="n", flow_name="Jugs", prompt="p", media_type="t/x", brief="e", tags=["u", "v"])
    row.set_words("ab c")
    assert row.words == " n jugs p t x e u v ab c "
    row.brief = row.tags = row.prompt = row.flow_name = None
    row.set_words()
    assert row.words == " n t x "


def _asset(number: int) -> dict[str, Any]:
    return {"id": f"{number:08}", "name": f"ÉTÉ {number}.png"}


_PERSON = """
INSERT INTO users (id, username, username_key, created_at, betas)
VALUES ('mara', 'mara', 'mara', '2026-11-21 00:00:00', '[]')
"""
_ASSET = """
INSERT INTO assets (id, owner_id, kind, media_type, name, bytes, sha256, object_key, source, flow_name,
    prompt, input_asset_ids, created_at)
VALUES (:id, 'mara', 'image', 'image/png', :name, 1, 'x', 'x', 'run', 'Jugs',
    'A blue JUG', '[]', '2026-11-21 00:00:00')
"""
