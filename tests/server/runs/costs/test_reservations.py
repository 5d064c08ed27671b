"""Paid calls in a run's journal: what they hold, and what counts as spent when a process has died."""

from decimal import Decimal
from typing import Any

import orjson
import pytest
from sqlalchemy import insert

from impasto.journal.protocol import Record
from impasto_server.runs.costs.reservations import OpenCall, change, held_by, open_calls, settlements
from impasto_server.runs.models import RecordRow

pytestmark = pytest.mark.anyio


def record(kind: str, name: str = "", **body: Any) -> Record:
    return Record(kind, name, "paint", 0, 1.5, orjson.dumps(body))


@pytest.mark.parametrize(
    ("records", "held"),
    [
        ([], "0"),
        ([record("reserve", "c1", usd=0.5, held=0)], "0.5"),
        ([record("reserve", "c1", usd=0.5, held=0.2)], "0.3"),
        ([record("reserve", "c1", usd=0.5, held=0.5)], "0"),
        ([record("charge", usd=0.4, reserved=0.3)], "-0.3"),
        ([record("charge", usd=0.4)], "0"),
        ([record("settle", "c1", usd=0.25)], "-0.25"),
        (
            [record("reserve", "c1", usd=1, held=0), record("charge", usd=1, reserved=0.5),
             record("settle", usd=0.25)],
            "0.25",
        ),
        ([record("reserve", usd=0.5, held=0, own_key=True), record("settle", usd=0.5, own_key=True)], "0"),
        ([record("event", "step.finished", usd=9, held=0)], "0"),
    ],
)  # fmt: skip
def test_batch_changes_what_the_run_holds_on_the_servers_keys(records: list[Record], held: str) -> None:
    assert change(records) == Decimal(held)


def test_open_calls_hold_what_is_left_and_are_counted_as_spent() -> None:
    calls = [OpenCall("c1", "paint", 0.5, is_own_key=False), OpenCall("c2", None, 0.25, is_own_key=True)]
    assert held_by(calls) == Decimal("0.5")
    assert held_by([]) == 0
    assert settlements(calls) == [
        ("charge", "", "paint", {"usd": 0.5, "units": {}, "call": "c1", "reserved": 0.5, "assumed": True}),
        ("settle", "c1", "paint", {"usd": 0.0}),
        (
            "charge",
            "",
            None,
            {"usd": 0.25, "units": {}, "call": "c2", "reserved": 0.25, "assumed": True, "own_key": True},
        ),
        ("settle", "c2", None, {"usd": 0.0, "own_key": True}),
    ]
    assert settlements([]) == []


async def test_calls_without_a_settlement_are_open(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    run = await finished(person, await run_flow(person, made["id"]))
    records = [
        record("reserve", "c1", usd=0.5),
        record("reserve", "c2", usd=0.75, own_key=True),
        record("reserve", "c3", usd=1.0),
        record("charge", usd=0.2, call="c1", reserved=0.125),
        record("charge", usd=0.2, call="c2"),
        record("charge", usd=0.2, call="unknown", reserved=9.0),
        record("charge", usd=0.2),
        record("settle", "c3", usd=0.0),
        record("settle", "unknown", usd=0.0),
        record("event", "c4", usd=9.0),
    ]
    rows = [
        {
            "run_id": run["id"],
            "position": 10_000 + place,
            **{name: getattr(each, name) for name in ("kind", "name", "step", "seq", "time", "body")},
        }
        for place, each in enumerate(records)
    ]
    async with app_state.database.writing() as session:
        await session.execute(insert(RecordRow), rows)
    async with app_state.database.reading() as session:
        assert await open_calls(session, run["id"]) == [
            OpenCall("c1", "paint", 0.375, is_own_key=False),
            OpenCall("c2", "paint", 0.75, is_own_key=True),
        ]
        assert await open_calls(session, "another") == []
