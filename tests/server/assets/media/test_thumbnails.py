"""Thumbnails of videos are made when the video is stored."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import mp3, mp4

from impasto_server.assets.errors import ImageTooLarge
from impasto_server.assets.media.thumbnails import make_video_thumbnail, thumbnail, thumbnail_key
from impasto_server.assets.models import AssetRow

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


class TestLimits:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"image_megapixels": 1}

    async def test_thumbnail_of_a_video_is_made_again_within_the_pixel_limit(self, app_state: Any) -> None:
        rows = []
        for height in (1000, 1002):
            data = io.BytesIO()
            with av.open(data, "w", format="mp4") as container:
                stream: Any = container.add_stream("mpeg4", rate=10)
                stream.width, stream.height, stream.pix_fmt = 1000, height, "yuv420p"
                frame = av.VideoFrame.from_ndarray(np.zeros((height, 1000, 3), np.uint8), "rgb24")
                container.mux([*stream.encode(frame), *stream.encode(None)])
            key = await app_state.storage.put_bytes(data.getvalue())
            rows.append(AssetRow(id="a", kind="video", object_key=key, sha256=key.rpartition("/")[2]))
        with Image.open(io.BytesIO(await thumbnail(app_state, rows[0]))) as image:
            assert (image.format, image.size) == ("WEBP", (512, 512))
        assert not await app_state.storage.exists(thumbnail_key(rows[0].sha256))  # no asset has this content
        with pytest.raises(ImageTooLarge, match="the limit is 1 megapixels"):
            await thumbnail(app_state, rows[1])


def video(seconds: int) -> bytes:
    """Return a video that is black in its first second and white after it."""
    data = io.BytesIO()
    with av.open(data, "w", format="mp4") as container:
        stream: Any = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt, stream.gop_size = 600, 300, "yuv420p", 5
        for index in range(10 * seconds):
            frame = np.full((300, 600, 3), 0 if index < 10 else 255, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, "rgb24")))
        container.mux(stream.encode(None))
    return data.getvalue()


@pytest.mark.parametrize(("seconds", "is_white"), [(2, False), (3, True)])
async def test_thumbnail_shows_a_long_video_after_one_second(
    tmp_path: Path, seconds: int, is_white: bool
) -> None:
    path = tmp_path / "file"
    path.write_bytes(video(seconds))
    data = await make_video_thumbnail(path, "video")
    assert data is not None
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (512, 256)
        assert image.convert("L").getpixel((9, 9)) == pytest.approx(255 if is_white else 0, abs=9)


@pytest.mark.parametrize(
    ("make", "kind"),
    [(mp4, "image"), (mp3, "video"), (lambda: b"words", "video")],
    ids=["other kind", "audio", "text"],
)
async def test_file_that_is_no_video_has_no_video_thumbnail(
    tmp_path: Path, make: Callable[[], bytes], kind: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(make())
    assert await make_video_thumbnail(path, kind) is None
