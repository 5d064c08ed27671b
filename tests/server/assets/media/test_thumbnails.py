"""Thumbnails of videos are made when the video is stored."""

from typing import Any

import pytest
from tests.fakes.media import mp4

from impasto_server.assets.media.thumbnails import thumbnail_key

pytestmark = pytest.mark.anyio


async def test_video_thumbnail_is_made_at_upload(person: Any, app_state: Any) -> None:
    files = {"file": ("clip.mp4", mp4(), "video/mp4")}
    asset = (await person.client.post("/assets/", files=files)).json()
    kept = await app_state.storage.read(thumbnail_key(asset["sha256"]))
    assert (kept[:4], kept[8:12]) == (b"RIFF", b"WEBP")
    response = await person.client.get(f"/assets/{asset['id']}/thumbnail")
    assert response.content == kept


async def test_thumbnail_is_deleted_with_video(person: Any, app_state: Any) -> None:
    files = {"file": ("clip.mp4", mp4(), "video/mp4")}
    asset = (await person.client.post("/assets/", files=files)).json()
    await person.client.delete(f"/assets/{asset['id']}")
    assert not await app_state.storage.exists(thumbnail_key(asset["sha256"]))
