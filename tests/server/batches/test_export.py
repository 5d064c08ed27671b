"""The results of batches: as a table, and as a zip with all files."""

import csv
import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from sqlalchemy import event, select
from tests.server.batches.test_batches import done, send
from tests.server.responses import expect
from tests.server.sample_fixtures import user_of
from tests.server.sample_nodes import chain, flow

from impasto_server.assets.media.thumbnails import sidecar_key
from impasto_server.assets.models import AssetRow
from impasto_server.batches import export, service
from impasto_server.runs.models import RecordRow
from impasto_server.storage.object_storage import content_key

pytestmark = pytest.mark.anyio


def table(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a CSV file with a byte order mark."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


async def test_results_as_csv(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout"))
    batch = (await send(person, made, [{"ask": "one"}, {"ask": "=cmd()"}])).json()
    await done(person, batch)
    response = await person.client.get(f"/batches/{batch['id']}/results")
    assert response.headers["content-type"].startswith("text/csv")
    rows = table(response.content)
    assert [row["Shout (shout.output)"] for row in rows] == ["ONE!", "'=CMD()!"]
    assert [row["ask"] for row in rows] == ["one", "'=cmd()"]
    assert [row["status"] for row in rows] == ["finished", "finished"]


async def test_structures_are_json_and_files_are_names_in_the_table(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("compose"))
    batch = (await send(person, made, [{"ask": "Maß"}])).json()
    (run,) = (await done(person, batch))["runs"]
    image = {"$type": "Image", "asset_id": "0123456789", "name": "a jug.png"}
    nameless = {"$type": "File", "asset_id": "abcdefghij", "name": ""}
    path = f"/batches/{batch['id']}/results"
    (row,) = table((await person.client.get(path)).content)
    assert list(row.values())[4:6] == ["Maß #tile", '{"caption":"Maß","hashtags":["#tile"]}']
    async with app_state.database.writing() as session:
        query = select(RecordRow).where(RecordRow.run_id == run["id"], RecordRow.name == "step.finished")
        (record,) = await session.scalars(query.where(RecordRow.step == "compose"))
        record.body = orjson.dumps({"outputs": {"output": None, "data": {"x": [image, {"y": nameless}]}}})
    (row,) = table((await person.client.get(path)).content)
    assert list(row.values())[4:6] == ["", "0001/a jug-456789.png 0001/file-efghij"]


async def test_table_has_each_runs_status_cost_and_error(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("paint"))
    batch = (await send(person, made, [{"ask": "one"}])).json()
    (run,) = (await done(person, batch))["runs"]
    response = await person.client.get(f"/batches/{batch['id']}/results")
    assert response.headers["content-disposition"] == (f'attachment; filename="batch-{batch["id"][:8]}.csv"')
    (row,) = table(response.content)
    assert list(row) == [
        "row",
        "run",
        "status",
        "ask",
        "Paint (paint.output)",
        "seconds",
        "cost_usd",
        "error",
    ]
    name = f"0001/painting-{run['cover_asset_id'][-6:]}.png"
    assert (row["row"], row["run"], row["status"], row["ask"]) == ("1", run["id"], "finished", "one")
    assert (row["Paint (paint.output)"], row["cost_usd"], row["error"]) == (name, "0.0125", "")
    assert float(row["seconds"]) >= 0


async def test_failed_run_and_values_that_are_no_texts_are_in_the_table(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow({"id": "count", "type": "count"}, "ask", "stumble",
                                        edges=["ask.output -> stumble.text"]))  # fmt: skip
    batch = (await send(person, made, [{"ask": "one", "count": 3}, {"ask": "two"}])).json()
    await done(person, batch)
    response = await person.client.get(f"/batches/{batch['id']}/results")
    first, second = table(response.content)
    assert (first["count"], second["count"], first["row"], second["row"]) == ("3", "", "1", "2")
    failed, finished = sorted((first, second), key=lambda row: row["status"])  # whichever calls it first
    assert (failed["status"], failed["error"]) == ("failed", "The image was refused.")
    assert (finished["status"], finished["error"]) == ("finished", "")


async def test_results_as_zip_with_files(person: Any, make_flow: Any, app_state: Any) -> None:
    made = await make_flow(person, chain("paint"))
    batch = (await send(person, made, [{"ask": "one"}, {"ask": "two"}])).json()
    await done(person, batch)
    path = f"/batches/{batch['id']}/results"
    async with app_state.slots.hold(await user_of(app_state, person), "exports"):
        expect(await person.client.get(f"{path}?format=zip"), 429, code="exports_limit")
        expect(await person.client.get(path), 200)
    for _ in range(2):
        response = expect(await person.client.get(f"{path}?format=zip"), 200)
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["content-disposition"] == f'attachment; filename="batch-{batch["id"][:8]}.zip"'
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        names = archive.namelist()
        rows = table(archive.read("results.csv"))
        pictures = sorted(name for name in names if name.endswith(".png"))
        assert [name.split("/")[0] for name in pictures] == ["0001", "0002"]
        assert all(archive.read(name).startswith(b"\x89PNG") for name in pictures)
        assert names == [*pictures, "results.csv"]
    assert {row["Paint (paint.output)"] for row in rows} == set(pictures)


async def test_credentials_beside_a_file_are_in_the_zip_and_missing_ones_are_listed(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    batch = (await send(person, made, [{"ask": "one"}, {"ask": "three"}])).json()
    ids = [run["cover_asset_id"] for run in (await done(person, batch))["runs"]]
    async with app_state.database.writing() as session:
        rows = [await session.get_one(AssetRow, asset_id) for asset_id in ids]
        for row in rows:
            row.credentials, row.created_at = "sidecar", datetime(2024, 5, 6, 7, 8, 10, tzinfo=UTC)
    await app_state.storage.put_at(sidecar_key(rows[0].sha256), b"claims")
    response = await person.client.get(f"/batches/{batch['id']}/results?format=zip")
    names = [f"{index:04d}/painting-{asset_id[-6:]}.png" for index, asset_id in enumerate(ids, 1)]
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.namelist() == [
            names[0], f"{names[0]}.c2pa", names[1], "results.csv", "missing.txt",
        ]  # fmt: skip
        assert archive.read(f"{names[0]}.c2pa") == b"claims"
        assert archive.read("missing.txt").decode() == (f"These files have been deleted:\n{names[1]}.c2pa\n")
        for name in archive.namelist()[:3]:
            assert archive.getinfo(name).date_time == (2024, 5, 6, 7, 8, 10)


async def test_file_that_two_runs_have_is_in_the_zip_under_each_name_of_the_table(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    batch = (
        await send(person, await make_flow(person, chain("paint")), [{"ask": "one"}, {"ask": "two"}])
    ).json()
    runs = (await done(person, batch))["runs"]
    async with app_state.database.writing() as session:
        query = select(RecordRow).where(RecordRow.name == "step.finished", RecordRow.step == "paint")
        bodies = {row.run_id: row for row in await session.scalars(query)}
        bodies[runs[1]["id"]].body = bodies[runs[0]["id"]].body
    response = await person.client.get(f"/batches/{batch['id']}/results?format=zip")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        pictures = [name for name in archive.namelist() if name.endswith(".png")]
        rows = table(archive.read("results.csv"))
        assert len({archive.read(name) for name in pictures}) == 1
    assert pictures == [row["Paint (paint.output)"] for row in rows]
    assert [name.split("/")[0] for name in pictures] == ["0001", "0002"]


async def test_results_of_the_other_rows_stay_when_a_run_is_deleted(person: Any, make_flow: Any) -> None:
    batch = (await send(person, await make_flow(person), [{"ask": "one"}, {"ask": "two"}])).json()
    first = (await done(person, batch))["runs"][0]
    path = f"/batches/{batch['id']}/results"
    before = table((await person.client.get(path)).content)
    expect(await person.client.delete(f"/runs/{first['id']}"), 204)
    after = table((await person.client.get(path)).content)
    assert after[1] == before[1]


async def test_deleted_file_is_listed_as_missing_in_zip(person: Any, make_flow: Any, app: FastAPI) -> None:
    made = await make_flow(person, chain("paint"))
    batch = (await send(person, made, [{"ask": "one"}, {"ask": "three"}, {"ask": "sixteen"}])).json()
    ids = [run["cover_asset_id"] for run in (await done(person, batch))["runs"]]
    await person.client.delete(f"/assets/{ids[0]}")
    lost = (await person.client.get(f"/assets/{ids[1]}")).json()["sha256"]
    await app.state.app_state.storage.delete(content_key(lost))
    response = await person.client.get(f"/batches/{batch['id']}/results?format=zip")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        assert [name.split("/")[0] for name in archive.namelist()] == ["0003", "results.csv", "missing.txt"]
        noted = archive.read("missing.txt").decode()
    assert noted == "These files have been deleted:\n" + "".join(
        f"{index:04d}/painting-{asset_id[-6:]}.png\n" for index, asset_id in enumerate(ids[:2], 1)
    )


async def test_results_are_streamed_page_by_page(
    person: Any, make_flow: Any, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most one page of runs is in memory at a time."""
    monkeypatch.setattr(export, "_RUNS_AT_ONCE", 2)
    monkeypatch.setattr(export, "_FILES_AT_ONCE", 1)
    made = await make_flow(person, chain("paint"))
    batch = (await send(person, made, [{"ask": "x" * length} for length in range(5)])).json()
    await done(person, batch)
    asked: list[str] = []
    engine = app.state.app_state.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    user = await user_of(app.state.app_state, person)
    response = await service.results(app.state.app_state, user, batch["id"], "zip")
    assert not any("run_records" in statement for statement in asked), (
        "nothing is folded before the first byte"
    )
    pieces = response.body_iterator
    assert await anext(pieces)  # type: ignore[arg-type]
    first = sum("run_records.seq >" in statement for statement in asked)
    assert first == 2
    rest = [piece async for piece in pieces]
    assert rest
    assert sum("run_records.seq >" in statement for statement in asked) == 5
