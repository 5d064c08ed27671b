"""The server of `impasto serve`: what it ends when it is stopped."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.sample_nodes import arrived, chain

from impasto_server.cli.serving import Server, make_config
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


async def test_server_that_is_stopped_gives_up_its_runs_and_ends_event_streams(
    app: FastAPI, app_state: Any, settings: Any, person: Any, make_flow: Any, run_flow: Any
) -> None:
    started = asyncio.Event()
    config = make_config(app, settings)
    config.port, config.lifespan, config.timeout_graceful_shutdown = 0, "off", 3600
    server = Server(config, app, started.set)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(20):
        await started.wait()
    port = server.servers[0].sockets[0].getsockname()[1]
    run = await run_flow(person, (await make_flow(person, chain("wait")))["id"])
    await arrived("gate")
    url = f"http://127.0.0.1:{port}/api/v1/runs/{run['id']}/events"
    async with (
        httpx.AsyncClient(headers=person.client.headers) as client,
        client.stream("GET", url) as stream,
        asyncio.timeout(30),  # it would wait an hour for open requests
    ):
        lines = stream.aiter_lines()
        await anext(lines)
        server.should_exit = True
        async for _ in lines:
            pass
        await serving
    async with app_state.database.reading() as session:
        row = await session.get_one(RunRow, run["id"])
    assert (row.status, row.lease_owner) == ("running", None)
    assert not any(each.is_serving() for each in server.servers)
