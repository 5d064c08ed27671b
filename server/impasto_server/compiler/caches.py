"""The compiler's caches: the results and plans used last."""

import math
import time
from collections import OrderedDict

from impasto import Plan
from impasto_server.compiler.documents import CheckedFlow, Result

_MAX_PLANNED_BYTES = 4 * 2**20  # of documents whose plans are kept
_BYTES_OF_STEP = 64  # each step counts as this much of a document: nested agents expand to many steps


class ResultCache:
    """Results by key, the ones used last within a number of bytes, and how long each document took."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._results: OrderedDict[str, tuple[Result, int, float]] = OrderedDict()
        self._seconds: OrderedDict[str, float] = OrderedDict()

    def get(self, key: str) -> Result | None:
        """Return a result that has not expired."""
        entry = self._results.get(key)
        if entry is None:
            return None
        if time.monotonic() >= entry[2]:
            self._remove(key)
            return None
        self._results.move_to_end(key)
        return entry[0]

    def add(self, key: str, result: Result, expires: float = math.inf) -> None:
        """Keep a result, until this time of the monotonic clock."""
        size = result.size if isinstance(result, CheckedFlow) else 2000
        if size > self._max_bytes:
            return
        self._remove(key)
        self._results[key] = result, size, expires
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._remove(next(iter(self._results)))

    def seconds(self, key: str) -> float | None:
        """Return how long a document took; None if that is not known."""
        return self._seconds.get(key)

    def add_seconds(self, key: str, seconds: float) -> None:
        """Keep how long a document took."""
        self._seconds[key] = seconds
        self._seconds.move_to_end(key)
        if len(self._seconds) > 10_000:
            self._seconds.popitem(last=False)

    def _remove(self, key: str) -> None:
        entry = self._results.pop(key, None)
        if entry is not None:
            self._bytes -= entry[1]


class PlanCache:
    """Plans by key, the ones used last, whose documents and steps take a few MB in all."""

    def __init__(self) -> None:
        self._plans: OrderedDict[str, tuple[Plan, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> Plan | None:
        """Return a plan, which runs may share."""
        if key not in self._plans:
            return None
        self._plans.move_to_end(key)
        return self._plans[key][0]

    def add(self, key: str, plan: Plan, size: int) -> None:
        """Keep the plan of documents of this size in bytes."""
        if key in self._plans:
            return
        whole = size + _BYTES_OF_STEP * len(plan.steps)
        self._plans[key] = plan, whole
        self._bytes += whole
        while self._bytes > _MAX_PLANNED_BYTES:
            _, (_, dropped) = self._plans.popitem(last=False)
            self._bytes -= dropped
