"""Assets in the form of the API, who may read them, and rows of files that are stored already."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from impasto_server.assets import service
from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.garbage import sweep
from impasto_server.assets.models import AssetRow, AssetTextRow
from impasto_server.assets.repository import LibraryFilter
from impasto_server.collections.errors import CollectionNotFound
from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated
from impasto_server.http.pagination import PageQuery
from impasto_server.limits.errors import LimitReached
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DIGEST = "0" * 64
COMMON: dict[str, Any] = {
    "kind": "image", "media_type": "image/png", "name": "cup.png", "bytes": 7, "sha256": DIGEST,
    "object_key": content_key(DIGEST), "source": "upload", "input_asset_ids": [], "created_at": NOON,
    "ai_made": "no", "intermediate": False, "favourite": False, "tags": [], "mark_exports": False,
}  # fmt: skip
WHOLE: dict[str, Any] = {
    "kind": "video", "width": 16, "height": 9, "seconds": 2.5, "source": "run", "run_id": "r1",
    "step": "film", "flow_id": "f1", "flow_name": "Film", "version": 3, "node_type": "video",
    "credentials": "sidecar", "ai_made": "yes", "input_asset_ids": ["a0"], "brief": "A cup", "number": 2,
    "intermediate": True, "excerpt": "Once", "favourite": True, "tags": ["blue"], "replaces_id": "a2",
    "replaced_by_id": "a3",
}  # fmt: skip


def row(asset_id: str = "a1", **about: Any) -> AssetRow:
    return AssetRow(id=asset_id, **{**COMMON, **about})


def test_asset_without_its_urls_is_json_of_its_row() -> None:
    made_by = {"provider": "openai", "seed": 7, "settings": {"n": 1}, "prompt": 3, "unknown": "x"}
    shown = service.metadata(row(**WHOLE, made_by=made_by, cost_usd=Decimal("0.50")))
    left_out = ("object_key", "mark_exports")
    assert shown == {
        "id": "a1",
        **{name: value for name, value in {**COMMON, **WHOLE}.items() if name not in left_out},
        "made_by": {
            "provider": "openai", "model": None, "prompt": None, "seed": 7, "settings": {"n": 1},
        },
        "cost_usd": "0.5",
        "created_at": "2026-11-22T12:00:00Z",
    }  # fmt: skip


def test_asset_of_a_draft_has_no_number_of_a_version() -> None:
    cases = [(None, None), ("r1", None), ("r1", 4), (None, 4)]
    shown = [service.metadata(row(run_id=run_id, version=version))["version"] for run_id, version in cases]
    assert shown == [None, "draft", 4, 4]
    plain = service.metadata(row())
    assert (plain["made_by"], plain["cost_usd"]) == (None, None)
    assert [service.metadata(row(made_by=odd))["made_by"] for odd in ({}, [], ["x"], "x", 7)] == [None] * 5
    assert service.metadata(row(cost_usd=Decimal(0)))["cost_usd"] == "0"


async def test_asset_has_signed_urls_of_what_there_is(app_state: AppState) -> None:
    def urls(**about: Any) -> dict[str, str | None]:
        shown = service.describe(app_state, row(**about)).model_dump()
        names = ("url", "thumbnail_url", "export_url", "credentials_url")
        return {name: shown[name] and shown[name].partition("?")[0] for name in names}

    at = "/api/v1/assets/a1"
    every = {
        "url": f"{at}/content",
        "thumbnail_url": f"{at}/thumbnail",
        "export_url": f"{at}/export",
        "credentials_url": f"{at}/credentials/file",
    }
    assert urls(kind="video", mark_exports=True, credentials="sidecar") == every
    assert urls(kind="audio", credentials="embedded") == {**dict.fromkeys(every), "url": f"{at}/content"}
    assert urls(kind="image")["thumbnail_url"] == f"{at}/thumbnail"


async def test_assets_are_read_by_their_owner_or_by_a_signed_url(app_state: AppState, person: Any) -> None:
    user, other = User(id=await person.id()), User(id="other")
    async with app_state.database.writing() as session:
        session.add_all([row(owner_id=user.id), row("a2", owner_id=user.id, kind="text", excerpt="On")])
        await session.flush()
        session.add(AssetTextRow(asset_id="a2", content="Once é"))
    async with app_state.database.reading() as session:
        for reader, signed in ((user, False), (None, True), (other, True)):
            assert (await service.get_readable(session, reader, "a1", signed=signed)).id == "a1"
        with pytest.raises(NotAuthenticated):
            await service.get_readable(session, None, "a1", signed=False)
        for reader, asset_id, signed in ((other, "a1", False), (user, "x", False), (None, "x", True)):
            with pytest.raises(AssetNotFound) as missing:
                await service.get_readable(session, reader, asset_id, signed=signed)
            assert missing.value.detail == f"There is no asset {asset_id}."
        await service.check_owned(session, user, ["a1", "a2"])
        await service.check_owned(session, other, [])
        for reader, asset_ids in ((user, ["a1", "x"]), (other, ["a1"])):
            with pytest.raises(AssetNotFound) as missing:
                await service.check_owned(session, reader, asset_ids)
            assert missing.value.detail == f"There is no asset {asset_ids[-1]}."
        with pytest.raises(CollectionNotFound, match="no collection x"):
            await service.library(session, app_state, user, LibraryFilter(collection_id="x"), PageQuery())
        keys = (content_key(DIGEST), content_key("1" * 64), f"other/{DIGEST}")
        assert [await service.is_referenced(session, key) for key in keys] == [True, False, False]
        for folder in ("thumbnails", "credentials", "exports"):
            assert await service.is_referenced(session, f"{folder}/{DIGEST}")
    assert await service.text_of(app_state, row("a2", excerpt="On")) == "Once é".encode()
    assert await service.text_of(app_state, row()) is None
    with pytest.raises(AssetNotFound, match="no asset a1"):
        await service.text_of(app_state, row("a1", excerpt=""))


async def test_row_is_stored_if_its_file_is_there(app_state: AppState, person: Any) -> None:
    owner_id = await person.id()
    stored: list[str] = []

    async def on_stored(session: Any) -> None:
        stored.append((await service.find_many(session, owner_id, ["a1"]))[0].id)

    assert not await service.store_again(app_state, row(owner_id=owner_id), on_stored)
    assert stored == []
    key = await app_state.storage.put_bytes(b"a file")
    assert await service.store_again(app_state, row(owner_id=owner_id, object_key=key), on_stored)
    assert await service.store_again(app_state, row("a2", owner_id=owner_id, object_key=key))
    assert stored == ["a1"]
    async with app_state.database.reading() as session:
        assert len(await service.find_many(session, owner_id, ["a1", "a2"])) == 2


async def test_newest_hundred_assets_are_listed_by_default(app_state: AppState, person: Any) -> None:
    user = User(id=await person.id())
    ids = [f"{number:03}" for number in range(102)]
    async with app_state.database.writing() as session:
        session.add_all(row(each, owner_id=user.id) for each in ids)
    async with app_state.database.reading() as session:
        listed = await service.list_some(session, app_state, user, None)
        assert [asset.id for asset in listed] == ids[:1:-1]
        listed = await service.list_some(session, app_state, user, ["007", "x", "003", "007"])
        assert [asset.id for asset in listed] == ["007", "003"]


async def test_asset_is_deleted_unless_it_is_a_font(app_state: AppState, person: Any) -> None:
    user = User(id=await person.id())
    keys = [content_key(DIGEST), f"thumbnails/{DIGEST}", f"credentials/{DIGEST}", f"exports/{DIGEST}"]
    for key in keys:
        await app_state.storage.put_at(key, b"a file")
    async with app_state.database.writing() as session:
        session.add_all([row(owner_id=user.id), row("a2", owner_id=user.id, source="font")])
    for asset_id in ("a2", "x"):
        with pytest.raises(AssetNotFound, match=f"no asset {asset_id}"):
            await service.delete(app_state, user, asset_id)
    await service.delete(app_state, user, "a1")
    assert [await app_state.storage.exists(key) for key in keys] == [True] * 4
    async with app_state.database.writing() as session:
        (font,) = await service.find_many(session, user.id, ["a1", "a2"])
        assert await service.delete_row(session, font) == tuple(keys)
    await sweep(app_state, keys)
    assert [await app_state.storage.exists(key) for key in keys] == [False] * 4


class TestLimits:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"limit_stored_bytes": 100}

    async def test_file_that_is_stored_at_the_same_time_counts(
        self, app_state: AppState, person: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owner_id = await person.id()
        put_file = app_state.storage.put_file
        (tmp_path / "file").write_bytes(b"x" * 60)

        async def put_after_another(path: Path, digest: str) -> str:
            async with app_state.database.writing() as session:
                session.add(row("other", owner_id=owner_id, bytes=41, sha256="1" * 64))
            return await put_file(path, digest)

        monkeypatch.setattr(app_state.storage, "put_file", put_after_another)
        with pytest.raises(LimitReached):
            await service.store_file(app_state, tmp_path / "file", row(owner_id=owner_id, bytes=60))
        assert not await app_state.storage.exists(content_key(DIGEST))
        key = await app_state.storage.put_bytes(b"a file")
        with pytest.raises(LimitReached):
            await service.store_again(app_state, row(owner_id=owner_id, object_key=key, bytes=60))
        assert await service.store_again(app_state, row(owner_id=owner_id, object_key=key, bytes=59))
        async with app_state.database.reading() as session:
            assert len(await service.find_many(session, owner_id, ["a1", "other"])) == 2
