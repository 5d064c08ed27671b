"""A worker process of one plugin, restricted to what the plugin declares.

The process starts with the declared variables only, restricts itself, and imports the plugin after that. It
has a folder of its own. Its answers are read as data, and files are handed over by copies, so that it cannot
make this process open a file for it that it may not open itself.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import typing as t
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Pipe
from pathlib import Path

from impasto.configuration import Configuration, plugin_environment
from impasto.plugins.allow_list import in_use
from impasto.plugins.capabilities import Capabilities, Plugin
from impasto.runtime.executors.messages import MessageReader
from impasto.runtime.sandbox import unpickling
from impasto.runtime.sandbox.denied import CapabilityDenied
from impasto.runtime.sandbox.environment import restricted
from impasto.runtime.sandbox.policy import SandboxPolicy
from impasto.sdk.context import Context
from impasto.types import Media

_PROGRAM = """
import sys
sys.path[:] = sys.argv[2:]
from impasto.runtime.executors.worker import serve_restricted
serve_restricted(int(sys.argv[1]))
"""
_CHUNK = 2**20


class SandboxedProcess:
    """A process for the nodes of one plugin. Its folder is deleted when it is killed."""

    def __init__(self, plugin: Plugin) -> None:
        self.plugin = plugin
        self.package: str | None = plugin.package
        self._scratch = tempfile.TemporaryDirectory(prefix="impasto-plugin-", ignore_cleanup_errors=True)
        scratch = Path(self._scratch.name).resolve()
        declared = plugin.capabilities or Capabilities()
        variables, hidden = plugin_environment(declared.environment)
        self.policy = SandboxPolicy.of(plugin, scratch, hidden)
        self.pipe, theirs = Pipe()
        self.reader = MessageReader(self.pipe)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, with this program
                [
                    sys.executable, "-I", "-B", "-c", _PROGRAM,
                    str(theirs.fileno()), *_import_path(),
                ],
                cwd=scratch,
                env={**variables, "HOME": str(scratch), "TMPDIR": str(scratch)},
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )  # fmt: skip
        self.pipe.send((self.policy, in_use().text))

    def loads(self, message: bytes) -> t.Any:
        """Return the value of a message of the process. Raises UnexpectedData."""
        return unpickling.loads(message, self.plugin)

    def access(self, context: Context) -> "SandboxedAccess":
        """Return what a call may use of its context."""
        return SandboxedAccess(context, self.policy)

    def kill(self) -> None:
        """Kill the process and delete its folder."""
        with suppress(OSError), socket.socket(fileno=os.dup(self.pipe.fileno())) as pipe:
            pipe.shutdown(
                socket.SHUT_RDWR
            )  # a thread may be writing, and programs of the process may hold it
        self._process.kill()
        self._process.wait()
        self.pipe.close()
        self._scratch.cleanup()


class SandboxedAccess:
    """A restricted call's access to its context: declared variables, and copies of files."""

    def __init__(self, context: Context, policy: SandboxPolicy) -> None:
        self.context = context
        self._policy = policy
        self._folder: Path | None = None

    @property
    def temp_dir(self) -> Path:
        """The call's temporary folder, in the folder of the process."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(dir=self._policy.scratch))
        return self._folder

    @property
    def configuration(self) -> Configuration:
        """The declared variables of the operator's configuration."""
        given = self.context.configuration
        declared = {name.upper() for name in self._policy.capabilities.environment}
        visible = {name: value for name, value in given.items() if name in declared}
        return restricted(Configuration(visible), self._policy.package, frozenset({*given} - declared))

    @asynccontextmanager
    async def open(self, asset: Media) -> AsyncIterator[Path]:
        """Yield a copy of an asset's file in the call's folder."""
        async with self.context.open(asset) as original:
            folder = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=self.temp_dir))
            copy = folder / original.name
            await asyncio.to_thread(shutil.copyfile, original, copy)
        try:
            yield copy
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def store(self, data: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        """Store bytes, or a file that the process may read itself. Raises CapabilityDenied for others."""
        if isinstance(data, str | Path):
            with self._opened(Path(data)) as file:
                return await self.context.store(_pieces(file), *args, **kwargs)
        return await self.context.store(data, *args, **kwargs)

    def close(self) -> None:
        """Delete the call's folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _opened(self, path: Path) -> t.BinaryIO:
        """Open a file, and check the file that was opened: the path may be changed at any moment."""
        file = path.open("rb")
        opened = os.fstat(file.fileno())
        real = path.resolve()
        allowed = (*self._policy.read, *self._policy.write)
        is_allowed = any(real.is_relative_to(Path(folder).resolve()) for folder in allowed)
        if is_allowed and real.is_file() and os.path.samestat(opened, real.lstat()):
            return file
        file.close()
        raise CapabilityDenied(
            self._policy.package, "files", f"read {real}", f'files = {{ read = ["{real}"] }}'
        )


def _import_path() -> list[str]:
    """Return `sys.path` for a process with another working folder; what is no folder stays as it is."""
    return [str(Path(entry).absolute()) if Path(entry).exists() else entry for entry in sys.path]


async def _pieces(file: t.BinaryIO) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(file.read, _CHUNK):
        yield piece
