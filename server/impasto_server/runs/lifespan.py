"""Starting and stopping what executes runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from impasto_server.container import Parts
from impasto_server.flows.seed import seed


@asynccontextmanager
async def runs_lifespan(parts: Parts) -> AsyncIterator[None]:
    """Put the built-in agents in place, then execute runs for the length of the block."""
    await seed(parts)
    async with parts.signals, parts.runs:
        yield
