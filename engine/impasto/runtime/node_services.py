"""What contexts, policies and lazy inputs ask of the run."""

import typing as t
from collections.abc import Coroutine

import orjson

from impasto.cache.keys import key_digest as fixed
from impasto.errors import NodeError, as_text
from impasto.hashing import copy_exact as snug
from impasto.hashing import digest
from impasto.runtime.cancellation import Stopping
from impasto.runtime.step_status import ABSENT, PENDING
from impasto.runtime.task import Unit
from impasto.serialization import json_data as shown
from impasto.types import from_json, to_json


class Services(Stopping):
    """Answers nodes."""

    __slots__ = ()

    def progress(self, unit: Unit, fraction: float, message: str) -> None:
        """A node says how far it is."""
        if unit.dead:
            return
        if unit.items is not None:
            fraction = (unit.items.done + fraction) / unit.items.total
        self.log.emit("step.progress", unit.step.id, {"fraction": fraction, "message": message})

    def partial(self, unit: Unit, data: dict[str, t.Any]) -> None:
        """A node shows part of its result."""
        if unit.dead:
            return
        if unit.path is not None:
            data = {**data, "item": [*unit.path, *data.get("item", ())]}
        if "value" in data:
            data = {**data, "value": shown(data["value"])}
        else:
            data = {**data, "delta": as_text(data["delta"])}
        self.log.emit("step.partial", unit.step.id, data)

    def retrying(self, unit: Unit, seconds: float, error: NodeError) -> None:
        """A try has failed and another follows."""
        data = {"attempt": unit.attempt, "seconds": seconds, "error": error.to_dict()}
        self.log.emit("step.retrying", unit.step.id, data)

    def charge(self, unit: Unit, usd: float, units: dict[str, float]) -> None:
        """A node has spent money: written down, counted, held against the budget."""
        self.log.write("charge", "", unit.step.id, snug(orjson.dumps({"usd": usd, "units": units})))
        self.budget.spent += usd
        unit.cost += usd
        kept, unit.reserved = unit.reserved, max(0.0, unit.reserved - usd)
        self.budget.reserved -= kept - unit.reserved
        counted = unit.units = unit.units if unit.units is not None else {}
        for name, amount in units.items():
            counted[name] = counted.get(name, 0) + amount
        if self.budget.passed and not self.over:
            self.over_budget()

    def remember(self, unit: Unit, key: str, value: t.Any) -> Coroutine[t.Any, t.Any, None]:
        """Write a memo down; durable when what this returns has been awaited."""
        data = to_json(value)
        self.past.memos[unit.name, key] = data
        self.log.write("memo", key, unit.name, snug(orjson.dumps(data)))
        return self.recorder.flushed()

    def kept(self, unit: Unit, port: str | None) -> list[t.Any] | None:
        """What a port's list may keep of an earlier result, None where another is wanted."""
        if unit.kept is None:
            return None
        outcome, wanted = unit.kept
        index = unit.step.type.output_names[port] if port is not None else 0
        return outcome.without(wanted, index, self.value_types)

    def recall(self, unit: Unit, key: str) -> t.Any:
        """What was remembered."""
        return from_json(self.past.memos.get((unit.name, key)), self.value_types)

    def seed_of(self, unit: Unit) -> int:
        """The unit's seed: from its key, and from the run where each run shall differ."""
        seed = self.options.seed
        mixed = str(seed) if seed is not None else self.run_id if unit.step.type.generative else ""
        return int.from_bytes(digest(fixed(unit.key) + mixed.encode())[:4], "big") & 0x7FFFFFFF

    def idempotency_key(self, unit: Unit) -> str:
        """The same for every try of the unit in this run."""
        return digest(f"{self.run_id}\0{unit.name}".encode()).hex()

    def http(self) -> t.Any:
        """The run's HTTP client."""
        return self.resources.http(self.options.allow_private_hosts)

    @property
    def threads(self) -> t.Any:
        """The run's worker threads."""
        return self.resources.threads()

    @property
    def processes(self) -> t.Any:
        """The run's worker processes."""
        return self.resources.processes()

    # -- lazy inputs ---------------------------------------------------------------------------

    def want(self, steps: set[int]) -> None:
        """Take steps into the run; those that wait for nothing are ready."""
        codes, plan = self.states.codes, self.plan
        new = [index for index in plan.order if index in steps and codes[index] == ABSENT]
        for index in new:
            codes[index] = PENDING
        self.left += len(new)
        for index in new:
            self.waiting[index] = sum(1 for source in plan.steps[index].sources if codes[source] <= PENDING)
        for index in new:
            if not self.waiting[index]:
                self.queue(index)
