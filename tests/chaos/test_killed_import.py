"""A server killed while it imports an agent with files: nothing of the agent is there afterwards."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.chaos.conftest import ServerProcess, Visitor
from tests.chaos.paid_nodes import chaos_catalog
from tests.server.flows.archives import showing
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.app import create_app
from impasto_server.assets import garbage
from impasto_server.housekeeping import run_housekeeping
from impasto_server.settings import Settings
from impasto_server.utils import utc_now

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

_FILES = 60


async def _zip_of_an_agent(visitor: Visitor) -> bytes:
    """Return the exported file of an agent with pictures, all of which are deleted."""
    pictures = []
    for red in range(_FILES):
        file = {"file": (f"{red}.png", png(red, 64, 64), "image/png")}
        made = await visitor.call("POST", "/assets/", files=file)
        expect(made, 201)
        pictures.append(made.json())
    flow = await visitor.call("POST", "/flows/", json={"name": "Bottega", "flow": showing(*pictures)})
    expect(flow, 201)
    exported = await visitor.call("GET", f"/flows/{flow.json()['id']}/export/file")
    expect(exported, 200)
    expect(await visitor.call("DELETE", f"/flows/{flow.json()['id']}"), 204)
    for picture in pictures:
        expect(await visitor.call("DELETE", f"/assets/{picture['id']}"), 204)
    return exported.content


def _objects(data: Path) -> list[Path]:
    """Return the stored files of assets."""
    return [path for path in (data / "assets").rglob("*") if path.is_file()]


async def _import(visitor: Visitor, data: bytes) -> httpx.Response:
    return await visitor.call("POST", "/flows/import/file", files={"file": ("bottega.zip", data)})


async def _listed(visitor: Visitor) -> tuple[list[Any], list[Any]]:
    flows = await visitor.call("GET", "/flows/?include_all=true&mine=true")
    return flows.json(), (await visitor.call("GET", "/assets/")).json()


@pytest.mark.thorough
async def test_killed_import_leaves_nothing_and_can_be_repeated(
    server: ServerProcess, visitor: Visitor
) -> None:
    data = await _zip_of_an_agent(visitor)
    assert await _listed(visitor) == ([], [])
    await _keep_house(server)  # no deletion of the first files is still under way
    await server.start()
    before = set(_objects(server.data))

    importing = asyncio.create_task(_import(visitor, data))
    async with asyncio.timeout(100):
        while not set(_objects(server.data)) - before:
            assert not importing.done(), "the import ended before a file was stored"
            await asyncio.sleep(0)
    await server.end()
    with pytest.raises(httpx.TransportError):
        await importing
    stored = len(set(_objects(server.data)) - before)
    assert 0 < stored < _FILES

    await server.start()
    assert await _listed(visitor) == ([], [])
    await _keep_house(server)
    assert set(_objects(server.data)) <= before

    await server.start()
    expect(await _import(visitor, data), 201)
    flows, assets = await _listed(visitor)
    assert [flow["name"] for flow in flows] == ["Bottega"]
    assert len(assets) == _FILES


async def _keep_house(server: ServerProcess) -> None:
    """Stop the server and run its housekeeping once, as if two hours later: nothing is still being stored."""
    await server.end()
    settings = Settings(**{"data_dir": server.data, "warm": 0, **_chosen(server)})
    app = create_app(settings, chaos_catalog())
    async with app.router.lifespan_context(app):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(garbage, "utc_now", lambda: utc_now() + timedelta(hours=2))
            await run_housekeeping(app.state.app_state)


def _chosen(server: ServerProcess) -> dict[str, Any]:
    url = server.settings["database_url"]
    return {"database_url": url} if url else {}
