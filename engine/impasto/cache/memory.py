"""A cache in memory."""

import typing as t
from collections import OrderedDict


class MemoryCache:
    """Keeps results in memory, up to `max_bytes`; the least recently used are evicted first."""

    can_peek = True

    def __init__(self, max_bytes: int = 256 * 2**20) -> None:
        self.inflight: dict[t.Any, t.Any] = {}
        self.max_bytes = max_bytes
        self.bytes = 0
        self._entries: OrderedDict[str, bytes] = OrderedDict()

    def __init_subclass__(cls) -> None:
        """Make runs await the `get` of a subclass that overrides it."""
        super().__init_subclass__()
        if "get" in cls.__dict__ and "can_peek" not in cls.__dict__:
            cls.can_peek = False

    async def get(self, key: str) -> bytes | None:
        """Return the outputs kept under the key, or None."""
        return MemoryCache.peek(self, key)

    def peek(self, key: str) -> bytes | None:
        """Return what `get` returns, without waiting."""
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs and evict the least recently used results beyond `max_bytes`."""
        previous = self._entries.pop(key, None)
        self.bytes += len(outputs) - (len(previous) if previous is not None else 0)
        self._entries[key] = outputs
        while self.bytes > self.max_bytes:
            _, evicted = self._entries.popitem(last=False)
            self.bytes -= len(evicted)

    def __len__(self) -> int:
        return len(self._entries)
