"""Shared concurrency limits: so many units of one name at a time, over all runs that share the object."""

import typing as t
from collections import deque
from collections.abc import Mapping


class Limits:
    """Named limits. A name that is not here is not limited."""

    def __init__(self, most: Mapping[str, int] | None = None) -> None:
        self.most = dict(most or {})
        for name, places in self.most.items():
            if not places >= 1:
                raise ValueError(
                    f"limits let at least 1 run, not {places!r} ({name!r}): with none nothing would end"
                )
        self._used = dict.fromkeys(self.most, 0)
        self._waiting: dict[str, deque[t.Any]] = {name: deque() for name in self.most}

    def enter(self, name: str, unit: t.Any) -> bool:
        """Take a place; if there is none the unit waits in line, and its run hears `admitted(unit)`."""
        if name not in self.most:
            return True
        if self._used[name] >= self.most[name]:
            self._waiting[name].append(unit)
            return False
        self._used[name] += 1
        unit.limit = name
        return True

    def leave(self, unit: t.Any) -> None:
        """Give the place to the first in line that still wants it."""
        name, unit.limit = unit.limit, None
        waiting = self._waiting[name]
        while waiting:
            first = waiting.popleft()
            if not first.dead:
                first.limit = name
                first.run.admitted(first)
                return
        self._used[name] -= 1

    def take_back(self, name: str, unit: t.Any) -> None:
        """Take a place again at once after lending it, even if that is one too many for a moment."""
        self._used[name] += 1
        unit.limit = name
