"""The state of a run from its events. The editor folds the same events in the same way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from impasto import Event
from impasto_server.assets.schemas import MadeBy
from impasto_server.http.schemas import money
from impasto_server.runs.schemas import ErrorData, RunResult, Step, StepRetry, StepSkipped

_STATUS_OF_WAITING_STEPS: dict[str, Literal["skipped", "cancelled"]] = {
    "run.failed": "skipped",
    "run.cancelled": "cancelled",
    "run.finished": "skipped",
}
"""The status of steps that did not start before this event of their run."""


def fold_events(events: Iterable[Event], *, with_detail: bool = False) -> list[Step]:
    """Return the steps of a run after these events. Without `with_detail`, error details are null."""
    steps: dict[str, Step] = {}
    for event in events:
        if event.type == "run.started":
            _on_run_started(steps, event.data.get("steps", ()))
        elif event.type in _STATUS_OF_WAITING_STEPS:
            _end_open_steps(steps, event)
        elif event.step is not None and event.type in _APPLY:
            step = steps.get(event.step) or _new_step({"id": event.step})
            steps[event.step] = _APPLY[event.type](step, event)
    if not with_detail:
        for step in steps.values():
            if step.error is not None:
                step.error = step.error.model_copy(update={"detail": None})
    return list(steps.values())


def pending_steps(planned: Iterable[Any]) -> list[Step]:
    """Return the steps of a run that has not started: its planned steps or nodes, all pending."""
    return [_new_step(item) for item in planned if isinstance(item, dict) and "id" in item]


def error_data(error: Mapping[str, Any] | None, *, with_detail: bool) -> ErrorData | None:
    """Return an error in the form of the API. Without `with_detail`, its detail is null."""
    if not error:
        return None
    return ErrorData(
        code=str(error.get("code", "node_failed")),
        message=str(error.get("message", "")),
        detail=error.get("detail") if with_detail else None,
        retryable=bool(error.get("retryable")),
        provider=error.get("provider"),
    )


def fill_results(planned: Sequence[Mapping[str, Any]], steps: Sequence[Step]) -> list[RunResult]:
    """Return every planned result with its value, which is None until its step has finished."""
    outputs = {step.id: step.outputs for step in steps}
    return [
        RunResult(
            step=item["node"],
            port=item["port"],
            title=item["title"],
            type=item["type"],
            list=item["list"],
            # Runs launched before results had a meaning do not name one.
            meaning=item.get("meaning"),
            text_of=item.get("text_of"),
            value=outputs.get(item["node"], {}).get(item["port"]),
        )
        for item in planned
    ]


def redact(event: Event, *, with_detail: bool) -> dict[str, Any]:
    """Return an event's data. Without `with_detail`, the details of its errors are None."""
    error = event.data.get("error")
    if with_detail or not isinstance(error, dict):
        return event.data
    items = [{**item, "detail": None} for item in error.get("items") or () if isinstance(item, dict)]
    hidden = {**error, "detail": None} | ({"items": items} if items else {})
    return {**event.data, "error": hidden}


def _on_run_started(steps: dict[str, Step], planned: Iterable[Mapping[str, Any]]) -> None:
    """Take the steps of the plan, in its order; those that had finished before a resume stay as they are."""
    before = dict(steps)
    steps.clear()
    for item in planned:
        known = before.get(item["id"])
        steps[item["id"]] = known if known and known.status == "finished" else _new_step(item)


def _new_step(item: Mapping[str, Any]) -> Step:
    name = item["id"]
    return Step(id=name, node_type=item.get("type") or "", title=item.get("title") or name, status="pending")


def _end_open_steps(steps: dict[str, Step], event: Event) -> None:
    for step in steps.values():
        if step.status == "running":
            step.status, step.finished_at, step.retrying = "cancelled", _time_of(event), None
        elif step.status in ("pending", "queued"):
            step.status = _STATUS_OF_WAITING_STEPS[event.type]


def _on_queued(step: Step, event: Event) -> Step:
    step.status = "queued"
    return step


def _on_started(step: Step, event: Event) -> Step:
    started = _new_step({"id": step.id, "type": step.node_type, "title": step.title})
    started.status, started.started_at = "running", _time_of(event)
    return started


def _on_progress(step: Step, event: Event) -> Step:
    step.progress = event.data.get("fraction")
    step.message = event.data.get("message") or ""
    step.retrying = None
    return step


def _on_partial(step: Step, event: Event) -> Step:
    """Add to the text of the step. The parts of a list's items run beside each other: they make no text."""
    if event.data.get("item") is not None:
        return step
    delta, value = event.data.get("delta"), event.data.get("value")
    if isinstance(delta, str):
        step.text = (step.text or "") + delta
    elif isinstance(value, str):
        step.text = value
    return step


def _on_retrying(step: Step, event: Event) -> Step:
    step.text, step.progress, step.message = None, None, ""
    step.retrying = StepRetry(
        attempt=event.data.get("attempt") or 1, seconds=event.data.get("seconds") or 0.0
    )
    return step


def _on_finished(step: Step, event: Event) -> Step:
    step.status = "finished"
    step.outputs = event.data.get("outputs") or {}
    step.cached = bool(event.data.get("cached"))
    step.progress, step.error = 1.0, None
    step.made_by = MadeBy.from_untrusted(event.data.get("made_by"))
    return _ended(step, event)


def _on_failed(step: Step, event: Event) -> Step:
    step.status = "failed"
    step.error = error_data(event.data.get("error"), with_detail=True)
    return _ended(step, event)


def _on_skipped(step: Step, event: Event) -> Step:
    reason = str(event.data.get("reason") or "")
    step.status = "cancelled" if reason == "cancelled" else "skipped"
    step.skipped = StepSkipped(because=event.data.get("because"), reason=reason)
    return _ended(step, event)


def _ended(step: Step, event: Event) -> Step:
    """Set what the end of a step states. A skipped step that never started has no time of its end."""
    if step.skipped is None or step.started_at is not None:
        step.finished_at = _time_of(event)
    step.retrying = None
    step.seconds = event.data.get("seconds")
    cost = event.data.get("cost_usd")
    step.cost_usd = None if cost is None else money(cost)
    return step


def _time_of(event: Event) -> datetime:
    return datetime.fromtimestamp(event.time, UTC)


_APPLY: dict[str, Callable[[Step, Event], Step]] = {
    "step.queued": _on_queued,
    "step.started": _on_started,
    "step.progress": _on_progress,
    "step.partial": _on_partial,
    "step.retrying": _on_retrying,
    "step.finished": _on_finished,
    "step.failed": _on_failed,
    "step.skipped": _on_skipped,
}
