"""What the journal's records, and the ends of runs, add to the metrics."""

import time
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from prometheus_client import REGISTRY

from impasto_server.observability import metrics


@dataclass(frozen=True)
class Record:
    """A record of a journal."""

    name: str
    data: dict[str, Any]
    kind: str = "event"
    step: str | None = "step"
    seq: int = 1
    time: float = 0.0

    @property
    def body(self) -> bytes:
        return orjson.dumps(self.data)


def samples() -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return what this process has counted, without buckets and times of creation."""
    return {
        (sample.name.removeprefix("impasto_"), tuple(sorted(sample.labels.items()))): sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
        if sample.name.startswith(("impasto_run", "impasto_step", "impasto_provider", "impasto_event_lag"))
        and not sample.name.endswith(("_bucket", "_created"))
    }


def added(*records: Record) -> dict[str, float]:
    before = samples()
    metrics.observe_records(records)
    return changed(before)


def changed(before: dict[Any, float]) -> dict[str, float]:
    found = {
        " ".join([name, *(value for _, value in labels if value)]): round(
            value - before.get((name, labels), 0), 6
        )
        for (name, labels), value in samples().items()
    }
    return {name: value for name, value in found.items() if value}


def test_computed_step_counts_with_its_provider() -> None:
    data = {"seconds": 2.5, "cost_usd": 0.25, "made_by": {"provider": "observed"}}
    assert added(Record("step.finished", data)) == {
        "steps_total finished": 1,
        "step_seconds_count": 1,
        "step_seconds_sum": 2.5,
        "provider_seconds_count observed": 1,
        "provider_seconds_sum observed": 2.5,
        "provider_usd_total observed": 0.25,
    }
    for cost in ({"cost_usd": -1}, {}):
        assert added(Record("step.finished", {**cost, "made_by": {"provider": "observed"}})) == {
            "steps_total finished": 1,
            "step_seconds_count": 1,
            "provider_seconds_count observed": 1,
        }
    assert added(Record("step.finished", {"made_by": {"model": "x"}, "seconds": 1})) == {
        "steps_total finished": 1,
        "step_seconds_count": 1,
        "step_seconds_sum": 1,
    }


def test_reused_and_skipped_steps_are_counted_alone() -> None:
    assert added(Record("step.finished", {"cached": True, "seconds": 9})) == {"steps_total cached": 1}
    assert added(Record("step.skipped", {"reason": "condition"})) == {"steps_total condition skipped": 1}
    assert added(Record("step.skipped", {})) == {"steps_total skipped": 1}


def test_failed_step_counts_its_code_and_provider() -> None:
    error = {"code": "moderated", "provider": "observed"}
    assert added(Record("step.failed", {"seconds": 1.5, "error": error})) == {
        "steps_total moderated failed": 1,
        "step_seconds_count": 1,
        "step_seconds_sum": 1.5,
        "provider_errors_total moderated observed": 1,
    }
    charged = {"seconds": 1.5, "cost_usd": 0.5, "made_by": {"provider": "observed"}}
    assert added(Record("step.failed", charged)) == {
        "steps_total failed": 1,
        "step_seconds_count": 1,
        "step_seconds_sum": 1.5,
        "provider_seconds_count observed": 1,
        "provider_seconds_sum observed": 1.5,
        "provider_usd_total observed": 0.5,
    }
    assert added(Record("step.failed", {})) == {"steps_total failed": 1, "step_seconds_count": 1}


@pytest.mark.parametrize("status", ["finished", "failed", "cancelled"])
def test_run_counts_with_its_status_and_code(status: str) -> None:
    assert added(Record(f"run.{status}", {"seconds": 3})) == {
        f"runs_total {status}": 1,
        "run_seconds_count": 1,
        "run_seconds_sum": 3,
    }
    assert added(Record(f"run.{status}", {"error": {"code": "moderated"}})) == {
        f"runs_total moderated {status}": 1,
        "run_seconds_count": 1,
    }


def test_other_records_are_not_counted() -> None:
    others = [Record("step.started", {}), Record("step.finished", {}, kind="memo"), Record("x", {})]
    assert added(*others) == {}


def test_run_that_ends_without_the_engine_is_counted() -> None:
    before = samples()
    metrics.observe_end("failed", {"code": "moderated"})
    metrics.observe_end("cancelled", None)
    assert changed(before) == {"runs_total moderated failed": 1, "runs_total cancelled": 1}


def test_delay_of_an_event_is_measured_for_earlier_listeners_alone() -> None:
    now, before = time.time(), samples()
    metrics.observe_lag(now - 5, since=now)
    assert changed(before) == {}
    metrics.observe_lag(now, since=now)
    metrics.observe_lag(now + 60, since=now)
    assert changed(before)["event_lag_seconds_count"] == 2
    assert changed(before).get("event_lag_seconds_sum", 0) < 30


def test_label_of_60_characters_is_kept() -> None:
    label = metrics.BoundedLabel(1)
    assert label("x" * 61) == "other"
    assert label("x" * 60) == "x" * 60
    assert label("y") == "other"
