"""The `Cache` protocol: results by step key, shared by runs."""

import typing as t


class Cache(t.Protocol):
    """Finds earlier results by step key. It may drop results at any time, and never returns a wrong one.

    `inflight` is a dict that the engine keeps for itself: the executions under way, by key, so that two runs
    that share a cache never compute the same result at the same time.
    """

    inflight: dict[t.Any, t.Any]

    @property
    def can_peek(self) -> bool:
        """Whether `peek` finds everything that `get` finds, so that a run need not await `get`."""
        ...

    def peek(self, key: str) -> bytes | None:
        """Return what `get` returns, without waiting. Only called if `can_peek` is true."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Return the outputs kept under the key, or None."""
        ...

    async def put(self, key: str, outputs: bytes) -> None:
        """Keep the outputs: a JSON object from port to value, which the cache stores as it is.

        Under some keys the object holds instead what steps read of tracked inputs, from which later runs find
        the keys of outputs.
        """
        ...
