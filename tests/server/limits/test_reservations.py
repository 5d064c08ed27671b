"""What launches and paid calls take of a user's limits, at each boundary."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from tests.server.sample_nodes import flow

from impasto import NodeError
from impasto_server.admin import people
from impasto_server.assets.models import AssetRow
from impasto_server.http.errors import Problem
from impasto_server.limits.models import UsageDayRow
from impasto_server.limits.schemas import LimitOverrides
from impasto_server.limits.service import LaunchCost
from impasto_server.runs.costs import spending_limit
from impasto_server.runs.costs.spending_limit import RunSpending
from impasto_server.runs.models import RunRow

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("at_noon")]
FREE, FILES = LaunchCost(), LaunchCost(stores_files=True)
UNPRICED = LaunchCost(may_spend=True)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {
        "daily_quota": 3,
        "limit_queued_runs": 3,
        "limit_usd_per_day": "1",
        "limit_usd_per_month": "5",
        "limit_stored_bytes": 100,
    }


def usd(amount: str, *, own_keys: bool = False) -> LaunchCost:
    return LaunchCost(Decimal(amount), may_spend=True, uses_own_keys=own_keys)


async def user_with(
    app_state: Any,
    person: Any,
    *,
    launches: int = 0,
    queued: int = 0,
    spent: str = "0",
    reserved: str = "0",
    stored: int = 0,
) -> str:
    """Give the user a use of the limits; return the user's id."""
    user_id = await person.id()
    async with app_state.database.writing() as session:
        day = app_state.clock().date().isoformat()
        session.add(UsageDayRow(user_id=user_id, day=day, used=launches, spent_usd=Decimal(spent)))
        rows = [_run(user_id, number, reserved_usd="0") for number in range(queued)]
        if Decimal(reserved):
            rows.append(_run(user_id, 9, lease_owner="a process", reserved_usd=reserved))
        session.add_all(rows)
        if stored:
            session.add(
                AssetRow(
                    owner_id=user_id, kind="file", media_type="x/y", name="a", bytes=stored, sha256="0" * 64,
                    object_key="a", input_asset_ids=[],
                )
            )  # fmt: skip
    return user_id


def _run(user_id: str, number: int, **values: Any) -> RunRow:
    amounts = {name: Decimal(value) if name.endswith("_usd") else value for name, value in values.items()}
    return RunRow(
        **{"owner_id": user_id, "number": number + 1, "flow_name": "Till", "document": flow("ask"),
           "status": "running" if "lease_owner" in values else "queued", **amounts}
    )  # fmt: skip


async def reserve(app_state: Any, user_id: str, *costs: LaunchCost, counted: bool = True) -> Any:
    async with app_state.database.writing() as session:
        return await app_state.limits.reserve_launches(session, user_id, costs, counted=counted)


async def test_launch_takes_places_and_dollars_or_is_refused(new_person: Any, app_state: Any) -> None:
    cases: list[tuple[dict[str, Any], list[LaunchCost], Any]] = [
        ({}, [FREE], [None]),
        ({"launches": 2}, [FREE], [None]),
        ({"launches": 3}, [FREE], "quota_exceeded"),
        ({"launches": 2}, [FREE, FREE], "quota_exceeded"),
        ({"queued": 2}, [FREE], [None]),
        ({"queued": 3}, [FREE], "queued_runs_limit"),
        ({"queued": 2}, [FREE, FREE], "queued_runs_limit"),
        ({}, [usd("1")], ["1"]),
        ({}, [usd("1.01")], "spending_limit"),
        ({"spent": "0.4"}, [usd("0.6")], ["0.6"]),
        ({"spent": "0.4"}, [usd("0.61")], "spending_limit"),
        ({"reserved": "0.4"}, [usd("0.6")], ["0.6"]),
        ({"reserved": "0.4"}, [usd("0.61")], "spending_limit"),
        ({"spent": "0.3"}, [usd("0.2"), usd("0.1")], ["0.6", "0.5"]),
        ({"spent": "0.3"}, [usd("0.2", own_keys=True), FREE], [None, None]),
        ({}, [UNPRICED], ["1"]),
        ({"spent": "0.99"}, [UNPRICED], ["0.01"]),
        ({"spent": "1"}, [UNPRICED], "spending_limit"),
        ({"spent": "1"}, [FREE], [None]),
        ({"stored": 99}, [FILES], [None]),
        ({"stored": 100}, [FILES], "stored_bytes_limit"),
        ({"stored": 100}, [FREE], [None]),
        ({"stored": 100}, [FREE, FILES], "stored_bytes_limit"),
    ]
    for number, (use, costs, caps) in enumerate(cases):
        user = await new_person(f"user{number}")
        found = await caps_or_refusal(app_state, await user_with(app_state, user, **use), *costs)
        expected = caps if isinstance(caps, str) else [cap and Decimal(cap) for cap in caps]
        assert (use, costs, found) == (use, costs, expected)
        quota = (await user.client.get("/users/me")).json()["quota"]
        taken = 0 if isinstance(caps, str) else len(costs)
        assert (use, quota["used"], quota["limit"]) == (use, use.get("launches", 0) + taken, 3)


