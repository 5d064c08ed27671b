"""Node types that wait at a door, in whatever process they run: the test sees them knock and lets them in.

A door is a Unix socket. The connection stands as long as the step does, so the test also sees a step being
cancelled, or its process being killed, and never has to guess how long something takes.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from impasto import Context, Setting, Text, node
from impasto_server.runs.execute import Executor


@node(id="door")
async def door(text: Text, *, path: Annotated[str, Setting()], context: Context) -> Text:
    """Wait until the door at a path is opened."""
    await _wait_at(path, context.step)
    return f"{text}."


@node(id="order", generative=True)
async def order(text: Text, *, path: Annotated[str, Setting()], context: Context) -> Text:
    """Knock once, however often the run is taken up: it is written down on the way out."""
    if not await context.recall("ordered"):
        try:
            await _wait_at(path, context.step)
        finally:
            await context.remember("ordered", True)
    return f"{text}."


DOORS = (door, order)


async def _wait_at(path: str, name: str) -> None:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(f"{name}\n".encode())
        await writer.drain()
        if await reader.readline() != b"come in\n":
            raise ConnectionError("the door was slammed")
    finally:
        writer.close()


def wait_for_goodbyes() -> None:
    """Give steps that are let go, in this process, all the time that a slow machine needs."""
    surroundings = Executor._run_options
    Executor._run_options = lambda self, row: {**surroundings(self, row), "grace": 60.0}  # type: ignore[method-assign]


class Knock:
    """A step that waits at the door."""

    def __init__(self, step: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.step = step
        self._reader = reader
        self._writer = writer

    async def let_in(self) -> None:
        """Let the step go on."""
        self._writer.write(b"come in\n")
        await self._writer.drain()

    async def gone(self) -> None:
        """Wait until the step, or its process, is no more."""
        await asyncio.wait_for(self._reader.read(), 60)


class Doorman:
    """Sees who knocks."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.counts: Counter[str] = Counter()
        self._knocks: asyncio.Queue[Knock] = asyncio.Queue()
        self._writers: list[asyncio.StreamWriter] = []

    async def knock(self, seconds: float = 60) -> Knock:
        """Wait for the next step at the door."""
        return await asyncio.wait_for(self._knocks.get(), seconds)

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        step = (await reader.readline()).decode().strip()
        self.counts[step] += 1
        await self._knocks.put(Knock(step, reader, writer))

    def go_home(self) -> None:
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def doorman(folder: Path) -> AsyncIterator[Doorman]:
    """Keep a door in a folder."""
    found = Doorman(folder / "door")
    server = await asyncio.start_unix_server(found.hear, found.path)
    try:
        yield found
    finally:
        found.go_home()
        server.close()


def doors(path: str, *ids: str, kind: str = "door") -> dict[str, object]:
    """A document: an `ask` that feeds doors one after another."""
    names = ("ask", *ids)
    nodes = [{"id": name, "type": kind, "settings": {"path": path}} for name in ids]
    edges = [{"from": f"{a}.output", "to": f"{b}.text"} for a, b in zip(names, ids, strict=False)]
    return {"format": 1, "name": "Doors", "nodes": [{"id": "ask", "type": "ask"}, *nodes], "edges": edges}
