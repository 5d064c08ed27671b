"""Dollars on the server's keys: reserved before a run, settled with what it cost, never the user's own."""

import asyncio
import itertools
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, arrived, chain, flow, gate

from impasto_server.admin import people
from impasto_server.limits.models import UsageDayRow
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.runs.models import RunRow

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("at_noon")]


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"limit_usd_per_day": "1", "limit_usd_per_month": "2", "limit_concurrent_runs": 8}


def shop(*purchases: dict[str, Any], before: str | None = None) -> dict[str, Any]:
    """Return a chain of `buy` nodes with these settings, after a node of the type `before`."""
    nodes: list[Any] = ["ask", *([before] if before else [])]
    nodes += [{"id": f"buy{n}", "type": "buy", "settings": each} for n, each in enumerate(purchases)]
    ids = [item if isinstance(item, str) else item["id"] for item in nodes]
    edges = [f"{a}.output -> {b}.text" for a, b in itertools.pairwise(ids)]
    return flow(*nodes, edges=edges)


async def spent(app_state: Any) -> Decimal:
    async with app_state.database.reading() as session:
        rows = await session.scalars(select(UsageDayRow.spent_usd))
        return sum(rows, Decimal(0))


async def use_of(person: Any, name: str) -> dict[str, Any]:
    items = expect(await person.client.get("/users/me/usage"), 200).json()["items"]
    return next(item for item in items if item["name"] == name)


async def test_cost_of_a_run_is_counted_against_the_day_and_the_month(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, shop({"price": 0.3}))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["cost_usd"] == "0.3"
    assert (await use_of(person, "usd_per_day"))["used"] == "0.3"
    assert (await use_of(person, "usd_per_month"))["used"] == "0.3"


async def test_expected_cost_is_reserved_while_a_run_waits(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, shop({}, before="wait"))
    first = await run_flow(person, made["id"])
    second = await run_flow(person, made["id"])
    await arrived("gate")
    assert (await use_of(person, "usd_per_day"))["used"] == "0.8"
    refused = await run_flow(person, made["id"], status=402)
    assert refused["code"] == "spending_limit"
    assert refused["detail"].startswith(
        "You spent $0.00 of $1.00 today on this server's keys, with $0.80 set aside for your runs in "
        "progress. This launch is expected to cost $0.40. The limit resets at 00:00 UTC."
    )
    assert (refused["limit_name"], refused["limit"], refused["used"]) == ("usd_per_day", "1", "0.8")
    gate("gate").set()
    for run in (first, second):
        assert (await finished(person, run))["status"] == "finished"
    assert await spent(app_state) == Decimal("0.8")


async def test_reservation_of_a_cancelled_run_is_released(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, shop({"expected": 0.9}, before="wait"))
    run = await run_flow(person, made["id"])
    await arrived("gate")
    await run_flow(person, made["id"], status=402)
    expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
    assert (await finished(person, run))["status"] == "cancelled"
    assert (await use_of(person, "usd_per_day"))["used"] == "0"
    await run_flow(person, made["id"])
    gate("gate").set()


async def test_failed_run_is_charged_what_it_spent(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, shop({"fails": True, "price": 0.35}))
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["cost_usd"]) == ("failed", "0.35")
    assert await spent(app_state) == Decimal("0.35")


async def test_users_own_key_is_not_counted(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    expect(await person.client.put("/credentials/openai", json={"key": "sk-own-key-1234"}), 200)
    made = await make_flow(person, shop({"price": 5.0, "expected": 5.0}))
    run = await finished(person, await run_flow(person, made["id"]))
    assert (run["status"], run["cost_usd"]) == ("finished", "5")
    assert await spent(app_state) == 0


async def test_run_that_costs_more_than_expected_is_stopped_at_the_limit(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    purchases = [{"price": 0.4, "expected": 0.1 + n / 100} for n in range(5)]
    made = await make_flow(person, shop(*purchases))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    assert run["error"]["code"] == "spending_limit"
    assert "spending limit on this server's keys" in run["error"]["message"]
    assert await spent(app_state) <= Decimal("1.2")
    assert CALLS["buy"] < 5


async def test_free_agents_run_when_the_limit_is_reached(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    shopping = await make_flow(person, shop({"price": 1.0}))
    await finished(person, await run_flow(person, shopping["id"]))
    await run_flow(person, shopping["id"], status=402)
    free = await make_flow(person, chain("shout"))
    assert (await finished(person, await run_flow(person, free["id"])))["status"] == "finished"


async def test_day_resets_at_midnight_and_month_does_not(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, clock: Any
) -> None:
    now = clock()
    first = datetime(now.year + 1, 3, 1, 12, tzinfo=UTC)
    made = await make_flow(person, shop({"price": 1.0, "expected": 1.0}))
    for day, status in ((0, 202), (1, 202), (2, 402), (31, 202)):
        clock.ahead = first + timedelta(days=day) - datetime.now(UTC)
        sign_in = {"username": person.username, "password": "Thick-paint-7"}
        person.use((await person.client.post("/identity/sign-in", json=sign_in)).json()["session"])
        answer = await run_flow(person, made["id"], status=status)
        if status == 202:
            assert (await finished(person, answer))["status"] == "finished"
        else:
            assert "this month" in answer["detail"]
            assert "on 1 April at 00:00 UTC" in answer["detail"]


async def test_batch_reserves_all_rows_or_none(person: Any, make_flow: Any, app_state: Any) -> None:
    made = await make_flow(person, shop({}, before="wait"))
    path = f"/flows/{made['id']}/batch?version=draft"
    refused = await person.client.post(path, json=[{"ask": str(n)} for n in range(3)])
    expect(refused, 402, code="spending_limit")
    assert "expected to cost $1.20" in refused.json()["detail"]
    async with app_state.database.reading() as session:
        assert (await session.scalars(select(RunRow.id))).all() == []
    expect(await person.client.post(path, json=[{"ask": str(n)} for n in range(2)]), 202)
    gate("gate").set()


async def test_resume_reserves_what_is_left(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, shop({"price": 0.4}, {"price": 0.4, "expected": 0.41, "fails": True}))
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["status"] == "failed"
    limits = LimitOverrides(usd_per_day="0.8")
    await people.set_limits(app_state, None, await person.id(), limits)
    refused = await person.client.post(f"/runs/{run['id']}/resume")
    expect(refused, 402, code="spending_limit")
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(usd_per_day="1.5"))
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 202)
    await finished(person, run)
    assert await spent(app_state) == Decimal("1.2")


async def test_parallel_runs_stay_within_the_limit(
    person: Any, make_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, shop({"expected": 0.2, "price": 0.2}))
    body = {"inputs": {"ask": "x"}, "version": "draft"}
    answers = await asyncio.gather(
        *(person.client.post(f"/flows/{made['id']}/runs", json=body) for _ in range(10))
    )
    accepted = [answer.json() for answer in answers if answer.status_code == 202]
    for run in accepted:
        await finished(person, run)
    assert {answer.status_code for answer in answers} <= {202, 402}
    assert await spent(app_state) == Decimal("0.2") * len(accepted) <= 1
