"""The watchdog of the event loop, and the readiness of the queue."""

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from sqlalchemy import delete
from structlog.testing import capture_logs
from tests.server.responses import expect
from tests.server.timers import TimerLoop

from impasto_server.observability import loop_watchdog
from impasto_server.observability.loop_watchdog import (
    LOOP_LAG,
    LOOP_STALLS,
    LoopWatchdog,
    watch_event_loop,
)
from impasto_server.runs.models import WorkerRow

pytestmark = pytest.mark.anyio


def block_the_event_loop(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)


async def test_stall_is_logged_once_with_the_stack_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_watchdog, "_STALL_SECONDS", 0.1)
    with capture_logs() as logs, watch_event_loop():
        block_the_event_loop(1)
        block_the_event_loop(1)
    stalls = [line for line in logs if line["event"] == "the event loop is stalled"]
    assert len(stalls) == 1
    assert "block_the_event_loop" in stalls[0]["stack"]


async def test_loop_that_responds_again_is_not_stalled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_watchdog, "_STALL_SECONDS", 0.1)

    def is_stalled() -> float:
        return float(LOOP_STALLS.collect()[0].samples[0].value)

    with watch_event_loop():
        block_the_event_loop(0.3)
        found = [is_stalled()]
        async with asyncio.timeout(20):
            while is_stalled():
                await asyncio.sleep(0.01)
        found.append(is_stalled())
    assert found == [1, 0]


async def test_lag_of_the_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    LOOP_LAG.set(0)
    with watch_event_loop():
        loop = loop_watchdog.asyncio.get_running_loop()
        block_the_event_loop(0.5)
        beaten = loop.create_future()
        loop.call_later(0.3, beaten.set_result, None)
        await beaten
    assert 0.3 < LOOP_LAG.collect()[0].samples[0].value < 5


def test_longest_lag_of_30_seconds_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    now, loop = 100.0, TimerLoop()
    monkeypatch.setattr(loop_watchdog, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(loop_watchdog, "_STALL_SECONDS", 1000.0)
    watchdog = LoopWatchdog(loop)  # type: ignore[arg-type]

    def lag_after(seconds: float) -> float:
        nonlocal now
        now += seconds
        loop.timers[-1].call()
        return round(LOOP_LAG.collect()[0].samples[0].value, 6)

    assert [lag_after(seconds) for seconds in (0.125, 0.625, 0.25, 0.0, 0.6)] == [
        0.025, 0.525, 0.525, 0.525, 0.525,
    ]  # fmt: skip
    assert lag_after(29.4) == 29.3
    assert {lag_after(0.1) for _ in range(299)} == {29.3}
    assert [lag_after(0.2) for _ in range(3)][-1] == 0.1
    assert {timer.seconds for timer in loop.timers} == {0.1}
    watchdog.stop()
    assert loop.timers[-1].is_cancelled
    for thread in threading.enumerate():
        if thread.name == "loop watchdog":
            thread.join(20)
            assert not thread.is_alive()


def test_loop_responds_again_after_more_than_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now, loop = 100.0, TimerLoop()
    monkeypatch.setattr(loop_watchdog, "time", SimpleNamespace(monotonic=lambda: now))
    structlog.reset_defaults()
    watchdog = LoopWatchdog(loop)  # type: ignore[arg-type]
    with capture_logs() as logged:
        for seconds in (0.1, 1.0, 1.2):
            now += seconds
            loop.timers[-1].call()
    watchdog.stop()
    # The watchdog's thread may log the stall of the second beat, too.
    warnings = [(line["event"], line["seconds"]) for line in logged if line["log_level"] == "warning"]
    assert warnings == [("the event loop responds again", 1.1)]


class TestReadiness:
    @pytest.fixture
    def extra_settings(self, redis_url: str) -> dict[str, Any]:
        return {"run_backend": "celery", "redis_url": redis_url}

    async def test_queue_without_workers_is_not_ready(self, client: Any, app_state: Any) -> None:
        response = await client.get("http://testserver/readyz")
        expect(response, 503)
        assert response.json()["queue"] == "no workers"
        now = app_state.clock()
        async with app_state.database.writing() as session:
            session.add(WorkerRow(name="a worker", started_at=now, seen_at=now))
        response = await client.get("http://testserver/readyz")
        expect(response, 200)
        assert response.json() == {"database": "ok", "store": "ok", "queue": "ok", "mail": "ok"}


async def test_server_that_executes_runs_itself_is_ready(client: Any, app_state: Any) -> None:
    expect(await client.get("http://testserver/readyz"), 200)
    async with app_state.database.writing() as session:
        await session.execute(delete(WorkerRow))
    assert (await client.get("http://testserver/readyz")).json()["queue"] == "no workers"
