"""The problems of every limit: sentence, status, limit and use, and when to try again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_server.limits import refusals
from impasto_server.limits.errors import LimitReached, QuotaExceeded
from impasto_server.limits.periods import day_of, dollars_left, next_day, next_month, stored, tightest
from impasto_server.limits.repository import RunUse
from impasto_server.limits.schemas import Limits
from impasto_server.settings import Settings

NOW = datetime(2026, 12, 30, 12, tzinfo=UTC)
UNUSED = RunUse(0, Decimal(0), Decimal(0), Decimal(0), 0, 0)
MORE = "or ask the operator of this server for more."


@pytest.fixture
def limits(settings: Settings) -> Limits:
    wanted: dict[str, Any] = {
        "stored_bytes": 2_000_000_000, "assets": 1000, "agents": 2, "brands": 3, "versions": 4,
        "queued_runs": 5, "usd_per_day": "9", "usd_per_month": "20",
    }  # fmt: skip
    return Limits.from_settings(settings).with_overrides(wanted)


def shown(refusal: LimitReached) -> tuple[str, int, Any, Any, str | None]:
    members = refusal.members
    return (
        str(members["limit_name"]), refusal.status, members["limit"], members["used"],
        (refusal.headers or {}).get("Retry-After"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (999_949, "999.9 kB"), (10**6, "1 MB"),
     (2_500_000_000, "2.5 GB"), (10**12, "1 TB"), (4 * 10**15, "4,000 TB")],
)  # fmt: skip
def test_size_has_the_largest_unit_that_it_fills(number: int, text: str) -> None:
    assert refusals.size(number) == text


@pytest.mark.parametrize(
    ("amount", "text"), [("0", "$0.00"), ("0.0099", "$0.0099"), ("0.01", "$0.01"), ("0.00004", "$0.0000")]
)
def test_amount_below_one_cent_has_four_decimals(amount: str, text: str) -> None:
    assert refusals.dollars(Decimal(amount)) == text


def test_full_storage_says_what_is_added(settings: Settings, limits: Limits) -> None:
    full = refusals.storage_full(settings, limits, 1_900_000_000, 200_000_000)
    assert shown(full) == ("stored_bytes", 413, 2_000_000_000, 1_900_000_000, None)
    assert full.detail == (
        "You store 1.9 GB of 2 GB, and this file has 200 MB. Delete assets or agents that you no longer "
        f"need, {MORE}"
    )
    save = refusals.storage_full(settings, limits, 2_000_000_000, 1000, what="save")
    assert "You store 2 GB of 2 GB, and this save adds 1 kB. Delete" in save.detail
    unknown = refusals.storage_full(settings, limits, 2_000_000_000, 0)
    assert "You store 2 GB of 2 GB. Delete" in unknown.detail


def test_full_counts_say_what_to_delete(settings: Settings, limits: Limits) -> None:
    assets = refusals.assets_full(settings, limits, 1000)
    assert shown(assets) == ("assets", 413, 1000, 1000, None)
    assert assets.detail == f"You have 1,000 of 1,000 assets. Delete assets that you no longer need, {MORE}"
    agents, brands = refusals.agents_full(settings, limits, 2), refusals.brands_full(settings, limits, 3)
    assert shown(agents) == ("agents", 429, 2, 2, None)
    assert shown(brands) == ("brands", 429, 3, 3, None)
    assert "You have 2 of 2 agents. Delete an agent that" in agents.detail
    assert "You have 3 of 3 brands. Delete a brand that" in brands.detail
    versions = refusals.versions_full(settings, limits, 4, of="brand")
    assert shown(versions) == ("versions", 429, 4, 4, None)
    assert versions.detail.startswith("This brand has 4 of 4 versions. Duplicate it")


def test_full_queue_and_open_streams_say_when_to_try_again(settings: Settings, limits: Limits) -> None:
    queue = refusals.queue_full(settings, limits, 4, 2)
    assert shown(queue) == ("queued_runs", 429, 5, 4, "60")
    assert queue.detail.startswith("You have 4 of 5 runs waiting, and this launch adds 2.")
    streams = refusals.in_progress(settings, "streams", "event streams open", 8, 8)
    assert shown(streams) == ("streams", 429, 8, 8, "10")
    assert streams.detail.startswith("You have 8 of 8 event streams open. Try again when one has ended")


def test_spending_limit_says_what_is_spent_reserved_and_expected(settings: Settings, limits: Limits) -> None:
    use = replace(UNUSED, spent_today=Decimal(8), spent_month=Decimal(8), reserved=Decimal("0.5"))
    day = refusals.spending_limit(settings, limits, use, Decimal("0.75"), NOW)
    assert shown(day) == ("usd_per_day", 402, "9", "8.5", None)
    assert day.code == "spending_limit"
    assert day.members["resets_at"] == "2026-12-31T00:00:00+00:00"
    assert day.members["expected_usd"] == "0.75"
    assert day.detail == (
        "You spent $8.00 of $9.00 today on this server's keys, with $0.50 set aside for your runs in "
        "progress. This launch is expected to cost $0.75. The limit resets at 00:00 UTC. Your own provider "
        f"keys do not count; {MORE}"
    )
    month = replace(UNUSED, spent_month=Decimal(20))
    refused = refusals.spending_limit(settings, limits, month, Decimal(0), NOW)
    assert shown(refused) == ("usd_per_month", 402, "20", "20", None)
    assert refused.members["resets_at"] == "2027-01-01T00:00:00+00:00"
    assert refused.detail.startswith(
        "You spent $20.00 of $20.00 this month on this server's keys. The limit resets on 1 January at "
    )


def test_refusal_offers_a_call_where_the_operator_gives_a_link(settings: Settings, limits: Limits) -> None:
    offering = settings.model_copy(update={"book_a_call_url": "https://calls.example"})
    refused = refusals.agents_full(offering, limits, 2)
    assert refused.detail.endswith("or book a call with us to get more.")
    assert refused.members["book_a_call_url"] == "https://calls.example"
    assert refusals.agents_full(settings, limits, 2).members["book_a_call_url"] is None


@pytest.mark.parametrize(("seconds", "retry_after"), [(43_200, "43200"), (1.9, "1"), (0.2, "1")])
def test_exceeded_quota_says_when_it_resets(settings: Settings, seconds: float, retry_after: str) -> None:
    resets_at = NOW + timedelta(seconds=seconds)
    refused = QuotaExceeded(settings, 3, 3, resets_at, NOW)
    assert shown(refused) == ("runs_per_day", 429, 3, 3, retry_after)
    assert (refused.code, refused.members["resets_at"]) == ("quota_exceeded", resets_at.isoformat())


@pytest.mark.parametrize(
    ("today", "month", "is_day"), [("0", "11", True), ("0", "11.01", False), ("1", "11", True)]
)
def test_tightest_period_leaves_less_and_is_the_day_if_both_leave_the_same(
    limits: Limits, today: str, month: str, is_day: bool
) -> None:
    use = replace(UNUSED, spent_today=Decimal(today), spent_month=Decimal(month), reserved=Decimal(3))
    assert tightest(limits, use).is_day is is_day
    left = min(Decimal(9) - Decimal(today), Decimal(20) - Decimal(month))
    assert dollars_left(limits, use) == left - 3


@given(st.integers(0, 4 * 10**9), st.integers(-14, 14))
def test_days_and_months_end_at_midnight_in_utc(seconds: int, offset: int) -> None:
    now = datetime.fromtimestamp(seconds, timezone(timedelta(hours=offset)))
    day, month = next_day(now), next_month(now)
    assert timedelta(0) < day - now <= timedelta(days=1)
    assert (day.hour, day.minute, day.second, day.microsecond) == (0, 0, 0, 0)
    assert timedelta(0) < month - now <= timedelta(days=31)
    assert month == next_day(month - timedelta(microseconds=1))
    assert month.day == 1
    assert day_of(day - timedelta(microseconds=1)) == day_of(now) != day_of(day)


def test_dollars_are_stored_with_eight_decimals() -> None:
    assert stored(0.1) == Decimal("0.10000000")
    assert stored(1e-9) == 0
