"""An installation of several processes whose user launches runs that buy from a provider."""

import asyncio
import logging
import random
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from tests.chaos.conftest import ROOT, ServerProcess, Visitor
from tests.chaos.provider import Connection, PaidProvider
from tests.chaos.services import Service, postgresql_service, redis_service
from tests.server.forked_processes import ForkedProcess

ENDED = {"finished", "failed", "cancelled"}
SETTLE_SECONDS = 240
LEASE_SECONDS = 5
_LAUNCH_SECONDS = 10
_EVENTS_SECONDS = 100
_UNLIMITED = 1_000_000
_FIRST_PAUSE_SECONDS = 0.1
_MAX_PAUSE_SECONDS = 1.6  # twenty launches that repeat their requests faster keep a small machine busy


class WorkerProcess:
    """`impasto worker` with the sample nodes, and the settings of a server."""

    def __init__(self, server: ServerProcess) -> None:
        self._environment = server.environment
        self._log = server.log
        self.process: ForkedProcess | None = None

    async def start(self) -> None:
        log = None if self._log is None else self._log.name
        self.process = ForkedProcess("tests.contract.worker", "work", self._environment, ROOT, log)

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(how)
            await asyncio.wait_for(self.process.wait(), 100)


Answer = dict[str, Any]
Process = ServerProcess | WorkerProcess


