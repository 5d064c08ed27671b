"""Paid calls on the server's keys: each is reserved in its owner's limits before it is made."""

import asyncio
from decimal import Decimal
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, arrived, flow, gate

from impasto.journal.protocol import Record
from impasto_server.limits.models import UsageDayRow
from impasto_server.limits.periods import stored
from impasto_server.runs import termination
from impasto_server.runs.costs.spending_limit import RunSpending
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.models import RunRow

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("at_noon")]


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"limit_usd_per_day": "1", "limit_usd_per_month": "2", "limit_concurrent_runs": 8}


def till(number: int = 1, max_usd: float = 0.5, **settings: Any) -> dict[str, Any]:
    """Return a flow of parallel `pay` nodes that hardly differ, so that none takes another's result."""
    pays = [
        {"id": f"pay{n}", "type": "pay", "settings": {"max_usd": max_usd + n / 1000, **settings}}
        for n in range(number)
    ]
    return flow("ask", *pays, edges=[f"ask.output -> pay{n}.text" for n in range(number)])


async def used(person: Any) -> str:
    items = expect(await person.client.get("/users/me/usage"), 200).json()["items"]
    return str(next(item["used"] for item in items if item["name"] == "usd_per_day"))


async def spent(app_state: Any) -> Decimal:
    async with app_state.database.reading() as session:
        return sum(await session.scalars(select(UsageDayRow.spent_usd)), Decimal(0))


async def test_parallel_runs_stay_within_the_limit_and_use_it(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, till(2))
    runs = await asyncio.gather(*(run_flow(person, made["id"]) for _ in range(4)))
    ended = [await finished(person, run) for run in runs]
    assert CALLS["pay"] == 5, "five calls of $0.20 fit into $1, although each reserves $0.50"
    assert await spent(app_state) == 1
    assert {run["error"]["code"] for run in ended if run["status"] == "failed"} == {"spending_limit"}


async def test_call_under_way_is_set_aside_and_settled(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    run = await run_flow(person, (await make_flow(person, till(gate="till")))["id"])
    await arrived("till")
    assert await used(person) == "0.5"
    gate("till").set()
    assert (await finished(person, run))["cost_usd"] == "0.2"
    assert await used(person) == "0.2"


async def test_cancelled_call_counts_as_spent(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    run = await run_flow(person, (await make_flow(person, till(gate="stop")))["id"])
    await arrived("stop")
    expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
    assert (await finished(person, run))["cost_usd"] == "0.5"
    assert await used(person) == "0.5"


async def test_users_own_key_is_not_limited(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    expect(await person.client.put("/credentials/openai", json={"key": "sk-own-key-1234"}), 200)
    made = await make_flow(person, till(max_usd=5.0, price=4.0))
    assert (await finished(person, await run_flow(person, made["id"])))["cost_usd"] == "4"
    assert await used(person) == "0"


async def test_price_that_is_not_known_needs_permission(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, till(max_usd=-1.0))
    refused = await finished(person, await run_flow(person, made["id"], allow_unpriced=True))
    assert refused["error"]["code"] == "price_unknown", "the server's keys are the operator's"
    expect(await person.client.put("/credentials/openai", json={"key": "sk-own-key-1234"}), 200)
    refused = await finished(person, await run_flow(person, made["id"], budget_usd="1"))
    assert refused["error"]["code"] == "price_unknown"
    allowed = await run_flow(person, made["id"], budget_usd="1", allow_unpriced=True)
    assert (await finished(person, allowed))["status"] == "finished"


async def lose_process(app_state: Any, run_id: str) -> None:
    """Claim the run, reserve $0.30 for a call and $0.40 for one that is not journalled, and die."""
    spending = RunSpending(app_state, run_id)
    journal = DatabaseJournal(app_state.database, app_state.pubsub, app_state.clock, spending)
    lease = await journal.create(run_id, "dead", 30, [Record("head", body=b'{"options":{}}')])
    assert await spending.hold(0.3, 0.1, may_wait=False) == 0.3
    body = orjson.dumps({"usd": 0.3, "held": 0.3})
    await journal.append(lease, [Record("reserve", "pay0 #1", "pay0", 0, 0.0, body)])
    assert await spending.hold(0.4, 0.1, may_wait=False) == 0.4
    assert await held(app_state, run_id) == stored(0.7)


async def held(app_state: Any, run_id: str) -> Decimal:
    async with app_state.database.reading() as session:
        return Decimal(await session.scalar(select(RunRow.held_usd).where(RunRow.id == run_id)))


@pytest.fixture
async def waiting_run(person: Any, app_state: Any) -> str:
    async with app_state.database.writing() as session:
        row = RunRow(
            owner_id=await person.id(), number=1, flow_name="Till", document=till(), status="running"
        )
        session.add(row)
        await session.flush()
        return str(row.id)


async def test_next_process_holds_only_what_the_journal_says(app_state: Any, waiting_run: str) -> None:
    await lose_process(app_state, waiting_run)
    journal = DatabaseJournal(app_state.database, app_state.pubsub, app_state.clock)
    await journal.claim(waiting_run, "dead", 30)
    assert await held(app_state, waiting_run) == stored(0.3)


async def test_process_that_begins_the_journal_holds_nothing_of_one_that_died_before(
    app_state: Any, waiting_run: str
) -> None:
    assert await RunSpending(app_state, waiting_run).hold(0.3, 0.1, may_wait=False) == 0.3
    assert await held(app_state, waiting_run) == stored(0.3)
    journal = DatabaseJournal(app_state.database, app_state.pubsub, app_state.clock)
    await journal.create(waiting_run, "next", 30, [Record("head", body=b'{"options":{}}')])
    assert await held(app_state, waiting_run) == 0


async def test_run_that_no_process_resumes_is_charged_for_its_lost_calls(
    person: Any, app_state: Any, waiting_run: str
) -> None:
    await lose_process(app_state, waiting_run)
    await termination.fail(app_state, waiting_run, "dead", "internal_error", None)
    assert await used(person) == "0.3"
    run = expect(await person.client.get(f"/runs/{waiting_run}"), 200).json()
    assert (run["status"], run["cost_usd"]) == ("failed", "0.3")
    assert await held(app_state, waiting_run) == 0


async def test_second_call_of_a_run_holds_only_what_the_first_has_left(
    app_state: Any, waiting_run: str
) -> None:
    spending = RunSpending(app_state, waiting_run)
    assert await spending.hold(0.7, 0.1, may_wait=False) == 0.7
    assert await spending.hold(0.7, 0.1, may_wait=False) == 0.3
