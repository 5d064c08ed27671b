"""Starting and stopping what executes runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from impasto_server.container import AppState
from impasto_server.flows.seed import seed


@asynccontextmanager
async def runs_lifespan(app_state: AppState) -> AsyncIterator[None]:
    """Put the built-in agents in place, then execute runs for the length of the block."""
    await seed(app_state)
    async with app_state.signals, app_state.runs:
        yield