class Installation:
    """The processes, the provider, and a user who launches runs."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder = folder
        self.provider = PaidProvider(chance)
        self.servers: list[ServerProcess] = []
        self.workers: list[WorkerProcess] = []
        self.database: Service
        self.redis: Service
        self.store: Connection
        self._visitor: Visitor
        self._flow = ""
        self._requests = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Installation"]:
        """Start everything, and stop it at the end."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.provider)
            self.store = await self._start_store(stack)
            self.redis = redis_service(self.folder)
            self.database = await postgresql_service(self.folder / "postgresql")
            for service in (self.redis, self.database):
                await service.start()
            stack.push_async_callback(self.redis.end)
            stack.push_async_callback(self.database.end, signal.SIGQUIT)
            first = ServerProcess(self.folder / "data", **self._settings())
            self.servers = [first, ServerProcess(first.data, **first.settings)]
            log = stack.enter_context((self.folder / "log").open("wb"))
            for server in self.servers:
                server.log = log
            self.workers = [WorkerProcess(first), WorkerProcess(first)]
            processes: list[Process] = [*self.servers, *self.workers]
            for process in processes:
                stack.push_async_callback(process.end)
            await first.start()
            await asyncio.gather(self.servers[1].start(), *(worker.start() for worker in self.workers))
            self._visitor = Visitor(first)
            stack.push_async_callback(self._visitor.client.aclose)
            await self._visitor.sign_up()
            flow = await self.call("POST", "/flows/", json={"name": "Chaos", "flow": self._document()})
            self._flow = flow["id"]
            yield self

    async def _start_store(self, stack: AsyncExitStack) -> Connection:
        from moto.server import ThreadedMotoServer

        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        logging.getLogger("werkzeug").setLevel(logging.WARNING)  # it names each request
        server.start()
        stack.callback(server.stop)
        host, port = server.get_host_and_port()
        async with httpx.AsyncClient(trust_env=False) as client:
            (await client.put(f"http://{host}:{port}/paint")).raise_for_status()
        connection = Connection(port)
        await connection.open()
        stack.callback(connection.cut)
        return connection

    def _settings(self) -> dict[str, Any]:
        query = "region=us-east-1&access_key_id=a&secret_access_key=b"
        return {
            "database_url": f"postgresql+asyncpg://impasto@127.0.0.1:{self.database.port}/postgres",
            "redis_url": f"redis://127.0.0.1:{self.redis.port}/0",
            "storage_url": f"s3://paint/files?endpoint=http://127.0.0.1:{self.store.port}&{query}",
            "run_backend": "celery",
            "lease_seconds": LEASE_SECONDS,
            "dispatch_seconds": 1,
            "daily_quota": _UNLIMITED,
            "limit_concurrent_runs": _UNLIMITED,
            "rate_limit_compilations": f"{_UNLIMITED}/minute",
            "limit_usd_per_day": 10_000,
            "limit_usd_per_month": 10_000,
            "log_level": "error",
        }

    def _document(self) -> dict[str, Any]:
        settings = {"address": self.provider.address}
        return {
            "format": 1,
            "name": "Chaos",
            "nodes": [
                {"id": "ask", "type": "ask"},
                {"id": "first", "type": "buy_text", "settings": settings},
                {"id": "second", "type": "buy_text", "settings": settings},
                {"id": "image", "type": "buy_image", "settings": settings},
            ],
            "edges": [
                {"from": "ask.output", "to": "first.text"},
                {"from": "first.output", "to": "second.text"},
                {"from": "second.output", "to": "image.text"},
            ],
        }

    async def call(self, method: str, path: str, seconds: float = SETTLE_SECONDS, **given: Any) -> Answer:
        """Send a request until a server answers it, each time to the other one. Raises TimeoutError.

        A server that was killed in the middle of a launch leaves its key in progress for minutes, and one
        that has just started takes few launches at once.
        """
        self._requests += 1
        pause = _FIRST_PAUSE_SECONDS
        async with asyncio.timeout(seconds):
            for attempt in count():
                server = self.servers[(self._requests + attempt) % 2]
                with suppress(httpx.TransportError):
                    response = await self._send(server, method, path, **given)
                    if response.status_code == 401:
                        await self._sign_in(server)
                    elif response.status_code < 500 and response.status_code not in (409, 429):
                        assert response.is_success, response.text
                        return dict(response.json())
                await asyncio.sleep(pause)
                pause = min(2 * pause, _MAX_PAUSE_SECONDS)
        raise TimeoutError

    async def _send(self, server: ServerProcess, method: str, path: str, **given: Any) -> httpx.Response:
        headers = {**self._visitor.headers, **given.pop("headers", {})}
        return await self._visitor.client.request(method, server.url + path, headers=headers, **given)

    async def _sign_in(self, server: ServerProcess) -> None:
        body = {"username": "mara", "password": "Thick-paint-7"}
        response = await self._send(server, "POST", "/identity/sign-in", json=body)
        if response.is_success:
            token = response.json()["session"]["identity_token"]
            self._visitor.headers["Authorization"] = f"Bearer {token}"

    async def launch(self, name: str) -> str | None:
        """Launch a run and return its id; None if no server answered, whether it began or not."""
        body = {"inputs": {"ask": name}, "version": "draft"}
        headers = {"Idempotency-Key": name}
        try:
            run = await self.call(
                "POST", f"/flows/{self._flow}/runs", _LAUNCH_SECONDS, json=body, headers=headers
            )
        except TimeoutError:
            return None
        return str(run["id"])

    async def runs(self) -> dict[str, list[str]]:
        """Return the ids of all runs by the name of their launch."""
        found: dict[str, list[str]] = defaultdict(list)
        cursor: dict[str, str] = {}
        while True:
            page = await self.call("GET", "/runs/", params={"limit": 100, **cursor})
            for listed in page["items"]:
                run = await self.call("GET", f"/runs/{listed['id']}")
                found[run["inputs"]["ask"]].append(run["id"])
            if page["next_cursor"] is None:
                return found
            cursor = {"cursor": page["next_cursor"]}

    async def ended(self, run_id: str, until: float) -> dict[str, Any]:
        """Return a run when it has ended, or as it is at the monotonic time `until`."""
        while True:
            run = await self.call("GET", f"/runs/{run_id}")
            if run["status"] in ENDED or time.monotonic() > until:
                return run
            await asyncio.sleep(0.2)

    async def events(self, run_id: str, last_seq: int) -> list[dict[str, Any]]:
        """Return all events of a run that has ended, or those that the server has sent within 100 s.

        A stream that is refused, such as one of too many at once, or that ends early is continued.
        """
        found: list[dict[str, Any]] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(_EVENTS_SECONDS):
                while not found or found[-1]["seq"] < last_seq:
                    after = found[-1]["seq"] if found else 0
                    found += [event async for event in self._visitor.events(run_id, after)]
                    await asyncio.sleep(0.05)
        return found
