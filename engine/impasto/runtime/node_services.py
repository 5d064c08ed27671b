"""The services of a run for its nodes, used by `Context` and by the policies around a call."""

import typing as t
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager

import orjson

from impasto.cache.keys import key_digest
from impasto.encoding import from_json, to_json
from impasto.errors import NodeError, as_text
from impasto.hashing import copy_exact, digest
from impasto.runtime.executors.threads import Threads
from impasto.runtime.options import Options
from impasto.runtime.recording.journal_writer import JournalWriter
from impasto.runtime.replay import RecoveredRun
from impasto.runtime.resources import Resources
from impasto.runtime.run_state import RunState
from impasto.runtime.spending import Spending
from impasto.runtime.task import Task
from impasto.sdk.paid_call import PaidCall
from impasto.serialization import json_data
from impasto.store import Store
from impasto.tracking import EVERYTHING

if t.TYPE_CHECKING:
    import httpx

    from impasto.runtime.executors.processes import Processes


class NodeServices:
    """Serves the nodes of one run."""

    __slots__ = (
        "_buffer",
        "_recovered",
        "_resources",
        "_spending",
        "_state",
        "_writer",
        "run_id",
    )

    def __init__(
        self,
        state: RunState,
        writer: JournalWriter,
        spending: Spending,
        recovered: RecoveredRun,
        resources: Resources,
    ) -> None:
        self.run_id = state.run_id
        self._state = state
        self._writer = writer
        self._buffer = writer.buffer
        self._spending = spending
        self._recovered = recovered
        self._resources = resources

    # -- events --------------------------------------------------------------------------------

    def progress(self, task: Task, fraction: float, message: str) -> None:
        """Emit `step.progress`; an item's fraction counts as a part of its step's."""
        if task.cancelled:
            return
        if task.items is not None:
            fraction = (task.items.done + fraction) / task.items.total
        self._buffer.emit("step.progress", task.step.id, {"fraction": fraction, "message": message})

    def partial(self, task: Task, data: dict[str, t.Any]) -> None:
        """Emit `step.partial`; an item's path precedes the position within its own list."""
        if task.cancelled:
            return
        if task.path is not None:
            data = {**data, "item": [*task.path, *data.get("item", ())]}
        if "value" in data:
            data = {**data, "value": json_data(data["value"])}
        else:
            data = {**data, "delta": as_text(data["delta"])}
        self._buffer.emit("step.partial", task.step.id, data)

    def retry_delay(self, task: Task, error: NodeError) -> float:
        """Return the seconds to wait before the task's next attempt."""
        return self._state.options.backoff.seconds(task.attempt, error)

    def retrying(self, task: Task, seconds: float, error: NodeError) -> None:
        """Emit `step.retrying`."""
        data = {"attempt": task.attempt, "seconds": seconds, "error": error.to_dict()}
        self._buffer.emit("step.retrying", task.step.id, data)

    # -- money and memos -----------------------------------------------------------------------

    def charge(self, task: Task, usd: float, units: dict[str, float]) -> None:
        """Count a charge of the task."""
        self._spending.charge(task, usd, units)

    def reserve(
        self, task: Task, usd: float | None, at_least: float | None, name: str
    ) -> AbstractAsyncContextManager[PaidCall]:
        """Reserve dollars for a paid call of the task."""
        return self._spending.reserve(task, usd, at_least, name)

    def remember(self, task: Task, key: str, value: t.Any) -> Coroutine[t.Any, t.Any, None]:
        """Journal a memo; it is durable when the returned coroutine has been awaited."""
        data = to_json(value)
        if task.tracked is not None:
            task.tracked.own_memos.add(key)
        self._recovered.memos[task.name, key] = data
        self._buffer.record("memo", key, task.name, copy_exact(orjson.dumps(data)))
        return self._writer.wait_until_durable()

    def recall(self, task: Task, key: str) -> t.Any:
        """Return the memo, or None."""
        found = self._recovered.memos.get((task.name, key))
        if found is not None and task.tracked is not None and key not in task.tracked.own_memos:
            # What the function had read when it remembered this, in a process that died, is not known.
            task.tracked.log.add_all(EVERYTHING)
        return from_json(found, self._state.plan.value_types)

    def kept(self, task: Task, port: str | None) -> list[t.Any] | None:
        """Return the earlier list of a port, with None at the positions to regenerate; None without one."""
        if task.kept is None:
            return None
        output, positions = task.kept
        index = task.step.type.output_names[port] if port is not None else 0
        return output.list_without(positions, index, self._state.plan.value_types)

    # -- what the run is -----------------------------------------------------------------------

    @property
    def abandoned(self) -> bool:
        """Whether the run was abandoned for another process to resume."""
        return self._state.abandoned

    @property
    def options(self) -> Options:
        """The run's options."""
        return self._state.options

    def seed_of(self, task: Task) -> int:
        """Return the task's seed: made from its key, and for generative types also from the run.

        Tracked values do not change the seed: a function that uses it has not read them.
        """
        seed = self._state.options.seed
        key = task.key if task.tracked is None else task.tracked.base
        mixed = str(seed) if seed is not None else self.run_id if task.step.type.generative else ""
        return int.from_bytes(digest(key_digest(key) + mixed.encode())[:4], "big") & 0x7FFFFFFF

    def idempotency_key(self, task: Task) -> str:
        """Return the key that all attempts of the task in this run share."""
        return digest(f"{self.run_id}\0{task.name}".encode()).hex()

    # -- shared resources ----------------------------------------------------------------------

    @property
    def store(self) -> Store:
        """The store for assets."""
        return self._resources.store

    def http(self) -> "httpx.AsyncClient":
        """Return the run's HTTP client."""
        return self._resources.http(self._state.options.allow_private_hosts)

    @property
    def threads(self) -> Threads:
        """The run's worker threads."""
        return self._resources.threads()

    @property
    def processes(self) -> "Processes":
        """The run's worker processes."""
        return self._resources.processes()
