"""`impasto admin runs`, `workers`, `requeue` and `cancel`, beside a server that executes runs."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import orjson
import pytest
from prometheus_client import REGISTRY
from sqlalchemy import delete, select, update
from tests.server.sample_nodes import arrived, chain, gate
from typer.testing import CliRunner, Result

from impasto_server.__main__ import program
from impasto_server.audit.models import AuditRow
from impasto_server.runs.models import RunRow, WorkerRow
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
Impasto = Callable[..., Awaitable[Result]]


@pytest.fixture
def impasto(settings: Settings, app_state: Any, monkeypatch: pytest.MonkeyPatch) -> Impasto:
    """Return a function that runs a command in another thread, with the settings of the server."""
    for name in ("data_dir", "agents_dir", "database_url", "log_level", "warm"):
        monkeypatch.setenv(f"IMPASTO_{name.upper()}", str(getattr(settings, name)))

    async def run(*arguments: str) -> Result:
        return await asyncio.to_thread(CliRunner().invoke, program, ["admin", *arguments])

    return run


async def printed(impasto: Impasto, *arguments: str) -> Any:
    result = await impasto(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return orjson.loads(result.stdout)


async def test_runs_are_listed_by_filters_and_pages(
    impasto: Impasto, person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    noor, flow = await new_person("noor"), (await make_flow(person))["id"]
    mine = [await finished(person, await run_flow(person, flow)) for _ in range(3)]
    other = await finished(noor, await run_flow(noor, (await make_flow(noor))["id"]))
    newest = [other["id"], *(run["id"] for run in reversed(mine))]
    assert [run["id"] for run in (await printed(impasto, "runs"))["items"]] == newest
    period = ("--since", "2020-01-01", "--until", "2100-01-01")
    by_user = await printed(impasto, "runs", "--user", "noor", "--status", "finished", *period)
    assert [run["id"] for run in by_user["items"]] == [other["id"]]
    assert (await printed(impasto, "runs", "--status", "failed"))["items"] == []
    for outside in (("--since", "2100-01-01"), ("--until", "2020-01-01")):
        assert (await printed(impasto, "runs", *outside))["items"] == []
    first = await printed(impasto, "runs", "--agent", flow, "--limit", "2")
    rest = await printed(impasto, "runs", "--agent", flow, "--cursor", first["next_cursor"])
    assert [run["id"] for run in first["items"] + rest["items"]] == newest[1:]
    first_cursor = (await printed(impasto, "runs", "--limit", "1"))["next_cursor"]
    table = (await impasto("runs", "--limit", "1")).stdout
    created = datetime.fromisoformat(other["created_at"]).strftime("%Y-%m-%d %H:%M:%S")
    rows = [cells for line in table.splitlines() if len(cells := columns(line)) == 8]
    assert rows == [
        [other["id"], "Sample #1", "noor", "finished", created, f"{other['seconds']:.1f}", "0", ""]
    ]
    assert f"There are more: add --cursor {first_cursor}\n" in table
    assert "[default: 50]" in (await impasto("runs", "--help")).stdout


async def test_mistakes_are_named(impasto: Impasto, subtests: pytest.Subtests) -> None:
    cases: list[tuple[list[str], str]] = [
        (["runs", "--status", "done"], "'done' is no status"),
        (["runs", "--user", "stranger"], "There is no user 'stranger'."),
        (["runs", "--cursor", "nonsense"], "not a next_cursor"),
        (["runs", "--limit", "0"], "greater than or equal to 1 "),
        (["runs", "--limit", "101"], "less than or equal to 100 "),
        (["cancel", "no-run"], "no-run: "),
        (["requeue", "no-run"], "no-run: "),
    ]
    for arguments, sentence in cases:
        with subtests.test(arguments=arguments):
            result = await impasto(*arguments)
            assert result.exit_code > 0
            assert sentence in result.output
            assert "Traceback" not in result.output


async def test_operator_cancels_a_run_of_a_user(
    impasto: Impasto, person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    run = await run_flow(person, (await make_flow(person, chain("wait")))["id"])
    await arrived("gate")
    (worker,) = (await printed(impasto, "workers"))["items"]
    assert (worker["is_alive"], worker["runs"]) == (True, 1)
    assert (await impasto("cancel", run["id"])).stdout.endswith("is being cancelled.\n")
    assert (await finished(person, run))["status"] == "cancelled"
    again = await impasto("cancel", run["id"], "no-run", "--json")
    assert again.exit_code == 1
    refused = orjson.loads(again.stdout)
    assert (refused["items"], [*refused["refused"]]) == ([], [run["id"], "no-run"])
    assert "already cancelled" in refused["refused"][run["id"]]
    assert await recorded(app_state) == [("run.cancel", run["id"], {"owner": await person.id()})]


async def test_processes_are_listed_as_alive_or_silent(impasto: Impasto, person: Any, app_state: Any) -> None:
    now = app_state.clock()
    async with app_state.database.writing() as session:
        session.add(WorkerRow(name="quiet", started_at=now, seen_at=now - timedelta(days=1)))
    listed = await impasto("workers")
    rows = {cells[0]: cells for line in listed.stdout.splitlines() if len(cells := columns(line)) == 6}
    assert (rows["quiet"][1:3], rows["quiet"][5]) == (["silent", "0"], "")
    assert rows["quiet"][3] == f"{now:%Y-%m-%d %H:%M:%S}"
    assert rows["quiet"][4] == f"{now - timedelta(days=1):%Y-%m-%d %H:%M:%S}"
    assert [cells[1] for cells in rows.values()].count("alive") == 1
    assert "No living process" not in listed.stderr
    async with app_state.database.writing() as session:
        await session.execute(delete(WorkerRow).where(WorkerRow.name != "quiet"))
    assert (await impasto("workers")).stderr == "No living process executes runs.\n"


def columns(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.split("│")[1:-1]]


async def test_run_is_taken_from_its_process_only_by_force(
    impasto: Impasto, person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    run = await run_flow(person, (await make_flow(person, chain("wait")))["id"])
    await arrived("gate")
    lost = REGISTRY.get_sample_value("impasto_leases_lost_total") or 0.0
    refused = await impasto("requeue", run["id"])
    assert (refused.exit_code, "which is alive" in refused.output) == (1, True)
    taken = await impasto("requeue", run["id"], "--force")
    assert re.fullmatch(rf"{run['id']} \(Sample #1\) is (queued|running)\.\n", taken.stdout)
    gate("gate").set()
    assert (await finished(person, run))["status"] == "finished"
    assert REGISTRY.get_sample_value("impasto_leases_lost_total") == lost + 1
    details = {"owner": await person.id(), "status": "running", "forced": True}
    assert await recorded(app_state) == [("run.requeue", run["id"], details)]


class TestEitherDatabase:
    """Operations that lock rows, on SQLite and on PostgreSQL."""

    @pytest.fixture
    def database_url(self, either_database: str) -> str:
        return either_database

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {
            "lease_seconds": 3600
        }  # the server itself takes up no run of a silent process during the test

    async def test_run_of_a_silent_process_and_a_failed_run_are_queued_again(
        self, impasto: Impasto, person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
    ) -> None:
        flow = (await make_flow(person, chain("shout", "stumble", "spell")))["id"]
        run = await finished(person, await run_flow(person, flow))
        assert run["status"] == "failed"
        answer = await printed(impasto, "requeue", run["id"])
        assert (answer["items"][0]["id"], answer["refused"]) == (run["id"], {})
        assert answer["items"][0]["owner"] == {"id": await person.id(), "username": "mara"}
        assert (await finished(person, run))["status"] == "finished"
        async with app_state.database.writing() as session:
            values = {"status": "running", "lease_owner": "silent", "crashes": 1}
            await session.execute(update(RunRow).where(RunRow.id == run["id"]).values(values))
        assert (await impasto("requeue", run["id"])).exit_code == 0
        async with app_state.database.reading() as session:
            row = await session.get(RunRow, run["id"])
            assert (row.lease_owner != "silent", row.crashes) == (True, 0)
        assert [details for _, _, details in await recorded(app_state)] == [
            {"owner": await person.id(), "status": status, "forced": False}
            for status in ("failed", "running")
        ]


async def recorded(app_state: Any) -> list[tuple[str, str | None, dict[str, Any]]]:
    async with app_state.database.reading() as session:
        query = select(AuditRow).where(AuditRow.actor_kind == "operator").order_by(AuditRow.id)
        return [(row.action, row.target_id, row.details) for row in await session.scalars(query)]
