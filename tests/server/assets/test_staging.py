"""Assets that are stored together with what refers to them: all of them, or none."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from tests.fakes.media import mp4, png

from impasto_server.assets import service
from impasto_server.assets.garbage import PendingDeletion
from impasto_server.assets.media.thumbnails import thumbnail_key
from impasto_server.assets.models import AssetRow
from impasto_server.assets.similarity import image_hash
from impasto_server.assets.staging import StagedAssets
from impasto_server.assets.upload import ReceivedFile
from impasto_server.container import AppState
from impasto_server.limits.errors import LimitReached
from impasto_server.storage.object_storage import content_key
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
async def user(person: Any) -> User:
    return User(id=await person.id())


def received(folder: Path, data: bytes, name: str) -> ReceivedFile:
    path = folder / name
    path.write_bytes(data)
    return ReceivedFile(path, len(data), hashlib.sha256(data).hexdigest(), name)


async def stored(app_state: AppState) -> dict[str, AssetRow]:
    async with app_state.database.reading() as session:
        return {row.name: row for row in await session.scalars(select(AssetRow))}


async def test_files_are_stored_when_they_are_committed(
    app_state: AppState, user: User, tmp_path: Path
) -> None:
    staged = StagedAssets(app_state, user)
    files = [
        received(tmp_path, png(), "a.png"),
        received(tmp_path, mp4(), "b.mp4"),
        received(tmp_path, b"words", "c.txt"),
    ]
    rows = [await staged.add(files[0], "image/png", intermediate=True)]
    rows += [await staged.add(each, "") for each in files[1:]]
    font = await service.received_row(app_state, user, files[2], "")
    font.source, font.name = "font", "d.ttf"
    assert await staged.add_row(font, files[2].path) is font
    assert [staged.find(each.sha256) for each in files] == rows
    assert [staged.find(each.sha256, font=True) for each in files] == [None, None, font]
    assert staged.find("0" * 64) is None
    assert await stored(app_state) == {}
    keys = [content_key(each.sha256) for each in files]
    assert not any([await app_state.storage.exists(key) for key in keys])

    async def write(session: AsyncSession) -> list[str]:
        return sorted(await session.scalars(select(AssetRow.id)))

    assert await staged.commit(write) == sorted(row.id for row in (*rows, font))
    found = await stored(app_state)
    assert {name: (row.kind, row.bytes, row.intermediate, row.source) for name, row in found.items()} == {
        "a.png": ("image", len(png()), True, "upload"),
        "b.mp4": ("video", len(mp4()), False, "upload"),
        "c.txt": ("text", 5, False, "upload"),
        "d.ttf": ("text", 5, False, "font"),
    }
    assert len({row.id for row in found.values()}) == 4
    assert found["a.png"].image_hash == image_hash(png(), 1)
    assert [found[name].image_hash for name in ("b.mp4", "c.txt", "d.ttf")] == [None] * 3
    assert [await app_state.storage.read(key) for key in keys] == [png(), mp4(), b"words"]
    has_thumbnail = [await app_state.storage.exists(thumbnail_key(each.sha256)) for each in files]
    assert has_thumbnail == [False, True, False]
    async with app_state.database.reading() as session:
        assert (await session.scalars(select(PendingDeletion))).all() == []


class TestLimits:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"limit_stored_bytes": 100}

    async def test_nothing_is_stored_if_a_limit_or_an_error_prevents_it(
        self, app_state: AppState, user: User, tmp_path: Path
    ) -> None:
        files = [
            received(tmp_path, name.encode() * size, name) for name, size in (("a", 60), ("b", 40), ("c", 1))
        ]
        staged = StagedAssets(app_state, user)
        for each in files[:2]:
            await staged.add(each, "")
        with pytest.raises(LimitReached):
            await staged.add(files[2], "")

        async def refuse(session: AsyncSession) -> None:
            raise ValueError("refused")

        async def accept(session: AsyncSession) -> None:
            pass

        with pytest.raises(ValueError, match="refused"):
            await staged.commit(refuse)
        assert await stored(app_state) == {}
        assert not any([await app_state.storage.exists(content_key(each.sha256)) for each in files])
        again = StagedAssets(app_state, user)
        for each in files[:2]:
            await again.add(each, "")
        await service.store_received(app_state, user, files[2], "")  # by another request since then
        with pytest.raises(LimitReached):
            await again.commit(accept)
        assert list(await stored(app_state)) == ["c"]
        later = StagedAssets(app_state, user)
        await later.add(files[0], "")
        with pytest.raises(LimitReached):
            await later.add(files[1], "")
        exists = [await app_state.storage.exists(content_key(each.sha256)) for each in files]
        assert exists == [False, False, True]