async def caps_or_refusal(app_state: Any, user_id: str, *costs: LaunchCost) -> list[Decimal | None] | str:
    """Return how much each launch may spend, or the code of the refusal of all of them."""
    try:
        made = await reserve(app_state, user_id, *costs)
    except Problem as refused:
        return refused.code
    assert made.day == app_state.clock().date().isoformat()
    assert list(made.reserved) == [cost.server_usd for cost in costs]
    return list(made.caps)


async def test_launch_that_is_counted_already_takes_no_quota_and_can_be_given_back(
    person: Any, app_state: Any
) -> None:
    user_id = await user_with(app_state, person, launches=3)
    await reserve(app_state, user_id, FREE, counted=False)
    day = app_state.clock().date().isoformat()
    for used in (2, 1, 0, 0):
        async with app_state.database.writing() as session:
            await app_state.limits.refund_launch(session, user_id, day)
        assert (await person.client.get("/users/me")).json()["quota"]["used"] == used
    async with app_state.database.writing() as session:
        await app_state.limits.refund_launch(session, user_id, "2020-01-01")
    async with app_state.database.reading() as session:
        other = await session.get(UsageDayRow, (user_id, "2020-01-01"))
    assert (other.used, other.spent_usd) == (0, 0), "no launch of that day has counted"


async def test_spending_of_the_month_counts_to_its_first_day(person: Any, app_state: Any) -> None:
    user_id = await user_with(app_state, person)
    today = app_state.clock().date()
    first = today.replace(day=1)
    days = {first: "1", first - timedelta(days=1): "2", today + timedelta(days=1): "4"}
    async with app_state.database.writing() as session:
        for day, amount in days.items():
            await session.merge(
                UsageDayRow(user_id=user_id, day=day.isoformat(), used=0, spent_usd=Decimal(amount))
            )
    items = (await person.client.get("/users/me/usage")).json()["items"]
    assert next(item["used"] for item in items if item["name"] == "usd_per_month") == "1"


async def test_use_of_another_user_is_not_counted(person: Any, new_person: Any, app_state: Any) -> None:
    other = await new_person("ines")
    await user_with(app_state, other, launches=2, queued=1, spent="0.5", reserved="0.25", stored=40)
    await user_with(app_state, person, launches=1, queued=2, spent="0.125", stored=7)
    names = ("runs_per_day", "queued_runs", "usd_per_day", "usd_per_month", "stored_bytes")
    for user, expected in (
        (person, [1, 2, "0.125", "0.125", 7]),
        (other, [2, 1, "0.75", "0.75", 40]),
    ):
        items = (await user.client.get("/users/me/usage")).json()["items"]
        used = {item["name"]: item["used"] for item in items}
        assert [used[name] for name in names] == expected


async def test_usage_offers_no_call_unless_one_is_configured(person: Any) -> None:
    assert (await person.client.get("/users/me/usage")).json()["book_a_call_url"] is None


