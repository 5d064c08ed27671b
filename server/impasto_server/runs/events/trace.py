"""The spans of one execution of a run: the run, its steps, and the calls of providers.

Steps are traced from the journal's records, after these are durable. A call of a provider is a call of a
node's function that has recorded a provider: for a whole step, or for one item of a list.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from impasto.journal.protocol import Entry
from impasto.sdk.services import EndedCall
from impasto_server.observability.tracing import (
    Tracing,
    context_in,
    context_of,
    end_span,
    error_type,
    set_error,
    trace_id_of,
)
from impasto_server.runs.models import RunRow

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_ENDS = frozenset(("run.finished", "run.failed", "run.cancelled"))
# What `gen_ai.output.type` says of the first output of a node type.
_OUTPUT_TYPES = {"Text": "text", "Image": "image", "Audio": "speech", "Video": "video", "Captions": "text"}
_TOKENS = {"tokens_in": "gen_ai.usage.input_tokens", "tokens_out": "gen_ai.usage.output_tokens"}


class RunTrace:
    """Receives the journal's records and the calls of one run, and makes spans of them."""

    def __init__(self, tracing: Tracing, row: RunRow) -> None:
        self._tracing = tracing
        about = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.id": row.flow_id or "",
            "impasto.run.id": row.id,
        }
        now = time.time()
        self._run = tracing.start_span("invoke_agent", context_of(row.traceparent), about, now)
        self._context = context_in(self._run)
        self._steps: dict[str, Span] = {}
        self._types: dict[str, str] = {}
        self.trace_id = trace_id_of(self._run)

    def on_records(self, records: Sequence[Entry]) -> None:
        """Start and end the spans of steps, and end that of the run."""
        for record in records:
            if record.kind != "event":
                continue
            if record.name == "step.started":
                self._step(str(record.step), record.time)
            elif record.name in ("step.finished", "step.failed"):
                self._end_step(str(record.step), record.time, orjson.loads(record.body))
            elif record.name == "run.started":
                self._begin(orjson.loads(record.body))
            elif record.name in _ENDS:
                self._end(record.name, record.time, orjson.loads(record.body))

    def on_call_ended(self, call: EndedCall, seconds: float, error: BaseException | None) -> None:
        """Trace a call that has recorded its provider."""
        made_by = call.made_by or {}
        if not made_by.get("provider"):
            return
        now, model = time.time(), made_by.get("model")
        output_type = _output_type(call)
        operation = "chat" if output_type == "text" else "generate_content"
        about: dict[str, Any] = {
            "gen_ai.operation.name": operation,
            "gen_ai.provider.name": str(made_by["provider"]),
            "gen_ai.output.type": output_type,
            "impasto.step.id": call.step.id,
            "impasto.step.attempt": call.attempt,
            "impasto.cost_usd": call.cost,
        }
        if model:
            about["gen_ai.request.model"] = str(model)
        if call.path is not None:
            about["impasto.step.item"] = ".".join(map(str, call.path))
        for unit, name in _TOKENS.items():
            if unit in (call.units or {}):
                about[name] = int((call.units or {})[unit])
        span = self._tracing.start_span(
            f"{operation} {model}" if model else operation,
            context_in(self._step(call.step.id, now - seconds)),
            about,
            now - seconds,
            is_provider_call=True,
        )
        if error is not None:
            set_error(span, error_type(error))
        end_span(span, now)

    def close(self) -> None:
        """End the spans that are still open: the run was interrupted, and another process resumes it."""
        for span in (*self._steps.values(), self._run):
            if span.is_recording():
                set_error(span, "interrupted")
                end_span(span)

    def _begin(self, data: dict[str, Any]) -> None:
        self._types = {step["id"]: step["type"] for step in data.get("steps", ())}
        self._run.set_attribute("impasto.run.resumed", bool(data.get("resumed")))

    def _step(self, step: str, started: float) -> "Span":
        """Return the span of a step; it starts with the first that is known of the step."""
        found = self._steps.get(step)
        if found is None:
            about = {"impasto.step.id": step}
            found = self._tracing.start_span("step", self._context, about, started)
            self._steps[step] = found
        return found

    def _end_step(self, step: str, ended: float, data: dict[str, Any]) -> None:
        span = self._step(step, ended)
        node_type = self._types.get(step, "")
        span.update_name(f"step {node_type}" if node_type else "step")
        span.set_attributes(
            {
                "impasto.node.type": node_type,
                "impasto.step.cached": bool(data.get("cached")),
                "impasto.cost_usd": float(data.get("cost_usd") or 0.0),
            }
        )
        if data.get("error"):
            set_error(span, str(data["error"].get("code")))
        end_span(span, ended)

    def _end(self, name: str, ended: float, data: dict[str, Any]) -> None:
        status = name.partition(".")[2]
        self._run.set_attributes(
            {"impasto.run.status": status, "impasto.cost_usd": float(data.get("cost_usd") or 0.0)}
        )
        if status != "finished":
            set_error(self._run, str((data.get("error") or {}).get("code") or status))
        for span in self._steps.values():
            if span.is_recording():
                end_span(span, ended)
        end_span(self._run, ended)


def _output_type(call: EndedCall) -> str:
    outputs = call.step.type.outputs
    name = outputs[0].type.base.id if outputs else ""
    return _OUTPUT_TYPES.get(name, "json")
