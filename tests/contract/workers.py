"""Celery workers in separate processes, to be killed by tests."""

import asyncio
import os
import signal
from pathlib import Path

from tests.server.forked_processes import ForkedProcess

from impasto_server.settings import Settings

ROOT = Path(__file__).parents[2]


class Worker:
    """A Celery worker in a separate process."""

    def __init__(self, settings: Settings) -> None:
        chosen = {
            name: getattr(settings, name)
            for name in (
                "data_dir",
                "agents_dir",
                "database_url",
                "redis_url",
                "run_backend",
                "lease_seconds",
                "dispatch_seconds",
                "max_concurrent_runs",
                "reserved_runs",
                "public_url",
            )
        }
        self.environment = {
            **os.environ,
            **{f"IMPASTO_{key.upper()}": str(value) for key, value in chosen.items()},
        }
        self.process: ForkedProcess | None = None

    async def start(self) -> None:
        self.process = ForkedProcess("tests.contract.worker", "work", self.environment, ROOT)

    async def wait_until_ready(self) -> None:
        """Wait until the worker has started completely: Celery does not stop one in order before."""
        assert self.process is not None
        await asyncio.wait_for(self.process.wait_until_ready(), 100)

    async def end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(how)
            await asyncio.wait_for(self.process.wait(), 100)
