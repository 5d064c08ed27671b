"""Batches: runs from a table of inputs."""

from datetime import datetime
from typing import Any

import orjson
import pytest
from fastapi import FastAPI
from sqlalchemy import event, select
from tests.server.responses import expect
from tests.server.sample_fixtures import crash, user_of
from tests.server.sample_nodes import flow

from impasto_server.batches import service
from impasto_server.compiler import service as compiler
from impasto_server.runs.launch import service as launch
from impasto_server.runs.models import Priority, RunRow

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


async def test_each_row_becomes_a_run_in_table_order(person: Any, make_flow: Any, app_state: Any) -> None:
    made, before = await make_flow(person), app_state.clock()
    response = await send(person, made, [{"ask": "one"}, {"inputs": {"ask": "two"}}])
    expect(response, 202)
    started = response.json()
    batch = await done(person, started)
    runs = batch.pop("runs")
    assert before <= datetime.fromisoformat(batch["created_at"]) <= app_state.clock()
    assert batch == {
        "id": started["id"], "flow_id": made["id"], "flow_name": made["name"], "version": "draft",
        "created_at": started["created_at"], "total": 2, "cost_usd": "0",
        "counts": {"queued": 0, "running": 0, "finished": 2, "failed": 0, "cancelled": 0},
    }  # fmt: skip
    assert [run["inputs"] for run in runs] == [{"ask": "one"}, {"ask": "two"}]
    assert [run["number"] for run in runs] == [1, 2]
    assert {run["batch_id"] for run in runs} == {batch["id"]}
    assert [run["id"] for run in started["runs"]] == [run["id"] for run in runs]
    async with app_state.database.reading() as session:
        rows = await session.scalars(select(RunRow).order_by(RunRow.batch_row))
        assert [(row.batch_row, row.priority, row.launch_digest) for row in rows] == [
            (0, Priority.BATCH, None), (1, Priority.BATCH, None),
        ]  # fmt: skip


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
    for rows in (50, 51):
        refused = expect(await send(person, made, [{}] * rows), 422, code="table_invalid").json()
        assert [error["path"] for error in refused["errors"]] == [
            f"rows.{row}.inputs.ask" for row in range(1, 51)
        ]
    detail = response.json()["errors"][0]["message"]
    assert response.json()["detail"] == f"Row 2: {detail}"
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


async def test_batch_is_found_by_its_owner_only(person: Any, new_person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    batch = (await send(person, made, [{"ask": "one"}])).json()
    other = await new_person("ines")
    for user, batch_id in ((other, batch["id"]), (person, "none")):
        for path in (f"/batches/{batch_id}", f"/batches/{batch_id}/results"):
            assert "batch" in expect(await user.client.get(path), 404).json()["detail"]


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
    user = await user_of(app_state, person)
    assert (await service.start(app_state, user, made["id"], sent, "one")).id == won[1]
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 2


async def test_agent_that_is_deleted_while_its_batch_is_launched_is_not_found(
    person: Any, make_flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, write = await make_flow(person), launch.write_runs

    async def late(*given: Any) -> None:
        expect(await person.client.delete(f"/flows/{made['id']}"), 204)
        await write(*given)

    monkeypatch.setattr(launch, "write_runs", late)
    expect(await send(person, made, [{"ask": "one"}]), 404)
    assert (await person.client.get("/runs/")).json()["items"] == []
