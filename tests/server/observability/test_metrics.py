"""The metrics of a server and of a worker."""

import asyncio
import copy
import json
import socket
from datetime import timedelta
from typing import Any

import httpx
import pytest
import structlog
from prometheus_client import REGISTRY
from pydantic import ValidationError
from sqlalchemy import text
from structlog.testing import capture_logs
from tests.server.ports import free_port
from tests.server.resources import task_names
from tests.server.sample_nodes import arrived, chain, gate

from impasto_server.observability import worker_server
from impasto_server.observability.collect import Collector
from impasto_server.observability.metrics import BoundedLabel
from impasto_server.observability.telemetry import configure_logging
from impasto_server.settings import Settings
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


@pytest.fixture
def extra_settings(unused_port: int) -> dict[str, Any]:
    return {
        "metrics": True,
        "metrics_token": TOKEN,
        "max_concurrent_runs": 1,
        "reserved_runs": 0,
        "worker_metrics_port": unused_port,
    }


@pytest.fixture
def unused_port() -> int:
    return free_port()


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def scraped(person: Any) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert (await person.client.get("http://testserver/metrics", headers=headers)).status_code == 200


async def test_runs_steps_and_providers_are_counted(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    names = {
        "impasto_runs_total": {"status": "finished", "code": ""},
        "impasto_steps_total": {"status": "finished", "code": ""},
        "impasto_provider_seconds_count": {"provider": "sample"},
        "impasto_run_seconds_count": {},
    }
    failed = {"status": "failed", "code": "moderated"}
    before = {name: value(name, **labels) for name, labels in names.items()}
    failures = value("impasto_runs_total", **failed)
    await finished(person, await run_flow(person, (await make_flow(person, chain("paint")))["id"]))
    added = {name: value(name, **labels) - before[name] for name, labels in names.items()}
    assert added == {
        "impasto_runs_total": 1,
        "impasto_steps_total": 2,
        "impasto_provider_seconds_count": 1,
        "impasto_run_seconds_count": 1,
    }
    assert value("impasto_provider_usd_total", provider="sample") >= 0.0125
    flow = (await make_flow(person, chain("stumble")))["id"]
    assert (await finished(person, await run_flow(person, flow)))["status"] == "failed"
    assert value("impasto_runs_total", **failed) == failures + 1
    assert value("impasto_provider_errors_total", provider="sample", code="moderated") >= 1
    assert value("impasto_event_lag_seconds_count") > 0


async def test_gauges_are_read_from_the_queue_when_scraped(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any, clock: Any
) -> None:
    await Collector().collect(app_state)
    assert value("impasto_queue_oldest_seconds") == 0
    flow = (await make_flow(person, chain("wait")))["id"]
    runs = [await run_flow(person, flow) for _ in range(3)]
    await arrived("gate")
    async with app_state.database.reading() as session:
        app_state.streams.open(await session.get(User, await person.id()))
    await scraped(person)
    assert (value("impasto_runs_live", state="waiting"), value("impasto_runs_live", state="executed")) == (
        2,
        1,
    )
    assert (value("impasto_workers"), value("impasto_database_up")) == (1, 1)
    assert value("impasto_database_connections_max") == 40 > value("impasto_database_connections") >= 0
    later = copy.copy(app_state)
    later.clock = lambda: clock() + timedelta(seconds=1000)
    await Collector().collect(later)
    assert 1000 <= value("impasto_queue_oldest_seconds") < 1200
    assert (value("impasto_streams"), value("impasto_workers")) == (1, 0)
    gate("gate").set()
    for run in runs:
        await finished(person, run)


async def test_queue_that_cannot_be_read_is_shown_as_a_database_that_is_down(app_state: Any) -> None:
    await Collector().collect(app_state)
    assert value("impasto_database_up") == 1
    async with app_state.database.writing() as session:
        await session.execute(text("DROP TABLE run_workers"))
    await Collector().collect(app_state)
    assert value("impasto_database_up") == 0


async def test_collections_soon_after_each_other_share_a_query(app_state: Any) -> None:
    collector = Collector()
    await collector.collect(app_state)
    async with app_state.database.writing() as session:
        await session.execute(text("DROP TABLE run_workers"))
    async with app_state.database.reading():
        await collector.collect(app_state)
    assert value("impasto_database_connections") == 1
    assert value("impasto_database_up") == 1


async def test_worker_serves_its_metrics_with_the_token(app_state: Any, unused_port: int) -> None:
    url = f"http://127.0.0.1:{unused_port}"
    async with httpx.AsyncClient() as client, worker_server.serving(app_state):
        async with asyncio.timeout(20):
            while True:
                try:
                    refused = await client.get(f"{url}/metrics")
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.02)
        assert refused.status_code == 401
        found = await client.get(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert "impasto_runs_live" in found.text
        ready = await client.get(f"{url}/readyz")
        assert ready.json()["database"] == "ok"
        assert "server" not in ready.headers
        assert (await client.get(f"{url}/openapi.json")).status_code == 404
    assert not serves_metrics()
    async with worker_server.serving(app_state):
        assert serves_metrics(), "again at the same port"


def serves_metrics() -> bool:
    return "metrics of the worker" in task_names()


async def test_worker_without_a_port_serves_nothing(app_state: Any) -> None:
    app_state.settings = app_state.settings.model_copy(update={"worker_metrics_port": None})
    async with worker_server.serving(app_state):
        assert not serves_metrics()


async def test_port_in_use_is_logged_and_the_worker_goes_on(app_state: Any, unused_port: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", unused_port))
        taken.listen()
        with capture_logs() as logged:
            async with worker_server.serving(app_state):
                pass
    (entry,) = logged
    assert (entry["event"], entry["address"], entry["reason"]) == (
        "the metrics of this worker are not served",
        f"127.0.0.1:{unused_port}",
        "Address already in use",
    )


def test_worker_port_without_metrics_stops_the_start() -> None:
    with pytest.raises(ValidationError, match="set IMPASTO_METRICS too"):
        Settings(_env_file=None, worker_metrics_port=9000)


def test_label_takes_a_bounded_number_of_values() -> None:
    label = BoundedLabel(3)
    assert [label(text) for text in "abcdab"] == ["a", "b", "c", "other", "a", "b"]
    assert label("x" * 1000) == "other"


async def test_lines_carry_request_user_run_and_step(
    person: Any,
    make_flow: Any,
    run_flow: Any,
    finished: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    flow = (await make_flow(person, chain("grumble")))["id"]
    configure_logging(Settings(_env_file=None, log_format="json", log_level="info"))
    try:
        run = await finished(person, await run_flow(person, flow))
    finally:
        structlog.reset_defaults()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    user = await person.id()
    (grumble,) = [line for line in lines if line["event"] == "hm"]
    assert {name: grumble[name] for name in ("run_id", "step", "user_id")} == {
        "run_id": run["id"],
        "step": "grumble",
        "user_id": user,
    }
    launch = next(line for line in lines if line.get("path", "").endswith("/runs") and line["status"] == 202)
    assert launch["user_id"] == user
    assert len(launch["request_id"]) >= 8
