"""The state of a run from its events. The editor folds the same events in the same way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from impasto import Event
from impasto_server.http.schemas import money
from impasto_server.runs.schemas import ErrorData, RunResult, Step, StepSkipped

_STATUS_OF_OPEN_STEPS = {"run.failed": "skipped", "run.cancelled": "cancelled", "run.finished": "skipped"}


def fold_events(events: Iterable[Event], *, with_detail: bool) -> list[Step]:
    """Return the steps of a run after these events. Without `with_detail`, error details are null."""
    steps: dict[str, Step] = {}
    for event in events:
        if event.type == "run.started":
            _on_run_started(steps, event.data.get("steps", ()))
        elif event.type in _STATUS_OF_OPEN_STEPS:
            _end_open_steps(steps, _STATUS_OF_OPEN_STEPS[event.type])
        elif event.step is not None:
            step = steps.get(event.step) or steps.setdefault(event.step, _new_step({"id": event.step}))
            _APPLY[event.type](step, event)
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


def _on_run_started(steps: dict[str, Step], listed: Iterable[Mapping[str, Any]]) -> None:
    """Reset the steps that did not finish: the run starts or resumes."""
    for item in listed:
        known = steps.get(item["id"])
        if known is None or known.status != "finished":
            steps[item["id"]] = _new_step(item)


def _new_step(item: Mapping[str, Any]) -> Step:
    name = item["id"]
    return Step(id=name, node_type=item.get("type") or "", title=item.get("title") or name, status="pending")


def _end_open_steps(steps: dict[str, Step], status: Any) -> None:
    for step in steps.values():
        if step.status in ("pending", "queued", "running"):
            step.status = "cancelled" if step.status == "running" else status


def _on_queued(step: Step, event: Event) -> None:
    step.status = "queued"


def _on_started(step: Step, event: Event) -> None:
    step.status, step.started_at = "running", _time_of(event)
    step.progress, step.message, step.text, step.error = None, "", None, None


def _on_progress(step: Step, event: Event) -> None:
    step.progress = event.data.get("fraction")
    step.message = event.data.get("message") or ""


def _on_partial(step: Step, event: Event) -> None:
    if event.data.get("item") is not None:
        return
    delta, value = event.data.get("delta"), event.data.get("value")
    if isinstance(delta, str):
        step.text = (step.text or "") + delta
    elif isinstance(value, str):
        step.text = value


def _on_retrying(step: Step, event: Event) -> None:
    step.text, step.progress = None, None
    step.message = f"Retrying in {event.data.get('seconds', 0):.0f} s"


def _on_finished(step: Step, event: Event) -> None:
    step.status, step.finished_at = "finished", _time_of(event)
    step.outputs = event.data.get("outputs") or {}
    step.cached = bool(event.data.get("cached"))
    step.progress, step.error = 1.0, None
    _set_cost(step, event)


def _on_failed(step: Step, event: Event) -> None:
    step.status, step.finished_at = "failed", _time_of(event)
    step.error = error_data(event.data.get("error"), with_detail=True)
    _set_cost(step, event)


def _on_skipped(step: Step, event: Event) -> None:
    reason = str(event.data.get("reason") or "")
    step.status = "cancelled" if reason == "cancelled" else "skipped"
    step.skipped = StepSkipped(because=event.data.get("because"), reason=reason)


def _set_cost(step: Step, event: Event) -> None:
    step.seconds = event.data.get("seconds")
    cost = event.data.get("cost_usd")
    step.cost_usd = None if cost is None else money(cost)


def _time_of(event: Event) -> datetime:
    return datetime.fromtimestamp(event.time, UTC)


_APPLY: dict[str, Callable[[Step, Event], None]] = {
    "step.queued": _on_queued,
    "step.started": _on_started,
    "step.progress": _on_progress,
    "step.partial": _on_partial,
    "step.retrying": _on_retrying,
    "step.finished": _on_finished,
    "step.failed": _on_failed,
    "step.skipped": _on_skipped,
}
