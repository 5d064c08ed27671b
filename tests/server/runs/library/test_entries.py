"""A run's entries in the library: texts as assets, names of results, and which files are results."""

from typing import Any

import pytest
from sqlalchemy import delete, update
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto_server.assets.models import AssetRow
from impasto_server.runs import repository
from impasto_server.runs.library import backfill
from impasto_server.runs.library.backfill import backfill_library
from impasto_server.runs.library.text_results import text_results, texts_of
from impasto_server.runs.models import RunListingRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def library(person: Any, **query: Any) -> list[dict[str, Any]]:
    response = await person.client.get("/assets/library", params=query)
    expect(response, 200)
    return list(response.json()["items"])


async def test_text_results_are_assets_found_by_their_words(
    person: Any, new_person: Any, client: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"), name="Tiles")
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "a day in Porto"}))
    (text,) = await library(person, q="porto DAY", kind="text")
    assert (text["run_id"], text["flow_name"], text["brief"]) == (run["id"], "Tiles", "a day in Porto")
    assert (text["excerpt"], text["number"], text["intermediate"]) == ("A DAY IN PORTO!", 1, False)
    content = await client.get(text["url"].removeprefix("/api/v1"))
    assert content.text == "A DAY IN PORTO!"
    assert content.headers["content-type"].startswith("text/plain")
    part = await person.client.get(f"/assets/{text['id']}/content", headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.text) == (206, "DAY")
    none = await person.client.get(f"/assets/{text['id']}/credentials")
    assert none.json()["state"] == "none"
    other = await new_person("ines")
    for path in ("", "/content"):
        expect(await other.client.get(f"/assets/{text['id']}{path}"), 404, code="not_found")
    await person.client.patch("/assets/", json={"asset_ids": [text["id"]], "add_tags": ["azulejo"]})
    assert [item["id"] for item in await library(person, q="azulejo porto")] == [text["id"]]
    expect(await person.client.delete(f"/assets/{text['id']}"), 204)
    assert await library(person, q="porto") == []


async def test_results_are_named_and_other_files_are_intermediate(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    document = flow(
        *("ask", "paint", "show"), edges=["ask.output -> paint.text", "paint.output -> show.image"]
    )
    made = await make_flow(person, document, name="Kiln")
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "A blue jug"}))
    assert [item["kind"] for item in await library(person)] == ["text"]
    every = await library(person, intermediate=True)
    assert {item["kind"]: (item["intermediate"], item["number"]) for item in every} == {
        "text": (False, 1),
        "image": (True, None),
    }
    assert {item["brief"] for item in every} == {"A blue jug"}
    image = next(item for item in every if item["kind"] == "image")
    await person.client.patch("/assets/", json={"asset_ids": [image["id"]], "favourite": True})
    assert [item["id"] for item in await library(person, favourite=True)] == [image["id"]]


async def test_results_of_older_runs_are_put_into_the_library(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "_PAGE", 1)
    made = await make_flow(person, chain("shout"))
    for words in ("old words", "older words"):
        await finished(person, await run_flow(person, made["id"], inputs={"ask": words}))
    before = await library(person)
    async with app_state.database.writing() as session:
        await session.execute(delete(AssetRow))
        await session.execute(update(RunListingRow).values(in_library=False))
    for _ in range(2):
        await backfill_library(app_state)
        assert [item["id"] for item in await library(person)] == [item["id"] for item in before]
    async with app_state.database.reading() as session:
        assert await repository.ended_outside_library(session, "", 10) == []


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("A line", ["A line"]),
        (" \n", []),
        (["one", "", "two"], ["one", "two"]),
        ({"caption": "Hi", "hashtags": ["#a", "#b"]}, ["Caption: Hi\nHashtags:\n#a\n#b"]),
        ({"$type": "Image", "asset_id": "a1"}, []),
        ([{"$type": "Image", "asset_id": "a1", "name": "x"}], []),
        (7, []),
        (None, []),
    ],
)
def test_a_result_of_any_type_becomes_readable_texts(value: Any, texts: list[str]) -> None:
    assert list(texts_of(value)) == texts


def test_a_text_that_is_returned_twice_is_one_text() -> None:
    words = {"node": "write", "port": "output", "text_of": "data"}
    data = {"node": "write", "port": "data"}
    shown = {"node": "show", "port": "output"}
    steps: dict[str, Any] = {
        "write": {"outputs": {"output": "Caption: Hi", "data": {"caption": "Hi"}}},
        "show": {"outputs": {"output": "Caption: Hi"}},
    }
    found = [
        (one.planned["node"], one.planned["port"], one.text)
        for one in text_results([words, data, shown], steps)
    ]
    assert found == [("write", "data", "Caption: Hi")]
    steps["write"]["outputs"]["data"] = None
    found = [
        (one.planned["node"], one.planned["port"], one.text)
        for one in text_results([words, data, shown], steps)
    ]
    assert found == [("write", "output", "Caption: Hi")]


@pytest.mark.parametrize(
    ("meaning", "value", "text"),
    [
        ("hashtags", {"hashtags": ["#Eiche", "#Küche", "#Eiche"]}, "#Eiche #Küche"),
        ("post", {"caption": "Maßküchen", "hashtags": ["#Eiche"]}, "Maßküchen\n\n#Eiche"),
        (
            "ad",
            {"body": "Aufmaß kostenlos", "call_to_action": "Termin", "headline": "Eiche"},
            "Eiche\n\nAufmaß kostenlos\n\nTermin",
        ),
        (
            "shot_list",
            {"shots": [{"motion": "Langsam näher", "scene": "Werkstatt", "seconds": 4}], "title": "Küche"},
            "Küche\n\n1. Werkstatt · Langsam näher · 4 s",
        ),
        (
            "brand_check",
            {"checks": [{"passed": True, "reason": "None in the text.", "title": "Banned words"}]},
            "Banned words: None in the text.",
        ),
        ("hashtags", {"hashtags": []}, None),
        ("shot_list", {"shots": "none"}, "Shots: none"),
        (None, {"b": "2", "a": "1"}, "B: 2\nA: 1"),
    ],
)
def test_structured_results_are_written_as_people_read_them(
    meaning: str | None, value: dict[str, Any], text: str | None
) -> None:
    planned = {"node": "write", "port": "data", "meaning": meaning}
    found = [one.text for one in text_results([planned], {"write": {"outputs": {"data": value}}})]
    assert found == ([text] if text else [])
