"""The metrics of requests, runs, streams and the database. E-mails and the event loop have their own.

The labels take few values: beyond a limit, names that plugins and providers choose are counted as "other".
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from prometheus_client import Counter, Gauge, Histogram

from impasto.journal.protocol import Entry

_STEP_BUCKETS = (0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900)
_LAG_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)

REQUEST_SECONDS = Histogram(
    "impasto_request_seconds", "Seconds from request to response", ["method", "route", "status"]
)
RUNS_LIVE = Gauge(
    "impasto_runs_live", "Runs that have not ended: waiting for a place, or executed", ["state"]
)
QUEUE_AGE = Gauge("impasto_queue_oldest_seconds", "Seconds that the oldest waiting run has waited")
WORKERS = Gauge("impasto_workers", "Processes that execute runs and are alive")
DATABASE_UP = Gauge("impasto_database_up", "1 if the database answered the query for these metrics")
CONNECTIONS = Gauge("impasto_database_connections", "Database connections of this process in use")
CONNECTIONS_MAX = Gauge("impasto_database_connections_max", "Most database connections of this process")
STREAMS = Gauge("impasto_streams", "Event streams open at this process")

RUNS = Counter("impasto_runs_total", "Runs that have ended, by status and error code", ["status", "code"])
RUN_SECONDS = Histogram("impasto_run_seconds", "Seconds of a run, without its wait", buckets=_STEP_BUCKETS)
STEPS = Counter("impasto_steps_total", "Steps that have ended, by status and error code", ["status", "code"])
STEP_SECONDS = Histogram("impasto_step_seconds", "Seconds of a step that was computed", buckets=_STEP_BUCKETS)
PROVIDER_SECONDS = Histogram(
    "impasto_provider_seconds", "Seconds of a step that a provider made", ["provider"], buckets=_STEP_BUCKETS
)
PROVIDER_ERRORS = Counter(
    "impasto_provider_errors_total", "Steps that failed at a provider", ["provider", "code"]
)
PROVIDER_USD = Counter("impasto_provider_usd_total", "US dollars that steps cost at a provider", ["provider"])
EVENT_LAG = Histogram(
    "impasto_event_lag_seconds", "Seconds from an event to its delivery to a listener", buckets=_LAG_BUCKETS
)
LEASES_LOST = Counter("impasto_leases_lost_total", "Runs that another process has taken from this one")
RUNS_INTERRUPTED = Counter(
    "impasto_runs_interrupted_total", "Runs that were released because a service did not respond"
)
PROCESSES_DIED = Counter("impasto_processes_died_total", "Dead processes whose runs this one has released")
WEBHOOKS = Counter("impasto_webhooks_total", "Calls of providers: accepted, unknown or unsigned", ["result"])


class BoundedLabel:
    """Passes the first values of a label on, and returns "other" for those beyond the limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: set[str] = set()

    def __call__(self, value: object) -> str:
        """Return the value of the label."""
        text = str(value)
        if text in self._known:
            return text
        if len(self._known) >= self._limit or len(text) > _MAX_LABEL:
            return "other"
        self._known.add(text)
        return text


_MAX_LABEL = 60
_code = BoundedLabel(60)
_provider = BoundedLabel(40)


def observe_records(records: Sequence[Entry]) -> None:
    """Count the steps and runs that end with a batch of journal records."""
    for record in records:
        observe = _OBSERVERS.get(record.name) if record.kind == "event" else None
        if observe is not None:
            observe(orjson.loads(record.body))


def observe_end(status: str, error: Mapping[str, Any] | None) -> None:
    """Count a run that ended without the engine."""
    RUNS.labels(status, _code(error["code"]) if error else "").inc()


def observe_lag(happened: float, since: float) -> None:
    """Measure how late an event is delivered, unless it happened before its listener came at `since`."""
    if happened >= since:
        EVENT_LAG.observe(max(0.0, time.time() - happened))


def _on_step_finished(data: dict[str, Any]) -> None:
    if data.get("cached"):
        STEPS.labels("cached", "").inc()
        return
    STEPS.labels("finished", "").inc()
    STEP_SECONDS.observe(data.get("seconds") or 0.0)
    _observe_provider(data)


def _on_step_failed(data: dict[str, Any]) -> None:
    error = data.get("error") or {}
    code = _code(error.get("code", ""))
    STEPS.labels("failed", code).inc()
    STEP_SECONDS.observe(data.get("seconds") or 0.0)
    _observe_provider(data)
    if error.get("provider"):
        PROVIDER_ERRORS.labels(_provider(error["provider"]), code).inc()


def _on_step_skipped(data: dict[str, Any]) -> None:
    STEPS.labels("skipped", _code(data.get("reason") or "")).inc()


def _observe_provider(data: dict[str, Any]) -> None:
    name = (data.get("made_by") or {}).get("provider")
    if name:
        provider = _provider(name)
        PROVIDER_SECONDS.labels(provider).observe(data.get("seconds") or 0.0)
        PROVIDER_USD.labels(provider).inc(max(0.0, data.get("cost_usd") or 0.0))


def _on_run_ended(status: str) -> Callable[[dict[str, Any]], None]:
    def observe(data: dict[str, Any]) -> None:
        observe_end(status, data.get("error"))
        RUN_SECONDS.observe(data.get("seconds") or 0.0)

    return observe


_OBSERVERS: dict[str, Callable[[dict[str, Any]], None]] = {
    "step.finished": _on_step_finished,
    "step.failed": _on_step_failed,
    "step.skipped": _on_step_skipped,
    "run.finished": _on_run_ended("finished"),
    "run.failed": _on_run_ended("failed"),
    "run.cancelled": _on_run_ended("cancelled"),
}
