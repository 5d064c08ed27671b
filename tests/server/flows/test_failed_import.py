"""An import that fails leaves nothing, and takes nothing from another one."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.flows.archives import export, exported, import_file, packed, showing, upload
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.assets.garbage import sweep
from impasto_server.assets.models import AssetRow

pytestmark = pytest.mark.anyio


class StorageAtGate:
    """A storage of which the second `put_file` waits at a gate and fails once it has stored the file."""

    def __init__(self, storage: Any, gate: asyncio.Event) -> None:
        self._storage, self._gate, self._calls = storage, gate, 0
        self.arrived = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def put_file(self, path: Any, sha256: str) -> None:
        self._calls += 1
        if self._calls == 2:
            self.arrived.set()
            await self._gate.wait()
        await self._storage.put_file(path, sha256)
        if self._calls == 2:
            raise ConnectionError("the connection to the storage was lost")


def _open() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate


async def _rows(app_state: Any) -> list[AssetRow]:
    async with app_state.database.reading() as session:
        return list(await session.scalars(select(AssetRow)))


async def test_assets_are_not_kept_if_the_agent_is_refused(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    files = await exported(person, make_flow)
    document = json.loads(files["flow.json"]) | {"format": 99}
    other = await new_person("ines")
    expect(await import_file(other, packed(files | {"flow.json": json.dumps(document).encode()})), 422)
    assert (await other.client.get("/assets/")).json() == []


async def test_a_failed_import_leaves_no_asset_and_no_object(
    person: Any, new_person: Any, make_flow: Any, app_state: Any
) -> None:
    pictures = [await upload(person, red) for red in (77, 78)]
    data = await export(person, await make_flow(person, showing(*pictures)))
    keys = [row.object_key for row in await _rows(app_state)]
    for picture in pictures:
        expect(await person.client.delete(f"/assets/{picture['id']}"), 204)
    other, plain = await new_person("ines"), app_state.storage
    app_state.storage = StorageAtGate(plain, _open())
    try:
        assert (await import_file(other, data)).status_code >= 500
    finally:
        app_state.storage = plain
    assert await _rows(app_state) == []
    await sweep(app_state)
    assert [await plain.exists(key) for key in keys] == [False, False]
    assert (await other.client.get("/flows/?include_all=true&mine=true")).json() == []


async def test_an_import_that_fails_does_not_delete_what_another_one_has_stored(
    person: Any, new_person: Any, make_flow: Any, app_state: Any
) -> None:
    pictures = [await upload(person, red) for red in (4, 5)]
    data = await export(person, await make_flow(person, showing(*pictures)))
    other, plain, gate = await new_person("ines"), app_state.storage, asyncio.Event()
    app_state.storage = stopped = StorageAtGate(plain, gate)
    failing = asyncio.create_task(import_file(other, data))
    await asyncio.wait_for(stopped.arrived.wait(), 30)
    app_state.storage = plain
    back = await import_file(other, data)
    expect(back, 201)
    gate.set()
    assert (await asyncio.wait_for(failing, 30)).status_code >= 500
    await sweep(app_state)
    stored = (await other.client.get("/assets/")).json()
    contents = [await other.client.get(asset["url"].removeprefix("/api/v1")) for asset in stored]
    assert sorted(each.content for each in contents) == sorted([png(4), png(5)])
