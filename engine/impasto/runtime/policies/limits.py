"""Named concurrency limits, which several runs may share."""

from collections import deque
from collections.abc import Mapping

from impasto.runtime.task import Task


class Limits:
    """How many tasks of each limit name may run at a time, over all runs that share the object.

    `max_running` maps a limit's name to its number of slots; `most` is its former name. A name that is not in
    it is not limited. Raises ValueError for a number below 1.
    """

    def __init__(
        self, max_running: Mapping[str, int] | None = None, *, most: Mapping[str, int] | None = None
    ) -> None:
        self.max_running = dict(max_running or most or {})
        for name, slots in self.max_running.items():
            if not slots >= 1:
                raise ValueError(f"limit for {name!r} must be at least 1, got {slots!r}")
        self._used = dict.fromkeys(self.max_running, 0)
        self._waiting: dict[str, deque[Task]] = {name: deque() for name in self.max_running}

    def acquire(self, name: str, task: Task) -> bool:
        """Take a slot; if none is free, queue the task for `on_slot_free` of its run and return False."""
        if name not in self.max_running:
            return True
        if self._used[name] >= self.max_running[name]:
            self._waiting[name].append(task)
            return False
        self._used[name] += 1
        task.limit = name
        return True

    def release(self, task: Task) -> None:
        """Give the task's slot, if it holds one, to the first task in line that is not cancelled."""
        name, task.limit = task.limit, None
        if name is None:
            return
        waiting = self._waiting[name]
        while waiting:
            first = waiting.popleft()
            if not first.cancelled:
                first.limit = name
                first.run.on_slot_free(first)
                return
        self._used[name] -= 1

    def reacquire(self, name: str, task: Task) -> None:
        """Take a slot back after releasing it for a while, even if that exceeds the limit for a moment."""
        self._used[name] += 1
        task.limit = name
