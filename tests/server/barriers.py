"""Node types that block at a gate until the test releases them, in whatever process they run.

A gate is a Unix socket. A step stays connected while it is blocked, so a test sees its arrival, its
cancellation and the death of its process without sleeping or polling.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from impasto import Context, Setting, Text, node
from impasto_server.runs.execute import Executor

_TIMEOUT_SECONDS = 60


@node(id="gated")
async def gated(text: Text, *, path: Annotated[str, Setting()], context: Context) -> Text:
    """Block at the gate at `path`, then return the text with a full stop."""
    await _block(path, context.step)
    return f"{text}."


@node(id="gated_request", generative=True)
async def gated_request(text: Text, *, path: Annotated[str, Setting()], context: Context) -> Text:
    """Block at the gate in the first execution only, which is remembered even if it is cancelled."""
    if not await context.recall("requested"):
        try:
            await _block(path, context.step)
        finally:
            await context.remember("requested", True)
    return f"{text}."


GATED_NODES = (gated, gated_request)


async def _block(path: str, name: str) -> None:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(f"{name}\n".encode())
        await writer.drain()
        if await reader.readline() != b"released\n":
            raise ConnectionError("the gate was closed")
    finally:
        writer.close()


def extend_grace() -> None:
    """Give cancelled steps of this process 60 seconds to end, for slow machines."""
    run_options = Executor._run_options
    Executor._run_options = lambda self, *args: {**run_options(self, *args), "grace": 60.0}  # type: ignore[method-assign]


class Arrival:
    """A step that is blocked at a gate."""

    def __init__(self, step: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.step = step
        self._reader = reader
        self._writer = writer

    async def release(self) -> None:
        """Let the step continue."""
        self._writer.write(b"released\n")
        await self._writer.drain()

    async def wait_until_gone(self) -> None:
        """Wait until the step, or its process, has ended."""
        await asyncio.wait_for(self._reader.read(), _TIMEOUT_SECONDS)


class Gate:
    """Accepts the steps that arrive. `counts` has the number of arrivals of each step."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.counts: Counter[str] = Counter()
        self._arrivals: asyncio.Queue[Arrival] = asyncio.Queue()
        self._writers: list[asyncio.StreamWriter] = []

    async def wait_for_arrival(self, seconds: float = _TIMEOUT_SECONDS) -> Arrival:
        """Return the next step that arrives. Raises TimeoutError."""
        return await asyncio.wait_for(self._arrivals.get(), seconds)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        step = (await reader.readline()).decode().strip()
        self.counts[step] += 1
        await self._arrivals.put(Arrival(step, reader, writer))

    def close(self) -> None:
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def open_gate(folder: Path) -> AsyncIterator[Gate]:
    """Open a gate whose socket is in a folder."""
    gate = Gate(folder / "gate")
    server = await asyncio.start_unix_server(gate.accept, gate.path)
    try:
        yield gate
    finally:
        gate.close()
        server.close()


def gated_flow(path: str, *ids: str, kind: str = "gated") -> dict[str, object]:
    """Return a flow document: an `ask` node, then gated nodes one after another."""
    names = ("ask", *ids)
    nodes = [{"id": name, "type": kind, "settings": {"path": path}} for name in ids]
    edges = [{"from": f"{a}.output", "to": f"{b}.text"} for a, b in zip(names, ids, strict=False)]
    return {"format": 1, "name": "Gated", "nodes": [{"id": "ask", "type": "ask"}, *nodes], "edges": edges}
