"""Texts that an older version wrote into the library twice are merged."""

import asyncio
from typing import Any

import pytest
from alembic import command
from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import create_async_engine
from tests.server.responses import expect
from tests.server.sample_nodes import ask, chain, flow

from impasto import Catalog
from impasto_server.assets.models import AssetRow
from impasto_server.db.migrations.runner import configuration, migrate
from impasto_server.runs.library import listings
from impasto_server.runs.library.backfill import backfill_library
from impasto_server.runs.models import RunListingRow, RunRow

pytestmark = pytest.mark.anyio

TWO_TEXTS = flow("ask", "shout", "spell", edges=["ask.output -> shout.text", "ask.output -> spell.text"])


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def texts(person: Any, **query: Any) -> list[dict[str, Any]]:
    response = await person.client.get("/assets/library", params={"kind": "text", **query})
    expect(response, 200)
    items: list[dict[str, Any]] = response.json()["items"]
    return sorted(items, key=lambda item: item["number"])


@pytest.fixture
async def old_run(person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any) -> Any:
    """A run whose post an older version put into the library twice: as plain text and as data."""
    made = await make_flow(person, chain("compose"), name="Tiles")
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "Porto"}))
    async with app_state.database.writing() as session:
        planned = await session.scalar(select(RunRow.planned_results).where(RunRow.id == run["id"]))
        before = [
            {key: value for key, value in item.items() if key not in ("meaning", "text_of")}
            for item in planned
        ]
        await session.execute(update(RunRow).values(planned_results=before))
        await session.execute(delete(AssetRow))
        await listings.add_results(session, run["id"])
    await put_in_again(app_state)
    assert [item["excerpt"] for item in await texts(person)] == [
        "Porto #tile",
        "Caption: Porto\nHashtags: #tile",
    ]
    return run


async def put_in_again(app_state: Any) -> None:
    """Do to the listings what the migration does to those of runs with several texts."""
    async with app_state.database.writing() as session:
        await session.execute(update(RunListingRow).values(in_library=False))


async def test_a_text_that_is_there_twice_is_merged_into_the_one_that_new_runs_have(
    person: Any, app_state: Any, old_run: Any
) -> None:
    repeat, kept = await texts(person)
    collection = (await person.client.post("/collections", json={"name": "Autumn"})).json()
    asset_ids = [repeat["id"]]
    marks = {"asset_ids": asset_ids, "favourite": True, "add_tags": ["azulejo"]}
    expect(await person.client.patch("/assets/", json=marks), 200)
    path, change = f"/collections/{collection['id']}", {"add_asset_ids": asset_ids}
    expect(await person.client.patch(path, json=change), 200)
    for _ in range(2):
        await backfill_library(app_state)
        await put_in_again(app_state)
        (only,) = await texts(person)
        assert only == {
            **kept,
            "number": 1,
            "favourite": True,
            "tags": ["azulejo"],
            "url": only["url"],
        }
    assert [item["id"] for item in await texts(person, q="azulejo")] == [kept["id"]]
    assert [item["id"] for item in await texts(person, collection_id=collection["id"])] == [kept["id"]]
    results = (await person.client.get(f"/runs/{old_run['id']}")).json()["results"]
    assert [(result["port"], result["meaning"], result["text_of"]) for result in results] == [
        ("output", None, "data"),
        ("data", "post", None),
    ]


async def test_a_text_stays_whose_twin_the_user_has_deleted(
    person: Any, app_state: Any, old_run: Any
) -> None:
    repeat, kept = await texts(person)
    expect(await person.client.delete(f"/assets/{kept['id']}"), 204)
    await backfill_library(app_state)
    assert [item["id"] for item in await texts(person)] == [repeat["id"]]


async def test_texts_stay_while_the_node_types_of_their_run_are_missing(
    person: Any, app_state: Any, old_run: Any
) -> None:
    before = [item["id"] for item in await texts(person)]
    app_state.catalog = app_state.compiler.catalog = Catalog([ask])
    await app_state.compiler.close()
    await backfill_library(app_state)
    assert [item["id"] for item in await texts(person)] == before


async def test_deleted_texts_do_not_come_back(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, TWO_TEXTS)
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "a jug"}))
    first, second = await texts(person)
    expect(await person.client.delete(f"/assets/{first['id']}"), 204)
    await put_in_again(app_state)
    await backfill_library(app_state)
    assert [item["id"] for item in await texts(person)] == [second["id"]]


async def test_migration_selects_the_runs_with_several_texts(no_tables: str) -> None:
    await asyncio.to_thread(command.upgrade, configuration(no_tables), "0033")
    engine = create_async_engine(no_tables)
    async with engine.begin() as connection:
        await connection.execute(text(_PERSON))
        for run_id, count in (("none", 0), ("one", 1), ("two", 2)):
            await connection.execute(text(_RUN), {"id": run_id})
            await connection.execute(text(_LISTING), {"id": run_id})
            for number in range(count):
                await connection.execute(text(_TEXT), {"id": f"{run_id}{number}", "run_id": run_id})
    await migrate(no_tables)
    async with engine.connect() as connection:
        rows = await connection.execute(text("SELECT run_id FROM run_listings WHERE NOT in_library"))
        found = rows.scalars().all()
    await asyncio.to_thread(command.downgrade, configuration(no_tables), "0033")
    await engine.dispose()
    assert found == ["two"]


_PERSON = """
INSERT INTO users (id, username, username_key, created_at, betas)
VALUES ('mara', 'mara', 'mara', '2026-11-21 00:00:00', '[]')
"""
_LISTING = """
INSERT INTO run_listings (run_id, owner_id, title, excerpt, asset_ids, assets, words, in_library)
VALUES (:id, 'mara', '', '', '[]', 0, '', TRUE)
"""
_TEXT = """
INSERT INTO assets (id, owner_id, kind, media_type, name, bytes, sha256, object_key, source, run_id,
    excerpt, input_asset_ids, created_at)
VALUES (:id, 'mara', 'text', 'text/plain', 'Post.txt', 1, 'x', 'x', 'run', :run_id,
    'Porto', '[]', '2026-11-21 00:00:00')
"""
_RUN = """
INSERT INTO runs (id, owner_id, number, flow_name, document, subflows, inputs, fresh, reuse, status, estimate,
    cost_usd, last_seq, cancel_requested, attempt, fence, created_at)
VALUES (:id, 'mara', 1, 'Sample', '{}', '{}', '{}', '[]', 'pure', 'finished', '{}',
    0, 1, FALSE, 0, 1, '2026-11-21 00:00:00')
"""
