"""Rebuild a run's state from its journal, for resume."""

import typing as t
from collections import defaultdict
from collections.abc import Iterable

import orjson

from impasto.cache.keys import key_digest
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.errors import RunNotFound
from impasto.events import TERMINAL, Event
from impasto.hashing import canonical_json, parse_json
from impasto.journal.protocol import Entry
from impasto.runtime.run_state import RunState
from impasto.runtime.step_output import StepOutput, output_from_json
from impasto.runtime.task import Path

_STEP_ENDS = ("step.finished", "step.failed", "step.skipped")
_ROUNDING = 1e-9


class Assumed(t.NamedTuple):
    """US dollars that a call may have cost; whether its provider billed them is not known."""

    usd: float
    is_own_key: bool


class LostCall:
    """A paid call without a settlement; `usd` of its reservation are not charged."""

    def __init__(self, step: str, usd: float, is_own_key: bool) -> None:
        self.step = step
        self.usd = usd
        self.is_own_key = is_own_key


class RecoveredRun:
    """The state of a run by its journal: events, outputs, items, memos and charges. Empty for a new run.

    `assumed` holds, by the id of a call, what it was assumed to cost.
    `outputs` holds the outputs of finished steps by step index, once `decode_outputs` has read them.
    `terminal` is the last event if it ended the run.
    """

    def __init__(self, run_id: str, records: Iterable[Entry] = ()) -> None:
        self.run_id = run_id
        self.head: dict[str, t.Any] = {}
        self.events: list[Event] = []
        self.memos: dict[tuple[str, str], t.Any] = {}
        self.spent = 0.0
        self.assumed: dict[str, Assumed] = {}
        self._lost: dict[str, LostCall] = {}
        self._uncounted: defaultdict[str, float] = defaultdict(float)
        self.outputs: dict[int, StepOutput] = {}
        self.terminal: Event | None = None
        self._finished: dict[str, dict[str, t.Any]] = {}
        self._exact_outputs: dict[str, bytes] = {}
        self._items: dict[str, dict[Path, dict[str, t.Any]]] = {}
        for record in records:
            self._read(record)

    def _read(self, record: Entry) -> None:
        if record.kind == "event":
            self._read_event(record)
        elif record.kind == "memo":
            self.memos[record.step or "", record.name] = orjson.loads(record.body)
        elif record.kind == "charge":
            self._read_charge(record.step or "", orjson.loads(record.body))
        elif record.kind == "reserve":
            body = orjson.loads(record.body)
            self._lost[record.name] = LostCall(record.step or "", body["usd"], body.get("own_key", False))
        elif record.kind == "settle":
            self._lost.pop(record.name, None)
        elif record.kind == "outcome":
            self._exact_outputs[record.step or ""] = bytes(record.body)
        elif record.kind == "item":
            # A step whose lists were all closed once recorded its only item without a path.
            path = tuple(int(part) for part in record.name.split(".") if part)
            self._items.setdefault(record.step or "", {})[path] = parse_json(record.body)
        elif record.kind == "head":
            self.head = orjson.loads(record.body)

    def _read_event(self, record: Entry) -> None:
        event = Event(
            self.run_id, record.seq, record.time, record.name, record.step, None, bytes(record.body)
        )
        if self.terminal is not None and event.seq <= self.terminal.seq:
            self.events.pop()
        self.events.append(event)
        if event.type in _STEP_ENDS:
            self._uncounted[event.step or ""] -= event.data.get("cost_usd", 0.0)
        if event.type == "step.finished":
            self._finished[event.step or ""] = event.data
        self.terminal = event if event.type in TERMINAL else None

    def _read_charge(self, step: str, body: dict[str, t.Any]) -> None:
        usd, call = body["usd"], body.get("call", "")
        self.spent += usd
        self._uncounted[step] += usd
        if call in self._lost:
            self._lost[call].usd -= body["reserved"]
        if body.get("assumed"):
            if usd > 0:
                self.assumed[call] = Assumed(usd, body.get("own_key", False))
            else:
                self.assumed.pop(call, None)

    def take_unsettled(self) -> dict[str, LostCall]:
        """Return, once, the paid calls by id that were under way when the run's process died."""
        found, self._lost = self._lost, {}
        return found

    def require_head(self) -> None:
        """Raise RunNotFound if the run cannot be resumed: its first record is missing."""
        if not self.head:
            raise RunNotFound(self.run_id)

    def drop_terminal_event(self) -> None:
        """Drop the final event of a run that goes on: the next event takes its number.

        So a reader of the whole log sees one final event and numbers without gaps.
        """
        if self.terminal is not None and self.terminal.type != "run.finished":
            self.events.pop()

    def decode_outputs(self, plan: Plan) -> None:
        """Read the outputs of the finished steps that are still in the plan and fit their node types."""
        for step_id, data in self._finished.items():
            index = plan.by_id.get(step_id)
            if index is None:
                continue
            body = self._exact_outputs.get(step_id) or canonical_json(data["outputs"])
            output = output_from_json(plan.steps[index].type, body)
            if output is not None:
                self.outputs[index] = output

    def restore(self, state: RunState) -> None:
        """Give the run its finished steps, and what steps that did not end have been charged."""
        for step_id, usd in self._uncounted.items():
            index = state.plan.by_id.get(step_id)
            if index is not None and index not in self.outputs and abs(usd) > _ROUNDING:
                state.carried_costs[index] = usd
        for index, output in self.outputs.items():
            data = self._finished[state.plan.steps[index].id]
            state.outputs[index] = output
            state.statuses.finish(index, data["seconds"], data["cost_usd"], data["cached"])
            if "reads" in data:
                state.reads[index] = {source: frozenset(fields) for source, fields in data["reads"].items()}

    def item(self, step: Step, path: Path, key: bytes) -> StepOutput | None:
        """Return the output of an item that finished with the same key, or None."""
        found = self._items.get(step.id, {}).get(path)
        if found is None or found["key"] != key_digest(key).hex():
            return None
        output = output_from_json(step.type, canonical_json(found["outputs"]))
        if output is not None and "reads" in found:
            output.read_paths = frozenset(found["reads"])
        return output
