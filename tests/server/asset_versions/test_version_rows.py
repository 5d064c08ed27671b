"""What a new version of an asset takes from the one before, and what is written into its file."""

from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select
from tests.fakes.media import saved
from tests.server.row_values import values_of
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.asset_versions import service
from impasto_server.asset_versions.errors import NotChangeable, NotNewest
from impasto_server.asset_versions.schemas import Crop, LayoutChange, VersionRequest
from impasto_server.assets import labels, metadata, repository
from impasto_server.assets.models import AssetRow, AssetTagRow
from impasto_server.assets.schemas import AssetEdits
from impasto_server.container import AppState
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
CROP = Crop(x=3, y=2, width=20, height=16)
MADE_BY = {"provider": "p", "model": "m", "prompt": "A jug", "seed": 7, "settings": {"n": 1}}
LABELS = {"favourite": True, "tags": ["spring"]}
ORIGIN = {
    "kind": "image", "source": "run", "run_id": "r1", "flow_id": None, "flow_name": "Jugs", "version": 3,
    "step": "draw", "node_type": "paint", "prompt": "A jug", "source_type": "t", "ai_made": "yes",
}  # fmt: skip


@pytest.fixture
async def user(app_state: AppState, owner: str, store: Store) -> User:
    """Mara, who has the TIFF image "a" of a run."""
    await store(r1={})
    data = saved(Image.linear_gradient("L").convert("RGB").resize((40, 30)), "TIFF")
    key = await app_state.storage.put_bytes(data)
    async with app_state.database.writing() as session:
        session.add(
            AssetRow(
                **ORIGIN, **LABELS, id="a", owner_id=owner, media_type="image/tiff", name="jug.one.tif",
                bytes=len(data), sha256=key.rpartition("/")[2], object_key=key, width=40,
                height=30, made_by=MADE_BY, brief="b", number=2, intermediate=True, created_at=AT,
            )
        )  # fmt: skip
        await session.flush()
        await repository.replace_tags(session, await session.get_one(AssetRow, "a"))
    return User(id=owner)


async def find(app_state: AppState, asset_id: str) -> AssetRow:
    async with app_state.database.reading() as session:
        row = await session.get(AssetRow, asset_id)
    assert row is not None
    return row


def shown(row: AssetRow) -> dict[str, Any]:
    others = ("id", "owner_id", "created_at", "bytes", "sha256", "object_key", "words", "image_hash")
    return values_of(row, without=others)


async def test_version_keeps_the_origin_and_the_labels_of_the_one_before(
    app_state: AppState, user: User
) -> None:
    second = (await service.create(app_state, user, "a", VersionRequest(crop=CROP))).id
    cropped = await find(app_state, second)
    expected = {
        **ORIGIN, **LABELS, "media_type": "image/png", "name": "jug.one.png", "width": 20, "height": 16,
        "seconds": None, "made_by": {**MADE_BY, "change": "crop"}, "input_asset_ids": ["a"],
        "cost_usd": None, "credentials": None, "unsigned_sha256": None, "mark_exports": False,
        "brief": None, "number": None, "intermediate": False, "excerpt": None, "replaces_id": "a",
        "replaced_by_id": None,
    }  # fmt: skip
    assert shown(cropped) == expected
    assert set(cropped.words.split()) >= {"jug", "one", "png", "jugs", "image"}
    assert (cropped.owner_id, cropped.bytes) == (user.id, await app_state.storage.size(cropped.object_key))
    async with app_state.storage.path(cropped.object_key) as path:
        assert metadata.read(path) == {
            "run_id": "r1", "flow_name": "Jugs", "version": 3, "step": "draw", "node_type": "paint",
            **MADE_BY,
        }  # fmt: skip
    async with app_state.database.writing() as session:
        edits = AssetEdits(asset_ids=[second], favourite=False, add_tags=["sale"])
        await labels.edit(session, app_state, user, edits)
    older = await find(app_state, "a")
    third = (await service.create(app_state, user, second, VersionRequest(restore="a"))).id
    restored = await find(app_state, third)
    assert shown(restored) == {
        **expected, "media_type": "image/tiff", "name": "jug.one.tif", "width": 40, "height": 30,
        "made_by": {**MADE_BY, "change": "restore"}, "replaces_id": second, "favourite": False,
        "tags": ["spring", "sale"],
    }  # fmt: skip
    assert set(restored.words.split()) >= {"jug", "tif", "spring", "sale"}
    async with app_state.database.reading() as session:
        tagged = select(AssetTagRow.name).where(AssetTagRow.asset_id == third)
        assert sorted(await session.scalars(tagged)) == ["sale", "spring"]
    for name in ("bytes", "sha256", "object_key"):
        assert getattr(restored, name) == getattr(older, name)
    listed = await service.list_versions(app_state, user, second)
    assert [asset.id for asset in listed.items] == ["a", second, third]
    assert (listed.can_crop, listed.can_undo, listed.layout) == (True, True, None)


