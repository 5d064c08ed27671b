"""Results kept by step key: the protocol, and one in memory.

`outputs` is a JSON object from port to value; a cache keeps it as it is and looks at nothing in it.
"""

import typing as t
from collections import OrderedDict
from collections.abc import Callable


class Cache(t.Protocol):
    """Where results are found again. A cache may forget at any time; it must never answer wrongly.

    `flights` is a dict of its own that the engine keeps the running executions in, by key, so that
    two runs with one cache never compute the same thing at the same time.
    """

    flights: dict[t.Any, t.Any]

    async def get(self, key: str) -> bytes | None:
        """The outputs kept under the key, or None."""
        ...

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs."""
        ...


def peek_of(cache: Cache | None) -> Callable[[str], bytes | None] | None:
    """A way to ask the cache without waiting, if it has one and its `get` says nothing else."""
    if isinstance(cache, MemoryCache) and type(cache).get is MemoryCache.get:
        return cache.peek
    return None


class MemoryCache:
    """The results used last, up to `max_bytes` of them."""

    def __init__(self, max_bytes: int = 256 * 2**20) -> None:
        self.flights: dict[t.Any, t.Any] = {}
        self.max_bytes = max_bytes
        self.bytes = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def get(self, key: str) -> bytes | None:
        """The outputs kept under the key, or None."""
        return self.peek(key)

    def peek(self, key: str) -> bytes | None:
        """The same, without waiting."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs, and let go of those that were not asked for the longest."""
        before = self._kept.pop(key, None)
        self.bytes += len(outputs) - (len(before) if before is not None else 0)
        self._kept[key] = outputs
        while self.bytes > self.max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped)

    def __len__(self) -> int:
        return len(self._kept)
