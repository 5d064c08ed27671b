"""Batches: runs from a table of inputs, and their exported results."""

import csv
import io
import zipfile
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from sqlalchemy import event, select
from tests.server.responses import expect
from tests.server.sample_fixtures import crash
from tests.server.sample_nodes import chain, flow

from impasto_server.batches import export, service
from impasto_server.compiler import service as compiler
from impasto_server.runs.launch import service as launch
from impasto_server.runs.models import RecordRow
from impasto_server.storage.object_storage import content_key
from impasto_server.users import service as users

pytestmark = pytest.mark.anyio
TWO_INPUTS = flow(
    {"id": "ask", "type": "ask", "title": "Words"},
    {"id": "count", "type": "count"},
    "paint",
    edges=["ask.output -> paint.text"],
)


async def send(
    person: Any, made: dict[str, Any], body: Any, kind: str = "application/json", **query: Any
) -> Any:
    path, query = f"/flows/{made['id']}/batch", {"version": "draft", **query}
    if kind == "application/json":
        return await person.client.post(path, json=body, params=query)
    return await person.client.post(path, content=body, params=query, headers={"Content-Type": kind})


async def done(person: Any, batch: dict[str, Any]) -> dict[str, Any]:
    for run in batch["runs"]:
        await person.client.get(f"/runs/{run['id']}/events")
    return dict((await person.client.get(f"/batches/{batch['id']}")).json())


async def test_reading_batch_loads_no_documents(person: Any, make_flow: Any, app: FastAPI) -> None:
    """Each of the runs has a copy of the document."""
    batch = (await send(person, await make_flow(person), [{"ask": "one"}, {"ask": "two"}])).json()
    said: list[str] = []
    engine = app.state.app_state.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *call: said.append(call[2]))
    assert (await person.client.get(f"/batches/{batch['id']}")).json()["total"] == 2
    assert any("runs.batch_row" in statement for statement in said)
    assert not any("runs.document" in statement for statement in said if "runs.batch_id =" in statement)