async def test_impossible_change_says_why(app_state: AppState, user: User) -> None:
    async def refused(asset_id: str, **change: Any) -> str:
        with pytest.raises(NotChangeable) as raised:
            await service.create(app_state, user, asset_id, VersionRequest(**change))
        return raised.value.detail

    listed = await service.list_versions(app_state, user, "a")
    assert (listed.can_crop, listed.can_undo) == (True, False)
    assert await refused("a", restore="a") == "This is no older version of the asset."
    assert await refused("a", layout=LayoutChange()) == (
        "The composition of this image is not known. It can be cropped."
    )
    second = (await service.create(app_state, user, "a", VersionRequest(crop=CROP))).id
    with pytest.raises(NotNewest) as raised:
        await service.create(app_state, user, "a", VersionRequest(crop=CROP))
    assert raised.value.detail == (
        "This is an older version. Change the newest one, or use this one again first."
    )
    older = await find(app_state, "a")
    await app_state.storage.delete(older.object_key)
    assert await refused(second, restore="a") == "The file of this version is gone."
    assert len((await service.list_versions(app_state, user, "a")).items) == 2
    for about in ({"kind": "video"}, {"media_type": "image/gif"}, {"media_type": "image/svg+xml"}):
        values = {"kind": "image", "media_type": "image/png", **about}
        async with app_state.database.writing() as session:
            row = await session.get_one(AssetRow, second)
            row.kind, row.media_type = values["kind"], values["media_type"]  # type: ignore[assignment]
        assert await refused(second, crop=CROP) == "Only still images can be cropped."
        assert not (await service.list_versions(app_state, user, second)).can_crop


async def test_version_of_an_upload_names_no_agent(app_state: AppState, user: User) -> None:
    async with app_state.database.writing() as session:
        row = await session.get_one(AssetRow, "a")
        row.run_id = row.flow_name = row.version = row.step = row.node_type = row.made_by = None
        row.source = "upload"
    second = (await service.create(app_state, user, "a", VersionRequest(crop=CROP))).id
    cropped = await find(app_state, second)
    assert (cropped.source, cropped.made_by, cropped.ai_made) == ("upload", {"change": "crop"}, "yes")
    async with app_state.storage.path(cropped.object_key) as path:
        assert metadata.read(path) == {"flow_name": "", "version": "draft"}
    third = (await service.create(app_state, user, second, VersionRequest(restore="a"))).id
    assert (await find(app_state, third)).made_by == {"change": "restore"}


async def test_only_a_change_can_be_undone(app_state: AppState, user: User) -> None:
    second = (await service.create(app_state, user, "a", VersionRequest(crop=CROP))).id
    async with app_state.database.writing() as session:
        row = await session.get_one(AssetRow, second)
        row.made_by = None  # as a later run makes it
    assert not (await service.list_versions(app_state, user, "a")).can_undo
    async with app_state.database.writing() as session:
        row = await session.get_one(AssetRow, second)
        row.made_by = {"change": "crop", "layout": "of an unknown kind"}
        await session.delete(await session.get_one(AssetRow, "a"))
    assert not (await service.list_versions(app_state, user, second)).can_undo
