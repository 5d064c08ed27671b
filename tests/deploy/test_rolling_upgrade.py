"""An upgrade of a working installation: a server of the release before and the new one on one PostgreSQL.

The new server migrates the database while the former one executes runs; then both are used, and the former
one is stopped while it has runs under way, as an upgrade does.
"""

import asyncio
import random
import signal
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from decimal import Decimal
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from tests.chaos.conftest import ServerProcess, Visitor
from tests.chaos.paid_nodes import PRICE_USD
from tests.chaos.provider import PaidProvider
from tests.chaos.services import Service, postgresql_service
from tests.deploy.releases import (
    Release,
    former_commit,
    former_release,
    next_release,
    this_release,
)
from tests.fixtures.tables import thorough_except
from tests.server.responses import expect

pytestmark = [pytest.mark.slow, pytest.mark.anyio, pytest.mark.timeout(600)]
ENDED = {"finished", "failed", "cancelled"}
SETTLE_SECONDS = 60
INTERVAL_SECONDS = 0.4
UNLIMITED = 1_000_000
FORMER_COMMIT = former_commit()
# The code of another commit takes part wherever the repository's history is there.
UPGRADES = ["this to the next", *(["the former to this"] if FORMER_COMMIT else [])]


@pytest.fixture(params=thorough_except(UPGRADES, UPGRADES[-1]))
def releases(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Release, Release]:
    """The release that is replaced, and the one that replaces it."""
    if request.param == "this to the next":
        return this_release(), next_release(tmp_path / "release")
    assert FORMER_COMMIT is not None
    return former_release(tmp_path / "release", FORMER_COMMIT), this_release()


@pytest.fixture
async def postgresql() -> AsyncIterator[Service]:
    async with AsyncExitStack() as stack:
        # PostgreSQL refuses to run as root, and another user cannot enter pytest's folders.
        shared = stack.enter_context(tempfile.TemporaryDirectory(prefix="impasto-postgresql-"))
        Path(shared).chmod(0o755)
        service = await postgresql_service(Path(shared) / "server")
        await service.start()
        stack.push_async_callback(service.end, signal.SIGQUIT)
        yield service


class Launches:
    """A user who launches runs that buy from a provider, until all are stopped.

    `ids` has the run of each launch. A launch that is refused is an error.
    """

    def __init__(self, visitor: Visitor, provider: PaidProvider, flow: str) -> None:
        self._visitor = visitor
        self._flow = flow
        self.provider = provider
        self.ids: dict[str, str] = {}
        self.by_server: dict[str, int] = defaultdict(int)
        self._numbers = count()
        self._launched = asyncio.Condition()

    async def on(self, server: ServerProcess, stopped: asyncio.Event) -> None:
        """Launch on a server again and again, until `stopped`."""
        while not stopped.is_set():
            name = f"launch {next(self._numbers)}"
            body = {"inputs": {"ask": name}, "version": "draft"}
            response = await self._call(server, "POST", f"/flows/{self._flow}/runs", json=body)
            self.ids[name] = expect(response, 202).json()["id"]
            self.by_server[server.url] += 1
            async with self._launched:
                self._launched.notify_all()
            with suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), INTERVAL_SECONDS)

    async def reach(self, server: ServerProcess, more: int) -> None:
        """Wait until this many more launches were answered by a server."""
        wanted = self.by_server[server.url] + more
        async with asyncio.timeout(SETTLE_SECONDS), self._launched:
            await self._launched.wait_for(lambda: self.by_server[server.url] >= wanted)

    async def run(self, server: ServerProcess, run_id: str) -> dict[str, Any]:
        return dict((await self._call(server, "GET", f"/runs/{run_id}")).raise_for_status().json())

    async def ended(self, server: ServerProcess) -> dict[str, dict[str, Any]]:
        """Return the runs by their launches when all have ended."""
        until = time.monotonic() + SETTLE_SECONDS
        found = {}
        for name, run_id in self.ids.items():
            run = await self.run(server, run_id)
            while run["status"] not in ENDED and time.monotonic() < until:
                await asyncio.sleep(0.1)
                run = await self.run(server, run_id)
            found[name] = run
        return found

    async def _call(self, server: ServerProcess, method: str, path: str, **given: Any) -> httpx.Response:
        return await self._visitor.client.request(
            method, server.url + path, headers=self._visitor.headers, **given
        )


