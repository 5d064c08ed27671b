"""Server processes that are killed and restarted, and clients that use them over the network."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
from tests.fixtures.tables import DATABASES
from tests.one_authority import one_authority
from tests.server.barriers import Gate, open_gate
from tests.server.forked_processes import ForkedProcess
from tests.server.ports import free_port
from tests.server.postgresql import (
    delete_all_rows,
    migrated_postgresql,
    postgresql_database,
    postgresql_server,
)
from tests.server.responses import expect

__all__ = [
    "delete_all_rows",
    "migrated_postgresql",
    "one_authority",
    "postgresql_database",
    "postgresql_server",
]

ROOT = Path(__file__).parents[2]


class ServerProcess:
    """A server in a separate process. Its data folder survives it; its log goes to `log`, if that is set.

    `root` is the checkout whose code it executes.
    """

    def __init__(self, data: Path, root: Path = ROOT, **settings: Any) -> None:
        self.port = free_port()
        self.data = data
        self.root = root
        self.settings = settings
        chosen = {
            "data_dir": data,
            "agents_dir": data / "agents",
            "port": self.port,
            "public_url": "http://chaos.example",
            "argon2_time_cost": 1,
            "argon2_memory_kib": 64,
            "lease_seconds": 2,
            "log_level": "error",
            "warm": 0,
            **settings,
        }
        self.environment = {
            **os.environ,
            **{f"IMPASTO_{key.upper()}": str(value) for key, value in chosen.items()},
        }
        if root != ROOT:
            self.environment["PYTHONPATH"] = ":".join(
                str(root / part) for part in ("engine", "nodes", "server")
            )
        self.log: IO[bytes] | None = None
        self.process: asyncio.subprocess.Process | ForkedProcess | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v1"

    async def start(self) -> "ServerProcess":
        if self.root != ROOT:
            await self._start_program()
            return self
        log = None if self.log is None else self.log.name
        self.process = ForkedProcess("tests.chaos.serve", "serve", self.environment, self.data.parent, log)
        await asyncio.wait_for(self.process.wait_until_ready(), 100)
        return self

    async def _start_program(self) -> None:
        """Start the code of another checkout, of which this process has imported nothing."""
        program = str(self.root / "tests/chaos/serve.py")
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            program,
            env=self.environment,
            cwd=self.data.parent,
            stdout=asyncio.subprocess.PIPE,
            stderr=self.log,
        )
        assert self.process.stdout is not None
        assert await asyncio.wait_for(self.process.stdout.readline(), 100) == b"ready\n"

    async def sibling(self, **settings: Any) -> "ServerProcess":
        """Start another server on the same data folder and database."""
        return await ServerProcess(self.data, **{**self.settings, **settings}).start()

    async def suspend(self) -> None:
        """Suspend the process between two transactions: within one, it would keep SQLite locked."""
        assert self.process is not None
        async with asyncio.timeout(60):
            self.process.send_signal(signal.SIGSTOP)
            while await asyncio.to_thread(self._is_locked):
                self.process.send_signal(signal.SIGCONT)
                await asyncio.to_thread(self._is_locked)  # until the transaction has ended
                self.process.send_signal(signal.SIGSTOP)

    def _is_locked(self) -> bool:
        """Return whether a SQLite database stays locked for half a second."""
        file = self.data / "impasto.db"
        if not file.exists():
            return False
        with contextlib.closing(sqlite3.connect(file, timeout=0.5, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
        return False

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the server and wait until its process has ended."""
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(how)
            await asyncio.wait_for(self.process.wait(), 100)


class Visitor:
    """A user with an HTTP client."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.client = httpx.AsyncClient(timeout=100)
        self.headers: dict[str, str] = {}

    async def sign_up(self, name: str = "mara") -> None:
        body = {"username": name, "email": f"{name}@northbound.example", "password": "Thick-paint-7"}
        expect(await self.call("POST", "/identity/sign-up", json=body), 201)
        code = await self._code()
        session = (
            await self.call("POST", "/identity/confirm-sign-up", json={"username": name, "code": code})
        ).json()
        self.headers["Authorization"] = f"Bearer {session['session']['identity_token']}"

    async def call(self, method: str, path: str, **given: Any) -> httpx.Response:
        headers = {**self.headers, **given.pop("headers", {})}
        return await self.client.request(method, self.server.url + path, headers=headers, **given)

    async def launch(self, document: dict[str, Any], words: str = "hello") -> dict[str, Any]:
        made = (await self.call("POST", "/flows/", json={"name": "Chaos", "flow": document})).json()
        body = {"inputs": {"ask": words}, "version": "draft"}
        run = await self.call("POST", f"/flows/{made['id']}/runs", json=body)
        expect(run, 202)
        return dict(run.json())

    async def run(self, run_id: str) -> dict[str, Any]:
        return dict((await self.call("GET", f"/runs/{run_id}")).json())

    async def events(self, run_id: str, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Yield a run's events until the stream ends or the server dies."""
        headers = {**self.headers, "Last-Event-ID": str(after)}
        url = f"{self.server.url}/runs/{run_id}/events"
        try:
            async with self.client.stream("GET", url, headers=headers) as response:
                async for line in response.aiter_lines():
                    if line.startswith("data: "):
                        yield json.loads(line[6:])
        except httpx.TransportError:
            return

    async def sees(self, run_id: str, kind: str, step: str) -> None:
        """Wait until a run's stream has an event of a step."""
        async for event in self.events(run_id):
            if (event["type"], event["step"]) == (kind, step):
                return
        raise AssertionError(f"the stream ended without {kind} of {step}")

    async def _code(self) -> str:
        async with asyncio.timeout(100):
            while not (letters := sorted((self.server.data / "outbox").glob("*.eml"))):
                await asyncio.sleep(0.01)
        found = re.search(r"^\s+(\d{6})\s*$", letters[-1].read_text(), re.MULTILINE)
        assert found
        return found[1]


sqlite_at_night = pytest.mark.parametrize("database_url", DATABASES, indirect=True)
"""For a test of which other tests show what differs between the databases."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    url: str = request.getfixturevalue("migrated_postgresql")
    return url


@pytest.fixture
async def server(tmp_path: Path, database_url: str) -> AsyncIterator[ServerProcess]:
    found = await ServerProcess(tmp_path / "data", database_url=database_url).start()
    yield found
    await found.end()


@pytest.fixture
async def visitor(server: ServerProcess) -> AsyncIterator[Visitor]:
    found = Visitor(server)
    await found.sign_up()
    yield found
    await found.client.aclose()


@pytest.fixture
async def gate(tmp_path: Path) -> AsyncIterator[Gate]:
    async with open_gate(tmp_path) as found:
        yield found
