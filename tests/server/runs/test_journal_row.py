"""What the records of a run change in its row."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest
from tests.server.sample_nodes import image_reference

from impasto.journal.protocol import Record
from impasto_server.runs.backends.fair_queue import Places
from impasto_server.runs.journal_row import charged, is_end, row_updates

AT = datetime(2026, 1, 31, 9, tzinfo=UTC)


def record(name: str, seq: int = 1, kind: str = "event", **data: Any) -> Record:
    return Record(kind, name, None, seq, AT.timestamp(), orjson.dumps(data))


def charge(usd: float, **about: Any) -> Record:
    return record("", 0, "charge", usd=usd, **about)


SOUND = {"$type": "Audio", "asset_id": "x"}
IMAGES = [image_reference("a1"), image_reference("a2")]


@pytest.mark.parametrize(
    ("records", "updates"),
    [
        ([], {}),
        ([record("memo", 9, "memo"), record("run.finished", 9, "memo")], {}),
        ([record("step.queued", 3), record("step.progress", 4)], {"last_seq": 4}),
        (
            [record("run.started", 1)],
            {"last_seq": 1, "status": "running", "started_at": AT, "finished_at": None, "error": None},
        ),
        ([record("step.finished", 5, outputs={"a": "text"})], {"last_seq": 5}),
        (
            [record("step.finished", 5, outputs={"a": SOUND, "b": IMAGES})],
            {"last_seq": 5, "cover_asset_id": "a1"},
        ),
        ([record("step.finished", 5, outputs={"a": '"Image"'})], {"last_seq": 5}),
        ([charge(0.25), charge(0.5), record("x", 5)], {"added_usd": Decimal("0.75"), "last_seq": 5}),
        ([charge(0.0)], {}),
        (
            [charge(0.25), record("run.finished", 8, cost_usd=1.5)],
            {"last_seq": 8, "status": "finished", "finished_at": AT, "error": None,
             "cost_usd": Decimal("1.5"), "lease_until": None},
        ),
        (
            [record("run.failed", 8, error={"code": "x"})],
            {"last_seq": 8, "status": "failed", "finished_at": AT, "error": {"code": "x"},
             "cost_usd": Decimal(0), "lease_until": None},
        ),
        (
            [record("run.cancelled", 8, cost_usd=None)],
            {"last_seq": 8, "status": "cancelled", "finished_at": AT, "error": None,
             "cost_usd": Decimal(0), "lease_until": None},
        ),
    ],
)  # fmt: skip
def test_records_change_the_row_as_their_events_say(records: list[Record], updates: dict[str, Any]) -> None:
    assert row_updates(records) == updates


def test_cost_is_on_the_keys_of_the_server_or_on_all() -> None:
    records = [charge(0.5), charge(0.25, own_key=True), charge(0.125, own_key=False), record("x", usd=9)]
    assert charged(records, own_keys=True) == Decimal("0.875")
    assert charged(records, own_keys=False) == Decimal("0.625")
    assert charged([], own_keys=True) == 0


def test_run_ends_with_an_event_not_with_a_memo_of_that_name() -> None:
    assert [
        is_end(each) for each in (record("run.failed"), record("run.failed", 0, "memo"), record("x"))
    ] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("free", "reserved", "runs", "expected"),
    [
        (3, 2, None, (3, 2)), (3, 2, 9, (3, 2)), (3, 2, 5, (3, 2)), (3, 2, 4, (3, 1)), (3, 2, 3, (3, 0)),
        (3, 2, 2, (2, 0)), (3, 2, 0, (0, 0)), (0, 2, 1, (0, 1)),
    ],
)  # fmt: skip
def test_free_places_are_limited_after_reserved_ones(
    free: int, reserved: int, runs: int | None, expected: tuple[int, int]
) -> None:
    found = Places(free, reserved, suspects=True, runs_per_user=7).limited_to(runs)
    assert (found.free, found.reserved) == expected
    assert bool(found) is (expected != (0, 0))
    assert found.parameters() == {
        "free": expected[0],
        "reserved": expected[1],
        "suspects": True,
        "runs_per_user": 7,
    }