@pytest.fixture
async def run_id(person: Any, app_state: Any) -> str:
    """A run of the user that has set aside half a dollar of the day's dollar."""
    user_id = await user_with(app_state, person)
    async with app_state.database.writing() as session:
        row = _run(user_id, 0, lease_owner="a process", reserved_usd="0.5")
        session.add(row)
        await session.flush()
        return str(row.id)


async def hold(app_state: Any, run_id: str, amount: str, at_least: str = "0") -> Any:
    async with app_state.database.writing() as session:
        return await app_state.limits.hold(session, run_id, Decimal(amount), Decimal(at_least))


async def test_calls_hold_what_is_left_of_the_limit(app_state: Any, run_id: str) -> None:
    assert (await hold(app_state, run_id, "0.4")).usd == Decimal("0.4")
    assert (await hold(app_state, run_id, "5")).usd == Decimal("0.6")
    refused = await hold(app_state, run_id, "0.1")
    assert (refused.usd, refused.may_grow) == (0, True)
    assert refused.sentence.startswith("The run was stopped: you spent $0.00 of $1.00 today")
    async with app_state.database.writing() as session:
        await app_state.limits.release(session, run_id, Decimal("0.3"))
    too_few = await hold(app_state, run_id, "0.5", "0.31")
    assert (too_few.usd, too_few.may_grow) == (0, True)
    assert (await hold(app_state, run_id, "0.5", "0.3")).usd == Decimal("0.3")
    async with app_state.database.writing() as session:
        await app_state.limits.release(session, run_id, Decimal(9))
    async with app_state.database.reading() as session:
        assert (await session.get(RunRow, run_id)).held_usd == 0, "more was freed than was held"


async def test_call_is_refused_for_good_if_no_other_call_may_free_dollars(
    person: Any, app_state: Any, run_id: str
) -> None:
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(usd_per_day="0"))
    refused = await hold(app_state, run_id, "0.1")
    assert (refused.usd, refused.may_grow) == (0, False)
    unknown = await hold(app_state, "no such run", "0.1")
    assert (unknown.usd, unknown.may_grow) == (0, False)
    assert unknown.sentence.startswith("The run was stopped: its next step would exceed your spending limit")
    async with asyncio.timeout(20):
        for may_wait in (False, True):
            with pytest.raises(NodeError, match=r"^The run was stopped: you spent") as raised:
                await RunSpending(app_state, run_id).hold(0.1, 0.0, may_wait=may_wait)
            assert raised.value.code == "spending_limit"


async def test_call_waits_while_another_one_may_free_dollars(
    app_state: Any, run_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spending = RunSpending(app_state, run_id)
    assert await spending.hold(0.123456789, 0.1, may_wait=False) == 0.123456789, "no more than is asked for"
    assert (await hold(app_state, run_id, "5")).usd == Decimal("0.87654321")
    with pytest.raises(NodeError):
        await spending.hold(0.5, 0.4, may_wait=False)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 6:
            async with app_state.database.writing() as session:
                await spending.on_settled(session, run_id, Decimal("0.45"))

    monkeypatch.setattr(spending_limit, "asyncio", SimpleNamespace(sleep=sleep))
    assert await spending.hold(0.5, 0.4, may_wait=True) == 0.45
    assert slept == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


async def charge(app_state: Any, run_id: str, amount: str) -> str | None:
    async with app_state.database.writing() as session:
        sentence: str | None = await app_state.limits.record_charge(session, run_id, Decimal(amount))
        return sentence


async def test_run_goes_on_until_it_has_spent_more_than_is_left(app_state: Any, run_id: str) -> None:
    assert await charge(app_state, run_id, "0.5") is None
    assert await charge(app_state, run_id, "0.5") is None
    sentence = await charge(app_state, run_id, "0.01")
    assert sentence is not None
    assert sentence.startswith("The run was stopped: you spent $1.01 of $1.00 today")
    assert await charge(app_state, "no such run", "1") is None


async def test_run_may_spend_what_it_has_set_aside_after_the_limit_was_lowered(
    person: Any, app_state: Any, run_id: str
) -> None:
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(usd_per_day="0.1"))
    assert await charge(app_state, run_id, "0.5") is None
    assert await charge(app_state, run_id, "0.00000001") is not None
