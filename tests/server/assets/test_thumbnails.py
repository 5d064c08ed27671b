"""Thumbnails: a video's is there before anybody looks."""

from typing import Any

import pytest
from tests.fakes.media import mp4

from impasto_server.assets.thumbnails import thumbnail_key

pytestmark = pytest.mark.anyio


async def test_a_videos_thumbnail_is_made_when_it_comes(person: Any, app_state: Any) -> None:
    files = {"file": ("clip.mp4", mp4(), "video/mp4")}
    asset = (await person.client.post("/assets/", files=files)).json()
    kept = await app_state.storage.read(thumbnail_key(asset["sha256"]))
    assert (kept[:4], kept[8:12]) == (b"RIFF", b"WEBP")
    told = await person.client.get(f"/assets/{asset['id']}/thumbnail")
    assert told.content == kept


async def test_a_thumbnail_goes_with_the_video(person: Any, app_state: Any) -> None:
    files = {"file": ("clip.mp4", mp4(), "video/mp4")}
    asset = (await person.client.post("/assets/", files=files)).json()
    await person.client.delete(f"/assets/{asset['id']}")
    assert not await app_state.storage.exists(thumbnail_key(asset["sha256"]))
