"""What a file is traced to: an asset, a run and an agent, as far as the user may see them."""

import io
from pathlib import Path
from typing import Any

import pytest
from fastapi import UploadFile
from tests.server.assets.asset_rows import asset_row
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store
from tests.server.sample_nodes import png

from impasto_server.assets import metadata
from impasto_server.assets.origin.provenance import trace
from impasto_server.assets.upload import size_and_digest
from impasto_server.container import AppState
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
NOTHING: dict[str, Any] = {
    "found": True, "asset_id": None, "flow_id": None, "flow_name": None, "version": None, "run_id": None,
    "step": None, "node_type": None, "made_by": None, "inputs": None, "can_open": False, "credentials": None,
    "watermark": False, "matches": [],
}  # fmt: skip
MADE = {"provider": "p", "model": "m", "prompt": "A jug", "seed": 7, "settings": {"n": 1}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file.png"
    path.write_bytes(png(3))
    return path


async def traced(app_state: AppState, user_id: str, path: Path) -> dict[str, Any]:
    file = UploadFile(io.BytesIO(path.read_bytes()), filename="file.png")
    return (await trace(app_state, User(id=user_id), file)).model_dump()


async def test_metadata_of_a_file_lead_to_the_run_and_the_agent_of_the_user(
    app_state: AppState, owner: str, store: Store, make_flow: Any, person: Any, path: Path
) -> None:
    await store(r1={"inputs": {"ask": "a jug"}}, r2={"deleted_at": AT})
    flow = await make_flow(person)
    about = {"flow_name": "Jugs", "version": 3, "step": "draw", "node_type": "paint"}
    whole = {**NOTHING, **about, "made_by": MADE}
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"run_id": "r1"}, {"run_id": "r1", "inputs": {"ask": "a jug"}, "can_open": True}),
        ({"run_id": "r2"}, {}),
        ({"run_id": "unknown", "flow_id": "unknown"}, {"flow_id": "unknown"}),
        ({"run_id": "r2", "flow_id": flow["id"]}, {"flow_id": flow["id"], "can_open": True}),
        ({"version": "draft"}, {"version": "draft"}),
        ({"version": True}, {"version": None}),
        ({"flow_name": "x" * 201, "step": 7}, {"flow_name": "x" * 200, "step": None}),
    ]
    for embedded, expected in cases:
        metadata.embed(path, {**about, **MADE, **embedded})
        assert await traced(app_state, owner, path) == {**whole, **expected}
    metadata.embed(path, {"run_id": "r1", "flow_id": flow["id"], "seed": True, "settings": []})
    empty = {"provider": None, "model": None, "prompt": None, "seed": None, "settings": {}}
    assert await traced(app_state, "another", path) == {**NOTHING, "flow_id": flow["id"], "made_by": empty}


async def test_file_of_the_library_is_named_whether_a_run_made_it_or_not(
    app_state: AppState, owner: str, store: Store, path: Path
) -> None:
    await store(r1={"inputs": {"ask": "a jug"}})

    async def add(asset_id: str, **about: Any) -> None:
        size, digest = size_and_digest(path)
        file = {"bytes": size, "sha256": digest, "object_key": digest}
        async with app_state.database.writing() as session:
            session.add(asset_row(asset_id, owner, **file, **about))

    await add("a1")
    assert await traced(app_state, owner, path) == {**NOTHING, "found": False, "asset_id": "a1"}
    metadata.embed(path, {"step": "draw", "model": "m"})
    made_by = {"provider": None, "model": "m", "prompt": None, "seed": None, "settings": {}}
    expected = {**NOTHING, "step": "draw", "made_by": made_by}
    assert await traced(app_state, owner, path) == expected
    await add("a2")
    assert await traced(app_state, owner, path) == {**expected, "asset_id": "a2"}
    about = {"run_id": "r1", "flow_name": "Jugs", "step": "set", "node_type": "paint", "made_by": MADE}
    await add("a3", **about)
    found = {**NOTHING, **about, "asset_id": "a3", "inputs": {"ask": "a jug"}, "can_open": True}
    assert await traced(app_state, owner, path) == {**found, "version": "draft"}
    await add("a4", **about, version=4)
    assert await traced(app_state, owner, path) == {**found, "asset_id": "a4", "version": 4}
