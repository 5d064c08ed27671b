"""Events: the numbered facts of a run.

| type | data |
| --- | --- |
| `run.started` | `inputs`, `steps: [{id, type, title}]`, `resumed` |
| `step.queued`, `step.started` | nothing |
| `step.progress` | `fraction` (0..1), `message` |
| `step.partial` | `port`; `delta` (text to append) or `value` (replaces it); `item`: its path in a list |
| `step.retrying` | `attempt`, `seconds` until the next attempt, `error` |
| `step.finished` | `outputs: {port: json}`, `seconds`, `cost_usd`, `cached`, `units`, `made_by`, `reads` |
| `step.failed` | `error: {code, message, detail, retryable, provider, …}`, `seconds`, `cost_usd` |
| `step.skipped` | `because` (a step or None), `reason`: failed, closed, cancelled or budget |
| `run.finished`, `run.failed`, `run.cancelled` | `seconds`, `cost_usd`, `error` |

`reads` is there if the step, or one before it, read tracked values that say where they come from: the fields
by source, `{"b1": ["palette", "tone"]}`, or `["*"]` for all.

When a run resumes after it failed or was cancelled, its new `run.started` takes the number of that final
event, so that a log has exactly one final event, its last.
"""

import json
import typing as t
from collections.abc import Callable

import msgspec
import orjson

from impasto.hashing import canonical_json, copy_exact, parse_json

TERMINAL = frozenset(("run.finished", "run.failed", "run.cancelled"))
Data = dict[str, t.Any]


class Event(msgspec.Struct, gc=False, eq=False):
    """One immutable fact. `seq` counts from 1 without gaps; `step` is None for events of the run itself.

    Runs keep all of their events, so the garbage collector does not track them: an event's data must not
    refer back to it. The data may be given as a callable, called when it is first read; the callable may
    have a `body` method that returns the JSON.
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
        """The type, under the attribute that every journal record has."""
        return self.type

    @property
    def data(self) -> Data:
        """The data of the table above, as plain JSON data."""
        data = self._data
        if data is None:
            data = parse_json(self._body) if self._body is not None else {}
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
                self._body = body() if body is not None else self._dumped()
        return self._body

    def _dumped(self) -> bytes:
        """Return the data as JSON. Values without a JSON form become text, so that reporting never fails."""
        try:
            return copy_exact(orjson.dumps(self.data))
        except TypeError:
            text = json.dumps(self.data, default=repr, skipkeys=True, ensure_ascii=False)
            self._data = parse_json(text.encode("utf-8", "replace"))
            return canonical_json(self._data)

    def to_json(self) -> Data:
        """Return the whole event as plain data."""
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