def document(provider: PaidProvider) -> dict[str, Any]:
    """Return a flow that buys a text, another one from it, and an image."""
    bought = [("first", "buy_text"), ("second", "buy_text"), ("image", "buy_image")]
    names = ["ask", *(name for name, _ in bought)]
    nodes = [{"id": name, "type": kind, "settings": {"address": provider.address}} for name, kind in bought]
    edges = [{"from": f"{a}.output", "to": f"{b}.text"} for a, b in pairwise(names)]
    return {"format": 1, "name": "Upgrade", "nodes": [{"id": "ask", "type": "ask"}, *nodes], "edges": edges}


async def revision_of(service: Service) -> str:
    connection = await asyncpg.connect(f"postgresql://impasto@127.0.0.1:{service.port}/postgres")
    try:
        return str(await connection.fetchval("SELECT version_num FROM alembic_version"))
    finally:
        await connection.close()


async def test_nothing_is_lost_or_paid_twice_while_a_release_replaces_the_former_one(
    tmp_path: Path, postgresql: Service, releases: tuple[Release, Release]
) -> None:
    former, newer = releases
    assert former.revision != newer.revision
    settings = {
        "database_url": f"postgresql+asyncpg://impasto@127.0.0.1:{postgresql.port}/postgres",
        "daily_quota": UNLIMITED,
        "limit_concurrent_runs": UNLIMITED,
        "limit_usd_per_day": 10_000,
        "limit_usd_per_month": 10_000,
        "rate_limit_compilations": f"{UNLIMITED}/minute",
    }
    old = ServerProcess(tmp_path / "data", root=former.root, **settings)
    new = ServerProcess(tmp_path / "data", root=newer.root, **settings)
    async with AsyncExitStack() as stack:
        provider = await stack.enter_async_context(PaidProvider(random.Random(1)))
        for server in (old, new):
            stack.push_async_callback(server.end)
        await old.start()
        visitor = Visitor(old)
        stack.push_async_callback(visitor.client.aclose)
        await visitor.sign_up()
        made = await visitor.call("POST", "/flows/", json={"name": "Upgrade", "flow": document(provider)})
        launches = Launches(visitor, provider, made.raise_for_status().json()["id"])
        assert await revision_of(postgresql) == former.revision

        is_old_left, is_enough = asyncio.Event(), asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            on_old = tasks.create_task(launches.on(old, is_old_left))
            await launches.reach(old, 3)
            # The former one goes on launching while the new one migrates, which may take less than a launch.
            await asyncio.gather(new.start(), launches.reach(old, 1))
            assert await revision_of(postgresql) == newer.revision
            tasks.create_task(launches.on(new, is_enough))
            await asyncio.gather(launches.reach(old, 5), launches.reach(new, 5))
            is_old_left.set()
            await on_old
            await old.end(signal.SIGTERM)
            await launches.reach(new, 3)
            is_enough.set()

        runs = await launches.ended(new)
        ends = {name: (run["status"], run["error"]) for name, run in runs.items()}
        assert ends == dict.fromkeys(launches.ids, ("finished", None))
        for name, run in runs.items():
            keys = [provider.paid[name, step] for step in ("first", "second", "image")]
            assert [len(found) for found in keys] == [1, 1, 1]
            assert Decimal(run["cost_usd"]) == 3 * Decimal(str(PRICE_USD))
            assert sum(Decimal(step["cost_usd"] or 0) for step in run["steps"]) == Decimal(run["cost_usd"])
        listed = await visitor.client.get(f"{new.url}/runs/?limit=100", headers=visitor.headers)
        assert {run["id"] for run in listed.json()["items"]} == set(launches.ids.values())
