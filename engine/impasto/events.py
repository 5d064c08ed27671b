"""The numbered facts of a run.

| type | data |
| --- | --- |
| `run.started` | `inputs`, `steps: [{id, type, title}]`, `resumed` |
| `step.queued`, `step.started` | nothing |
| `step.progress` | `fraction` (0..1), `message` |
| `step.partial` | `port`, and `delta` (more text) or `value` (in place of it); `item`: its path in a list |
| `step.retrying` | `attempt`, `seconds` until then, `error` |
| `step.finished` | `outputs: {port: json}`, `seconds`, `cost_usd`, `cached`, `units`, `made_by` |
| `step.failed` | `error: {code, message, detail, retryable, provider, …}`, `seconds`, `cost_usd` |
| `step.skipped` | `because` (a step or None), `reason`: failed, closed, cancelled or budget |
| `run.finished`, `run.failed`, `run.cancelled` | `seconds`, `cost_usd`, `error` |

A run that failed or was cancelled may be resumed: its next `run.started` then takes the number of that end,
and the log has one end, the last.
"""

import json
import typing as t
from collections.abc import Callable

import msgspec
import orjson

from impasto.hashing import copy_exact

TERMINAL = frozenset(("run.finished", "run.failed", "run.cancelled"))
Data = dict[str, t.Any]


class Event(msgspec.Struct, gc=False, eq=False):
    """One fact, never changed. `seq` counts from 1 without gaps; `step` is None for the run's own.

    Runs keep all of theirs, so the collector is spared them: what an event holds never leads back to it.
    Its data may be given as a callable, made when somebody looks, which may have a `body()` of its own.
    """

    kind: t.ClassVar[str] = "event"

    run_id: str
    seq: int
    time: float
    type: str
    step: str | None = None
    _data: Data | Callable[[], Data] | None = None
    _body: bytes | None = None

    @property
    def name(self) -> str:
        """The type, under the name that every journal record has."""
        return self.type

    @property
    def data(self) -> Data:
        """What the fact says, as plain JSON data."""
        data = self._data
        if data is None:
            data = orjson.loads(self._body) if self._body is not None else {}
        elif callable(data):
            data = data()
        self._data = data
        return data

    @property
    def body(self) -> bytes:
        """The data as JSON."""
        if self._body is None:
            if self._data is None:
                self._body = b"{}"
            else:
                body = getattr(self._data, "body", None)
                self._body = body() if body is not None else self._written()
        return self._body

    def _written(self) -> bytes:
        """The data as JSON; what cannot be written is put into words, for no run shall end over it."""
        try:
            return copy_exact(orjson.dumps(self.data))
        except TypeError:
            words = json.dumps(self.data, default=repr, skipkeys=True, ensure_ascii=False)
            self._data = orjson.loads(words.encode("utf-8", "replace"))
            return copy_exact(orjson.dumps(self._data))

    def to_json(self) -> Data:
        """The whole event as plain data."""
        return {
            "run_id": self.run_id,
            "seq": self.seq,
            "time": self.time,
            "type": self.type,
            "step": self.step,
            "data": self.data,
        }

    def __repr__(self) -> str:
        return f"<Event {self.seq} {self.type}{' ' + self.step if self.step else ''}>"
