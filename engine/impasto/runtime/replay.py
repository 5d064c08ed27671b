"""What a journal says of a run that is taken up again."""

import typing as t
from collections.abc import Iterable

import orjson

from impasto.cache.keys import key_digest as fixed
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.errors import RunNotFound
from impasto.events import TERMINAL, Event
from impasto.hashing import canonical_json as dumps
from impasto.hashing import parse_json as loads
from impasto.journal.protocol import Entry
from impasto.runtime.step_output import Outcome, from_body
from impasto.runtime.step_status import FINISHED


class Past:
    """The records of a run's earlier lives: what need not be done again, what was remembered and spent."""

    def __init__(self, run_id: str, records: Iterable[Entry] = ()) -> None:
        self.run_id = run_id
        self.head: dict[str, t.Any] = {}
        self.events: list[Event] = []
        self.finished: dict[str, dict[str, t.Any]] = {}
        self.exact: dict[str, bytes] = {}
        self.items: dict[str, dict[tuple[int, ...], dict[str, t.Any]]] = {}
        self.memos: dict[tuple[str, str], t.Any] = {}
        self.spent = 0.0
        self.settled: dict[int, Outcome] = {}
        self.terminal: Event | None = None
        self.began = False
        for record in records:
            self._read(record)

    def _read(self, record: Entry) -> None:
        if record.kind == "event":
            self._event(record)
        elif record.kind == "memo":
            self.memos[record.step or "", record.name] = orjson.loads(record.body)
        elif record.kind == "charge":
            self.spent += orjson.loads(record.body)["usd"]
        elif record.kind == "outcome":
            self.exact[record.step or ""] = bytes(record.body)
        elif record.kind == "item":
            path = tuple(int(part) for part in record.name.split("."))
            self.items.setdefault(record.step or "", {})[path] = loads(record.body)
        elif record.kind == "head":
            self.head = orjson.loads(record.body)

    def _event(self, record: Entry) -> None:
        event = Event(
            self.run_id, record.seq, record.time, record.name, record.step, None, bytes(record.body)
        )
        if self.terminal is not None and event.seq <= self.terminal.seq:
            self.events.pop()
        self.events.append(event)
        self.began = True
        if event.type == "step.finished":
            self.finished[event.step or ""] = event.data
        self.terminal = event if event.type in TERMINAL else None

    def checked(self) -> "Past":
        """This, if it can be resumed: a run begins with its head."""
        if not self.head:
            raise RunNotFound(self.run_id)
        return self

    def reopen(self) -> None:
        """The run goes on after an end that was not the last: the next event takes that end's number.

        So whoever reads the whole log sees one end, the last, and numbers without gaps.
        """
        if self.terminal is not None and self.terminal.type != "run.finished":
            self.events.pop()

    def settle(self, plan: Plan) -> None:
        """Find the outcomes of the steps that finished, by index."""
        for step_id, data in self.finished.items():
            index = plan.by_id.get(step_id)
            if index is None:
                continue
            body = self.exact.get(step_id) or dumps(data["outputs"])
            outcome = from_body(plan.steps[index].type, body)
            if outcome is not None:
                self.settled[index] = outcome

    def restore(self, run: t.Any) -> None:
        """Give the run what is settled already."""
        for index, outcome in self.settled.items():
            data = self.finished[run.plan.steps[index].id]
            run.outcomes[index] = outcome
            run.states.finish(index, data["seconds"], data["cost_usd"], data["cached"])
            run.states.codes[index] = FINISHED

    def item(self, step: Step, path: tuple[int, ...], key: bytes) -> Outcome | None:
        """The outcome of an item that finished before, if it is the same work still."""
        found = self.items.get(step.id, {}).get(path)
        if found is None or found["key"] != fixed(key).hex():
            return None
        return from_body(step.type, dumps(found["outputs"]))