async def test_each_row_becomes_a_run_in_table_order(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    response = await send(person, made, [{"ask": "one"}, {"inputs": {"ask": "two"}}])
    expect(response, 202)
    batch = await done(person, response.json())
    assert batch["counts"] == {"queued": 0, "running": 0, "finished": 2, "failed": 0, "cancelled": 0}
    assert (batch["total"], batch["version"], batch["flow_id"]) == (2, "draft", made["id"])
    assert (batch["flow_name"], batch["cost_usd"]) == (made["name"], "0")
    assert [run["inputs"] for run in batch["runs"]] == [{"ask": "one"}, {"ask": "two"}]
    assert [run["number"] for run in batch["runs"]] == [1, 2]
    assert {run["batch_id"] for run in batch["runs"]} == {batch["id"]}


async def test_csv_columns_are_node_ids_or_titles(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, TWO_INPUTS)
    table = '\ufeffwords,count\r\n"a jug, blue",3\r\n\r\nplate,\r\n'
    batch = (await send(person, made, table.encode(), "text/csv; charset=utf-8")).json()
    assert [run["inputs"] for run in batch["runs"]] == [{"ask": "a jug, blue", "count": 3}, {"ask": "plate"}]


async def test_unreadable_table_is_rejected(person: Any, make_flow: Any, subtests: pytest.Subtests) -> None:
    made = await make_flow(person, TWO_INPUTS)
    cases: list[tuple[str, Any, str]] = [
        ("application/json", {}, "list"),
        ("application/json", [], "no rows"),
        ("application/json", [1], "objects"),
        ("text/csv", b"", "empty"),
        ("text/csv", b"ask\n", "no rows"),
        ("text/csv", b"ask,stranger\nx,y\n", "stranger"),
        ("text/csv", b"ask,ask\nx,y\n", "same name"),
        ("text/csv", b"ask\nx,y\n", "Line 2"),
        ("text/csv", b"words,count\nx,many\n", "many"),
        ("text/csv", b"\xff\xfe\x00", "UTF-8"),
        ("text/csv", b'ask\n"open', "CSV"),
        ("text/plain", b"hello", "not JSON"),
    ]
    for kind, body, word in cases:
        with subtests.test(body=body):
            response = await send(person, made, body, kind)
            expect(response, 422, code="table_invalid")
            assert word in response.json()["detail"]


async def test_version_of_a_batch_is_draft_or_a_number(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    for version in ("", "0", "01", "-1", "1.0", "newest", "1000000000"):
        expect(await send(person, made, [{"ask": "x"}], version=version), 422, reason=version)
    expect(await send(person, made, [{"ask": "x"}], version="999999999"), 404)
    expect(await send(person, made, [{"ask": "x"}], version="draft"), 202)


async def test_invalid_row_rejects_whole_table(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    response = await send(person, made, [{"ask": "good"}, {}, {"ask": 5}])
    expect(response, 422)
    assert [error["path"] for error in response.json()["errors"]] == [
        "rows.2.inputs.ask",
        "rows.3.inputs.ask",
    ]
    assert response.json()["detail"].startswith("Row 2")
    for rows in (50, 51):
        refused = expect(await send(person, made, [{}] * rows), 422, code="table_invalid").json()
        assert [error["path"] for error in refused["errors"]] == [
            f"rows.{row}.inputs.ask" for row in range(1, 51)
        ]
    unknown = [{"ask": {"$type": "Image", "asset_id": "gone"}}] * 51
    assert len(expect(await send(person, made, unknown), 422).json()["errors"]) == 50
    assert (await person.client.get("/runs/")).json()["items"] == []


async def test_rows_are_checked_in_several_requests(
    person: Any, make_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit is that of a request, and a table may have 1,000 rows."""
    call, counts = app_state.compiler._call, []

    async def counted(owner: str, operation: str, source: Any, parts: Any, **more: Any) -> Any:
        if operation == "inputs":
            counts.append(len(orjson.loads(parts[2])))
        return await call(owner, operation, source, parts, **more)

    monkeypatch.setattr(compiler, "_ROWS_OF_REQUEST", 2)
    monkeypatch.setattr(app_state.compiler, "_call", counted)
    made = await make_flow(person)
    rows: list[dict[str, Any]] = [{"ask": f"row {number}"} for number in range(5)]
    batch = expect(await send(person, made, rows), 202).json()
    assert (batch["total"], counts) == (5, [2, 2, 1])
    rows[4] = {"ask": 5}
    problem = expect(await send(person, made, rows), 422).json()
    assert [error["path"] for error in problem["errors"]] == ["rows.5.inputs.ask"]


async def test_table_has_at_most_1000_rows(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    response = await send(person, made, [{"ask": "x"}] * 1001)
    expect(response, 422)
    assert "1,000" in response.json()["detail"]


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
    async with app_state.slots.hold(await _user(app_state, await person.id()), "exports"):
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
    assert {row["Paint (paint.output)"] for row in rows} == set(pictures)


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


async def test_batch_of_other_user_is_not_found(person: Any, new_person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    batch = (await send(person, made, [{"ask": "one"}])).json()
    other = await new_person("ines")
    for path in (f"/batches/{batch['id']}", f"/batches/{batch['id']}/results"):
        expect(await other.client.get(path), 404)


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
    assert [line[:5] for line in noted.splitlines()[1:]] == ["0001/", "0002/"]


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
    user = SimpleNamespace(id=await person.id())
    response = await service.results(app.state.app_state, user, batch["id"], "zip")  # type: ignore[arg-type]
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


async def _keyed(person: Any, made: dict[str, Any], rows: list[dict[str, str]], key: str = "one") -> Any:
    path = f"/flows/{made['id']}/batch?version=draft"
    return await person.client.post(path, json=rows, headers={"Idempotency-Key": key})


async def test_repeat_after_crash_returns_first_batch(person: Any, make_flow: Any, app_state: Any) -> None:
    made, rows = await make_flow(person), [{"ask": "one"}, {"ask": "two"}]
    first = (await _keyed(person, made, rows)).json()
    await crash(app_state)
    again = await _keyed(person, made, rows)
    expect(again, 202)
    assert again.json()["id"] == first["id"]
    assert [run["id"] for run in again.json()["runs"]] == [run["id"] for run in first["runs"]]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 2


async def test_different_table_under_same_key_is_rejected_after_crash(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    await _keyed(person, made, [{"ask": "one"}])
    await crash(app_state)
    refused = await _keyed(person, made, [{"ask": "other"}])
    expect(refused, 422, code="idempotency_key_reused")
    expect(await _keyed(person, made, [{"ask": "other"}], "two"), 202)
    alone = {"inputs": {"ask": "x"}, "version": "draft"}
    run = await person.client.post(
        f"/flows/{made['id']}/runs", json=alone, headers={"Idempotency-Key": "one"}
    )
    expect(run, 202)


async def test_concurrent_batches_with_one_key_are_launched_once(
    person: Any, make_flow: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, rows = await make_flow(person), [{"ask": "one"}, {"ask": "two"}]
    write, won = launch.write_runs, []

    async def overtaken(*given: Any) -> None:
        if not won:
            won.append(True)
            won.append((await service.start(app_state, given[1], made["id"], sent, "one")).id)
        await write(*given)

    sent = service.UploadedTable("application/json", orjson.dumps(rows), "draft")
    monkeypatch.setattr(launch, "write_runs", overtaken)
    user = await _user(app_state, await person.id())
    assert (await service.start(app_state, user, made["id"], sent, "one")).id == won[1]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 2


async def _user(app_state: Any, user_id: str) -> Any:
    async with app_state.database.reading() as session:
        return await users.find(session, user_id)
