"""A worker process without restrictions, for nodes of Impasto itself and functions given by hand."""

import multiprocessing
import pickle
import typing as t
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from impasto.configuration import Configuration
from impasto.runtime.executors.messages import MessageReader
from impasto.runtime.executors.worker import serve
from impasto.sdk.context import Context
from impasto.types import Media


class ContextAccess(t.Protocol):
    """The access of a call in a worker process to files and variables of its context."""

    context: Context

    @property
    def temp_dir(self) -> Path:
        """The call's temporary folder."""

    @property
    def configuration(self) -> Configuration:
        """The variables of the operator's configuration that the call may read."""

    def open(self, asset: Media) -> AbstractAsyncContextManager[Path]:
        """Yield a file with an asset's bytes."""

    async def store(self, data: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        """Store bytes, or the file at a path, as an asset."""

    def close(self) -> None:
        """End the call."""


class FullAccess:
    """Access without restrictions."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @property
    def temp_dir(self) -> Path:
        """The call's temporary folder."""
        return self.context.temp_dir

    @property
    def configuration(self) -> Configuration:
        """The operator's configuration."""
        return self.context.configuration

    @asynccontextmanager
    async def open(self, asset: Media) -> AsyncIterator[Path]:
        """Yield a file with an asset's bytes."""
        async with self.context.open(asset) as path:
            yield path

    async def store(self, data: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        """Store bytes, or the file at a path, as an asset."""
        return await self.context.store(data, *args, **kwargs)

    def close(self) -> None:
        """End the call."""


class Worker(t.Protocol):
    """A worker process, which does one call at a time."""

    pipe: Connection
    reader: MessageReader

    @property
    def package(self) -> str | None:
        """The plugin that the process is for; None for all that are not restricted."""

    def loads(self, message: bytes) -> t.Any:
        """Return the value of a message of the process."""

    def access(self, context: Context) -> ContextAccess:
        """Return what a call may use of its context."""

    def kill(self) -> None:
        """Kill the process."""


class WorkerProcess:
    """A process of this program, which imports what this one has imported."""

    package: str | None = None

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self.reader = MessageReader(self.pipe)
        self.process = spawn.Process(target=serve, args=(theirs,), name="impasto-cpu", daemon=True)
        self.process.start()
        theirs.close()

    def loads(self, message: bytes) -> t.Any:
        """Return the value of a message of the process."""
        return pickle.loads(message)  # noqa: S301 - written by this program

    def access(self, context: Context) -> ContextAccess:
        """Return what a call may use of its context."""
        return FullAccess(context)

    def kill(self) -> None:
        """Kill the process."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()
