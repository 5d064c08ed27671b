"""An outage of the database or of the storage never fails a run: it continues when the service is back."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from obstore.exceptions import GenericError
from prometheus_client import REGISTRY
from sqlalchemy.exc import IntegrityError, OperationalError
from structlog.testing import capture_logs
from tests.server.sample_nodes import CALLS, chain

from impasto_server.outages import is_outage
from impasto_server.runs import journal
from impasto_server.runs.backends.dispatcher import Dispatcher
from impasto_server.runs.journal import DatabaseJournal

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"lease_seconds": 1, "dispatch_seconds": 0.1, "log_level": "warning"}


def fail_times(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, error: Exception, times: int) -> None:
    """Make an asynchronous method raise an error the first times that it is called."""
    method = getattr(owner, name)
    left = [error] * times

    async def failing(*args: Any, **kwargs: Any) -> Any:
        if left:
            raise left.pop()
        return await method(*args, **kwargs)

    monkeypatch.setattr(owner, name, failing)


async def test_short_database_outage_is_waited_out(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(journal, "asyncio", SimpleNamespace(sleep=sleep))
    error = OperationalError("INSERT", {}, Exception("the connection is closed"))
    fail_times(monkeypatch, DatabaseJournal, "_write", error, 6)
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["error"]) == ("finished", None)
    assert (CALLS["shout"], CALLS["paint"]) == (1, 1)
    assert slept == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


async def test_run_continues_after_a_long_database_outage(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    monkeypatch.setattr(journal, "_OUTAGE_SECONDS", 0)
    error = OperationalError("INSERT", {}, Exception("the connection is closed"))
    fail_times(monkeypatch, DatabaseJournal, "_update_held", error, 2)
    before = REGISTRY.get_sample_value("impasto_runs_interrupted_total") or 0.0
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["error"]) == ("finished", None)
    assert (REGISTRY.get_sample_value("impasto_runs_interrupted_total") or 0.0) > before


@pytest.mark.parametrize(
    ("error", "level", "said"),
    [
        (OperationalError("SELECT", {}, Exception("the connection is closed\nat once")), "warning", "reason"),
        (ValueError("a defect"), "error", "exc_info"),
    ],
)
async def test_outage_is_logged_in_one_line_and_a_defect_with_its_traceback(
    app_state: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, level: str, said: str
) -> None:
    with capture_logs() as lines:
        fail_times(monkeypatch, Dispatcher, "_fill", error, 1)
        async with asyncio.timeout(60):
            while not (found := [line for line in lines if line["event"] == "could not claim runs"]):
                await asyncio.sleep(0.01)
    assert found[0]["log_level"] == level
    assert set(found[0]) == {"event", "log_level", said}
    assert "\n" not in str(found[0].get("reason"))


async def test_batch_whose_commit_was_not_confirmed_is_written_once(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, chain("shout", "paint"))
    write = DatabaseJournal._try_append
    lost: list[bool] = []

    async def lose_first_answer(self: DatabaseJournal, *args: Any, is_retry: bool) -> bool:
        if lost:
            return await write(self, *args, is_retry=is_retry)
        lost.append(await write(self, *args, is_retry=is_retry))
        self._next[args[0]] -= len(args[1])  # as if the connection had been lost after the commit
        return False

    monkeypatch.setattr(DatabaseJournal, "_try_append", lose_first_answer)
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "finished"
    stream = (await person.client.get(f"/runs/{run['id']}/events")).text
    numbers = [int(line[4:]) for line in stream.splitlines() if line.startswith("id: ")]
    assert numbers == list(range(1, run["last_seq"] + 1))


async def test_run_continues_after_an_outage_of_the_storage(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await make_flow(person, chain("paint"))
    error = GenericError("error sending request for url (http://10.0.0.7/bucket)")
    fail_times(monkeypatch, app_state.storage, "put_file", error, 2)
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["error"]) == ("finished", None)
    assert run["results"][0]["value"]["media_type"] == "image/png"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ConnectionRefusedError(111, "refused"), True),
        (OSError("Multiple exceptions"), True),
        (FileNotFoundError(2, "no such file"), False),
        (IntegrityError("INSERT", {}, Exception("duplicate key")), False),
        (ValueError("wrong"), False),
    ],
)
def test_only_unreachable_services_are_outages(error: Exception, expected: bool) -> None:
    assert is_outage(error) is expected
