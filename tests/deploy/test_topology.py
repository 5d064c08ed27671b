"""The processes of deploy/compose.yaml, started with its commands and settings on one machine."""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from tests.chaos.services import postgresql_service, redis_service
from tests.server.ports import free_port
from tests.server.responses import expect

ROOT = Path(__file__).parents[2]
SERVICES = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["services"]
ACCOUNT = ("mara", "mara@northbound.example", "--password", "Thick-paint-7", "--definitive")

pytestmark = [pytest.mark.slow, pytest.mark.anyio, pytest.mark.timeout(900)]


@pytest.fixture
def store() -> Iterator[str]:
    """The address of an S3 server with the bucket that the service `bucket` creates."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    httpx.put(f"http://{host}:{port}/impasto").raise_for_status()
    yield f"http://{host}:{port}"
    server.stop()


class Topology:
    """The processes of compose.yaml's services, which share what it shares."""

    def __init__(self, folder: Path, addresses: dict[str, str]) -> None:
        self.folder = folder
        self.addresses = addresses
        self.processes: list[asyncio.subprocess.Process] = []
        self._numbers = count()

    async def start(self, service: str, *command: str, **changes: str) -> asyncio.subprocess.Process:
        """Start a process of a service, with another command if one is given."""
        data = self.folder / f"container-{next(self._numbers)}"
        data.mkdir()
        with (data / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *(command or SERVICES[service]["command"]),
                cwd=data,
                env=self._environment(service, IMPASTO_DATA_DIR=str(data), **changes),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        self.processes.append(process)
        return process

    async def complete(self, service: str, *command: str) -> None:
        process = await self.start(service, *command)
        assert await asyncio.wait_for(process.wait(), 100) == 0, self.logs()

    async def serve(self) -> tuple[asyncio.subprocess.Process, httpx.AsyncClient]:
        """Start a server, and return it with a client once it answers."""
        port = free_port()
        process = await self.start("server", IMPASTO_PORT=str(port))
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), 100)
        assert line.startswith(b"Impasto is running"), self.logs()
        return process, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=100)

    async def stop(self) -> None:
        for process in self.processes:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            await asyncio.wait_for(process.wait(), 60)

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("container-*/log")))

    def _environment(self, service: str, **changes: str) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("IMPASTO_")}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        chosen = {name: self._resolve(value) for name, value in SERVICES[service]["environment"].items()}
        cheap = {"IMPASTO_ARGON2_TIME_COST": "1", "IMPASTO_ARGON2_MEMORY_KIB": "64", "IMPASTO_WARM": "0"}
        secrets = str(self.folder / "secrets")
        return {**inherited, "PATH": path, **chosen, **cheap, "IMPASTO_SECRETS_DIR": secrets, **changes}

    def _resolve(self, value: str) -> str:
        value = re.sub(r"\$\{IMPASTO_DOMAIN[^}]*\}", "impasto.example", value)
        value = re.sub(r"\$\{\w+:-\}", "", value)
        value = re.sub(r"\$\{\w+[^}]*\}", "of-the-example-env", value)
        for name, address in self.addresses.items():
            value = value.replace(name, address)
        return value


@pytest.fixture
async def topology(tmp_path: Path, store: str) -> AsyncIterator[Topology]:
    async with AsyncExitStack() as stack:
        # PostgreSQL refuses to run as root, and another user cannot enter pytest's folders.
        shared = stack.enter_context(tempfile.TemporaryDirectory(prefix="impasto-postgresql-"))
        Path(shared).chmod(0o755)
        redis, database = redis_service(tmp_path), await postgresql_service(Path(shared) / "server")
        for service in (redis, database):
            await service.start()
            stack.push_async_callback(service.end)
        addresses = {
            "@database/impasto": f"@127.0.0.1:{database.port}/postgres",
            "redis://redis:6379": f"redis://127.0.0.1:{redis.port}",
            "http://store:8333": store,
        }
        started = Topology(tmp_path, addresses)
        stack.push_async_callback(started.stop)
        yield started


async def create_agent(client: httpx.AsyncClient) -> str:
    """Create an agent that makes an image, and return its id."""
    nodes = [
        {"id": "prompt", "type": "user_prompt"},
        {"id": "image", "type": "image_generation", "settings": {"provider": "local", "n_images": 1}},
    ]
    flow = {
        "format": 1,
        "name": "Harbour",
        "nodes": nodes,
        "edges": [{"from": "prompt.output", "to": "image.prompt"}],
    }
    made = await client.post("/api/v1/flows/", json={"name": "Harbour", "flow": flow})
    return str(expect(made, 201).json()["id"])


async def launch(client: httpx.AsyncClient, agent: str, subject: str) -> str:
    """Launch an agent, and return the run's id."""
    body = {"inputs": {"prompt": subject}, "version": "draft"}
    return str(expect(await client.post(f"/api/v1/flows/{agent}/runs", json=body), 202).json()["id"])


async def finished(client: httpx.AsyncClient, run_id: str) -> dict[str, Any]:
    """Follow a run's events to their end, and return the run."""
    async with client.stream("GET", f"/api/v1/runs/{run_id}/events") as events:
        async for _ in events.aiter_lines():
            pass
    run: dict[str, Any] = expect(await client.get(f"/api/v1/runs/{run_id}"), 200).json()
    return run


@pytest.mark.thorough
async def test_launch_on_one_server_is_followed_on_the_other_and_outlives_killed_processes(
    topology: Topology,
) -> None:
    await topology.complete("setup")
    await topology.complete("setup")  # as the next `docker compose up` does
    await topology.complete("server", "impasto", "admin", "create-user", *ACCOUNT)
    (server, first), (_, second) = await asyncio.gather(topology.serve(), topology.serve())
    worker = await topology.start("worker")
    await topology.start("worker")
    async with first, second:
        account = {"username": "mara", "password": "Thick-paint-7"}
        session = expect(await first.post("/api/v1/identity/sign-in", json=account), 200).json()["session"]
        for client in (first, second):
            client.headers["Authorization"] = f"Bearer {session['identity_token']}"

        built_in = expect(await second.get("/api/v1/flows/"), 200).json()
        assert "Moodboard" in {agent["name"] for agent in built_in}
        agent = await create_agent(first)
        run = await finished(second, await launch(first, agent, "A harbour at dawn"))
        assert run["status"] == "finished", run["error"]
        assets = expect(await second.get(f"/api/v1/assets/library?run_id={run['id']}"), 200).json()["items"]
        image = await second.get(f"/api/v1/assets/{assets[0]['id']}/content", follow_redirects=True)
        assert expect(image, 200).headers["content-type"].startswith("image/")

        server.kill()
        worker.kill()
        run = await finished(second, await launch(second, agent, "A harbour at night"))
        assert run["status"] == "finished", run["error"]
