"""Nodes and a cache that the runtime's tests share."""

import asyncio
import time
from typing import Annotated
from typing import Any as Anything

from impasto import Integer, MemoryCache, Setting, Text, node
from impasto.runtime.policies.retry import Backoff

calls: list[object] = []
"""What the nodes of a test have noted, emptied before each test."""
FAST = Backoff(base=0.001, max_delay=0.002)


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node
async def shout(text: Text, *, times: int = 1) -> Text:
    return text.upper() * times


@node
async def fail(text: Text, *, why: str = "broken") -> Text:
    raise ValueError(why)


@node
async def nap(text: Text, *, seconds: float = 0.2, n: int = 0) -> Text:
    await asyncio.sleep(seconds)
    return text


@node
def block(text: Text, *, seconds: float = 0.2, n: int = 0) -> Text:
    time.sleep(seconds)
    return text


@node
async def both(one: Text, two: Text) -> Text:
    return one + two


@node
async def length(text: Text) -> Integer:
    return len(text)


class HeldCache(MemoryCache):
    """A cache that notes the keys of its requests, and answers one of them once an event is set.

    Requests are counted from 1.
    """

    def __init__(self, held: int, released: asyncio.Event) -> None:
        super().__init__()
        self.keys: list[str] = []
        self._held, self._released = held, released

    async def get(self, key: str) -> bytes | None:
        self.keys.append(key)
        if len(self.keys) == self._held:
            await self._released.wait()
        return self.peek(key)


NODES = [say, shout, fail, nap, block, both, length]


def types_of(result: Anything) -> list[str]:
    return [event.type for event in result.events]
