"""What a run stores: the row of each file, its name, and how it is read again."""

from typing import Any

import pytest
from sqlalchemy import select
from tests.server.row_values import values_of
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto.errors import AssetNotFound, NodeError
from impasto.store import Provenance
from impasto_server.assets.models import AssetRow, AssetTextRow
from impasto_server.assets.run_store import RunProvenance, RunStore
from impasto_server.container import AppState
from impasto_server.storage.object_storage import CHUNK, content_key
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"limit_stored_bytes": CHUNK + 1000}


@pytest.fixture
async def run_store(app_state: AppState, owner: str, store: Store) -> RunStore:
    """The store of a run of Mara's whose only result is that of the step "draw"."""
    await store(r1={})
    return store_of(app_state, owner, ["draw"])


def store_of(app_state: AppState, owner: str, results: list[str] | None = None) -> RunStore:
    return RunStore(app_state, RunProvenance("r1", owner, None, "Jugs", None), results)


def origin(step: str = "draw", **more: Any) -> Provenance:
    return Provenance(run_id="r1", step=step, node_type="paint", **more)


async def rows(app_state: AppState) -> list[AssetRow]:
    async with app_state.database.reading() as session:
        return list(await session.scalars(select(AssetRow).order_by(AssetRow.id)))


async def test_row_of_a_file_has_what_its_run_and_its_step_say(
    app_state: AppState, owner: str, run_store: RunStore
) -> None:
    made_by = {"provider": "p", "model": "m", "prompt": "A blue\0 jug", "seed": 7}
    whole = origin("a/b", width=1, height=2, seconds=3.5, generation=made_by, inputs=("x", "y"))
    stored = await run_store.put(b"words", "text/plain", origin=whole)
    await run_store.put(b"words", "text/plain", "../kept.md")
    digest = "dba36bffa5cab0f922d087a3aeb179f9d4e745df40b323e1b1471402848c8a3e"
    first, second = await rows(app_state)
    others = ("created_at", "id", "words", "mark_exports", "favourite", "tags")
    assert stored.asset_id == first.id
    assert (stored.sha256, stored.bytes) == (digest, 5)
    assert values_of(first, without=others) == {
        "owner_id": owner, "run_id": "r1", "flow_id": None, "flow_name": "Jugs", "version": None,
        "kind": "text", "media_type": "text/plain", "name": "a-b.txt", "bytes": 5, "sha256": digest,
        "object_key": content_key(digest), "width": 1, "height": 2, "seconds": 3.5, "source": "run",
        "step": "a/b", "node_type": "paint", "made_by": made_by, "prompt": "A blue jug", "cost_usd": None,
        "credentials": None, "source_type": None, "ai_made": None, "unsigned_sha256": None,
        "image_hash": None, "input_asset_ids": ["x", "y"], "replaces_id": None, "replaced_by_id": None,
        "brief": None, "number": None, "intermediate": True, "excerpt": None,
    }  # fmt: skip
    assert (second.name, second.step, second.node_type, second.made_by) == ("kept.md", None, None, None)
    assert (second.prompt, second.width, second.height, second.seconds) == (None, None, None, None)
    assert (second.input_asset_ids, second.intermediate) == ([], False)


async def test_file_is_named_after_its_step_and_its_type(app_state: AppState, run_store: RunStore) -> None:
    types = ("image/jpeg", "image/webp", "image/png", "audio/mpeg", "audio/wav", "video/mp4", "x/unknown")
    for media_type in types:
        await run_store.put(b"words", media_type, origin=origin(generation={"model": "m"}))
    await run_store.put(b"words", "image/webp", origin=origin("other", generation={"prompt": 7}))
    await run_store.put(b"words", "text/csv")
    found = await rows(app_state)
    assert [(row.name, row.kind, row.prompt, row.intermediate) for row in found] == [
        ("draw.jpg", "image", "", False),
        ("draw.webp", "image", "", False),
        ("draw.png", "image", "", False),
        ("draw.mp3", "audio", "", False),
        ("draw.wav", "audio", "", False),
        ("draw.mp4", "video", "", False),
        ("draw", "file", "", False),
        ("other.webp", "image", "7", True),
        ("file.csv", "data", None, False),
    ]


async def test_run_whose_results_are_unknown_stores_results_only(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1={})
    await store_of(app_state, owner).put(b"words", "text/plain", origin=origin("other"))
    assert [row.intermediate for row in await rows(app_state)] == [False]


async def test_assets_of_the_owner_are_read_and_no_others(
    app_state: AppState, owner: str, run_store: RunStore
) -> None:
    data = b"x" * (CHUNK + 1)
    file = (await run_store.put(data, "image/jpeg")).asset_id
    text = (await run_store.put(b"-", "text/markdown")).asset_id
    async with app_state.database.writing() as session:
        row = await session.get(AssetRow, text)
        assert row is not None
        row.excerpt = "Once"
        session.add(AssetTextRow(asset_id=text, content="Once é"))
    for asset_id, content, name in ((file, data, None), (text, "Once é".encode(), "text.md")):
        assert b"".join([piece async for piece in run_store.open(asset_id)]) == content
        async with run_store.path(asset_id) as path:
            assert path.read_bytes() == content
            assert name in (None, path.name)
        assert path.exists() is (asset_id == file)
        assert run_store.has(asset_id)
    async with app_state.database.writing() as session:
        session.add(User(id="ines", username="ines", username_key="ines", created_at=AT))
        await session.flush()
        row = await session.get(AssetRow, file)
        assert row is not None
        row.owner_id = "ines"
    for asset_id in (file, "unknown"):
        with pytest.raises(AssetNotFound):
            [piece async for piece in run_store.open(asset_id)]
        with pytest.raises(AssetNotFound):
            async with run_store.path(asset_id):
                pass


async def test_limit_is_an_error_of_the_step(app_state: AppState, run_store: RunStore) -> None:
    with pytest.raises(NodeError) as raised:
        await run_store.put(b"x" * (CHUNK + 1001), "text/plain")
    assert (raised.value.code, await rows(app_state)) == ("stored_bytes_limit", [])
    assert "and this file has" in str(raised.value)
