"""What a user's steps cost by day and provider."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest

from impasto.journal.protocol import Record
from impasto_server.runs.costs.provider_costs import MAX_PROVIDER, record, sum_by_provider, usd_since

pytestmark = pytest.mark.anyio


def ended(
    usd: float | None,
    provider: Any = "openai",
    day: int = 1,
    kind: str = "event",
    name: str = "step.finished",
    **about: Any,
) -> Record:
    body = {"cost_usd": usd, "made_by": {"provider": provider}, **about}
    at = datetime(2026, 1, day, 23, 59, 59, tzinfo=UTC).timestamp()
    return Record(kind, name, "paint", 1, at, orjson.dumps(body))


async def test_costs_of_ended_steps_are_summed_by_day_and_provider(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    user_id, other_id = await person.id(), await (await new_person("ines")).id()
    batches = [
        [ended(0.5), ended(0.25, name="step.failed"), ended(1, "fal", day=2), ended(2, "x" * 61, day=3)],
        [ended(0.125, name="step.skipped"), ended(4, day=4)],
        [ended(9, kind="memo"), ended(9, name="step.started"), ended(9, cached=True), ended(9, provider=7)],
        [ended(0), ended(None), ended(9, made_by=None), Record("event", "step.finished")],
        [],
    ]
    async with app_state.database.writing() as session:
        for batch in batches:
            await record(session, run["id"], batch)
        await record(session, "no run", [ended(9)])
    async with app_state.database.reading() as session:
        sums = await sum_by_provider(session, user_id, "2026-01-01", "2026-01-03")
        assert sums == [("x" * MAX_PROVIDER, Decimal(2)), ("fal", Decimal(1)), ("openai", Decimal("0.875"))]
        assert await sum_by_provider(session, None, "2026-01-02", "2026-01-02") == [("fal", Decimal(1))]
        assert await sum_by_provider(session, other_id, "2026-01-01", "2026-01-09") == []
        since = [await usd_since(session, user_id, f"2026-01-0{day}") for day in (1, 2, 4, 5)]
        assert since == [Decimal("7.875"), Decimal(7), Decimal(4), Decimal(0)]
        assert await usd_since(session, other_id, "2026-01-01") == 0
