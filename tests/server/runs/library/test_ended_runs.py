"""What the end of a run writes into its listing and the library."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.assets.asset_rows import asset_row
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store
from tests.server.sample_nodes import image_reference

from impasto_server.assets.models import AssetRow, AssetTextRow
from impasto_server.container import AppState
from impasto_server.runs.library import listings
from impasto_server.runs.models import RunListingRow, RunRow

pytestmark = pytest.mark.anyio


def planned(node: str, title: str | None = None, **about: Any) -> dict[str, Any]:
    return {"node": node, "port": "output", "title": title, **about}


def finished(step: str, output: Any, **about: Any) -> tuple[str, str, str | None, int, Any]:
    return "event", "step.finished", step, 1, {"outputs": {"output": output}, **about}


async def end(app_state: AppState, run_id: str, **about: Any) -> RunListingRow:
    """Write the results of a run, and return its listing."""
    async with app_state.database.writing() as session:
        row = await session.get(RunRow, run_id)
        assert row is not None
        await session.refresh(row, ["document", "brands"])
        session.add(listings.of_launch(row))
        await session.flush()
        await listings.add_results(session, run_id, **about)
    async with app_state.database.reading() as session:
        found = await session.get(RunListingRow, run_id)
    assert found is not None
    return found


async def texts(app_state: AppState) -> list[tuple[AssetRow, str]]:
    async with app_state.database.reading() as session:
        query = select(AssetRow, AssetTextRow.content).join(
            AssetTextRow, AssetTextRow.asset_id == AssetRow.id
        )
        rows = await session.execute(query.order_by(AssetRow.number))
        return [(row, content) for row, content in rows]


async def test_listing_shows_the_first_text_and_the_first_four_files(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    plan = [planned("images"), planned("texts"), planned("not_run"), planned("more")]
    await store(r1={"planned_results": plan, "inputs": {"ask": "a cold can"}})
    await store_records(
        "r1",
        finished("images", [image_reference(f"a{number}", name="hero") for number in (1, 2, 1, 3, 4, 5)]),
        finished("texts", ["  First\n text ", "second"]),
        finished("more", image_reference("a6", name="hero")),
        finished("other", "of no result"),
        ("memo", "step.finished", "not_run", 0, {"outputs": {"output": "of a memo"}}),
    )
    found = await end(app_state, "r1")
    assert (found.title, found.excerpt, found.in_library) == ("a cold can", "First text", True)
    assert (found.asset_ids, found.assets) == (["a1", "a2", "a3", "a4"], 6)
    words = found.words.lower()
    assert all(word in words for word in ("poster", "cold", "first", "second"))
    assert not any(word in words for word in ("hero", "memo", "no result"))
    assert [(row.number, content) for row, content in await texts(app_state)] == [
        (1, "  First\n text "),
        (2, "second"),
    ]


async def test_text_of_a_run_is_an_asset_that_is_found_by_its_words(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    plan = [planned("write", "Slogan one"), planned("plain")]
    await store(r1={"planned_results": plan, "inputs": {"ask": "a cold can"}, "version": 3})
    made_by = {"provider": "openai", "prompt": "Write\0 a slogan"}
    await store_records(
        "r1", finished("write", "é" * 301, made_by=made_by), finished("plain", "b", made_by="x")
    )
    await end(app_state, "r1")
    (first, content), (second, _) = await texts(app_state)
    assert content == "é" * 301
    assert (first.kind, first.media_type, first.bytes, first.excerpt) == (
        "text",
        "text/plain",
        602,
        "é" * 300,
    )
    assert (first.owner_id, first.source, first.run_id, first.step, first.version) == (
        owner,
        "run",
        "r1",
        "write",
        3,
    )
    assert (first.made_by, first.prompt) == (made_by, "Write a slogan")
    assert (first.brief, first.flow_name, first.intermediate) == ("a cold can", "Poster", False)
    assert (first.name, first.created_at) == ("Slogan one.txt", AT + timedelta(seconds=2))
    assert (second.name, second.made_by, second.prompt) == ("plain.txt", None, None)
    assert "slogan" in first.words.lower()


async def test_text_that_a_step_passes_on_is_not_made_by_its_model(
    app_state: AppState, store: Store, store_records: Store
) -> None:
    await store(r1={"planned_results": [planned("check")], "inputs": {}})
    made_by = {"provider": "openai", "prompt": "Is this calm?", "method": "enhanced"}
    await store_records("r1", finished("check", "Sleep well.", made_by=made_by))
    await end(app_state, "r1")
    [(row, content)] = await texts(app_state)
    assert (content, row.made_by, row.prompt) == ("Sleep well.", None, None)


async def test_first_hundred_texts_of_a_run_are_in_the_library(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(r1={"planned_results": [planned("many")]})
    await store_records("r1", finished("many", [f"{number}" for number in range(101)]))
    await end(app_state, "r1")
    assert [content for _, content in await texts(app_state)] == [f"{number}" for number in range(100)]


async def test_reused_file_that_was_on_the_way_to_another_result_becomes_one(
    app_state: AppState, owner: str, new_person: Any, store: Store, store_records: Store
) -> None:
    ines = await (await new_person("ines")).id()
    async with app_state.database.writing() as session:
        for asset_id, owner_id in (("a1", owner), ("a2", owner), ("a3", ines)):
            session.add(asset_row(asset_id, owner_id, source="run", intermediate=True))
    await store(r1={"planned_results": [planned("image"), planned("other")]})
    await store_records(
        "r1", finished("image", image_reference("a1")), finished("other", image_reference("a3"))
    )
    await end(app_state, "r1")
    async with app_state.database.reading() as session:
        query = select(AssetRow.id, AssetRow.intermediate).order_by(AssetRow.id)
        found = [tuple(row) for row in await session.execute(query)]
    assert found == [("a1", False), ("a2", True), ("a3", True)]


async def test_first_200_results_of_a_run_are_listed(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    names = [f"n{number}" for number in range(201)]
    await store(r1={"planned_results": [planned(name) for name in names], "inputs": {}})
    texts_of = [finished(name, f"text{name}") for name in names]
    images = {name: image_reference(f"a{name}") for name in names}
    await store_records("r1", *texts_of)
    found = await end(app_state, "r1")
    assert ("textn199" in found.words, "textn200" in found.words) == (True, False)
    await store(r2={"planned_results": [planned(name) for name in names], "inputs": {}, "number": 2})
    await store_records("r2", *(finished(name, image) for name, image in images.items()))
    assert (await end(app_state, "r2")).assets == 200


async def test_outputs_given_by_the_caller_are_not_read_from_the_journal(
    app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    await store(r1={"planned_results": [planned("write")]}, r2={"planned_results": []})
    await store_records("r1", finished("write", "stored"))
    given = {"write": b'{"outputs":{"output":"given"}}', "other": b"never parsed"}
    assert (await end(app_state, "r1", finished=given)).excerpt == "given"
    none = await end(app_state, "r2")
    assert (none.excerpt, none.asset_ids, none.assets, none.in_library) == ("", [], 0, True)
    async with app_state.database.writing() as session:
        await listings.add_results(session, "gone")
