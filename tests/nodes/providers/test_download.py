"""Outputs of providers are complete, within the limit, and what they should be."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from PIL import Image as Bitmap
from tests.fakes.media import mp4, png, saved
from tests.fakes.reports import seen_by
from tests.fakes.state import State

from impasto.testing import FakeContext
from impasto_nodes.providers import download as module
from impasto_nodes.providers.download import (
    client_for,
    download,
    store_audio,
    store_image,
    store_video,
    write_stream,
)
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge, TimedOut, Unavailable

pytestmark = pytest.mark.anyio


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def test_stream_is_written_up_to_the_limit(tmp_path: Path) -> None:
    path = await write_stream(chunks(b"abc", b"de"), tmp_path / "out", "xai", 5)
    assert path.read_bytes() == b"abcde"
    with pytest.raises(OutputTooLarge, match=r"^xAI returned more than 0 MB"):
        await write_stream(chunks(b"abc", b"def"), tmp_path / "out", "xai", 5)


@pytest.mark.parametrize("parts", [(), (b"",)])
async def test_empty_stream_is_no_file(tmp_path: Path, parts: tuple[bytes, ...]) -> None:
    with pytest.raises(CorruptOutput, match=r"^xAI returned an empty file that"):
        await write_stream(chunks(*parts), tmp_path / "out", "xai")


async def test_inline_data_is_a_file(tmp_path: Path, context: FakeContext) -> None:
    url = f"data:text/plain;base64,{base64.b64encode(b'a, b').decode()}"
    assert (await download(url, tmp_path / "out", "xai", seen_by(context))).read_bytes() == b"a, b"


async def test_inline_data_that_is_no_base64_cannot_be_read(tmp_path: Path, context: FakeContext) -> None:
    with pytest.raises(CorruptOutput, match=r"^xAI returned a file that"):
        await download("data:text/plain;base64,a*bcd", tmp_path / "out", "xai", seen_by(context))


@pytest.mark.parametrize("status", [400, 404, 503])
async def test_download_that_fails_is_repeated_twice(
    fakes: State, tmp_path: Path, context: FakeContext, pauses: list[float], status: int
) -> None:
    url = f"{fakes.url}/xai/outputs/job-1.mp4"
    fakes.misbehave("answer", times=2, on="/outputs/", status=status, body="x")
    path = await download(url, tmp_path / "out", "xai", seen_by(context), trusted=fakes.url)
    assert path.read_bytes()[4:8] == b"ftyp"
    assert len(fakes.requests("/outputs/", "GET")) == 3
    fakes.misbehave("answer", times=3, on="/outputs/", status=status, body="x")
    with pytest.raises(Unavailable, match=r"^xAI is not available"):
        await download(url, tmp_path / "out", "xai", seen_by(context), trusted=fakes.url)
    assert len(fakes.requests("/outputs/", "GET")) == 6
    assert pauses == [0.25, 1.0] * 2


async def test_download_that_does_not_come_in_time_is_repeated_twice(
    fakes: State, tmp_path: Path, context: FakeContext, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TIMEOUT", httpx.Timeout(0.05))
    fakes.misbehave("slow", times=3, on="/outputs/")
    url = f"{fakes.url}/xai/outputs/job-1.mp4"
    with pytest.raises(TimedOut):
        await download(url, tmp_path / "out", "xai", seen_by(context), trusted=fakes.url)
    assert pauses == [0.25, 1.0]


async def test_status_below_400_is_a_file(fakes: State, tmp_path: Path, context: FakeContext) -> None:
    fakes.misbehave("answer", on="/outputs/", status=399, body="abc")
    url = f"{fakes.url}/xai/outputs/job-1.mp4"
    path = await download(url, tmp_path / "out", "xai", seen_by(context), trusted=fakes.url)
    assert path.read_bytes() == b"abc"


@pytest.mark.parametrize(
    ("url", "trusted", "is_own"),
    [
        ("http://own:1/file", "http://own:1/v1", True),
        ("http://own:1/file", "http://own:2/v1", False),
        ("http://other/file", "http://own:1", False),
        ("http://other/file", "", False),
        ("/file", "", False),
    ],
)
async def test_only_the_operators_host_may_be_private(
    context: FakeContext, url: str, trusted: str, is_own: bool
) -> None:
    async with httpx.AsyncClient() as guarded:
        context.http = guarded
        async with client_for(url, trusted, seen_by(context)) as client:
            assert (client is not guarded) is is_own


async def test_media_are_stored_with_their_size_and_length(tmp_path: Path, context: FakeContext) -> None:
    picture, photo, clip = tmp_path / "a.png", tmp_path / "a", tmp_path / "a.mp4"
    picture.write_bytes(png())
    photo.write_bytes(saved(Bitmap.new("RGB", (6, 4)), "JPEG"))
    clip.write_bytes(mp4(1.0))
    image = await store_image(picture, "xai", seen_by(context), "image-1")
    assert (image.media_type, image.width, image.height, image.name) == ("image/png", 64, 64, "image-1")
    image = await store_image(photo, "xai", seen_by(context), "image-2")
    assert (image.media_type, image.width, image.height, image.name) == ("image/jpeg", 6, 4, "image-2")
    video = await store_video(clip, "xai", seen_by(context), "clip.mp4")
    assert (video.media_type, video.width, video.height, video.name) == ("video/mp4", 64, 36, "clip.mp4")
    assert video.seconds == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("store", "what"),
    [(store_image, "an image"), (store_video, "a video"), (store_audio, "an audio file")],
)
async def test_file_of_another_kind_cannot_be_read(
    tmp_path: Path, context: FakeContext, store: object, what: str
) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"no media")
    with pytest.raises(CorruptOutput, match=rf"^xAI returned {what} that"):
        await store(path, "xai", seen_by(context), "out")  # type: ignore[operator]


async def test_video_without_sound_is_no_audio(tmp_path: Path, context: FakeContext) -> None:
    path = tmp_path / "out.mp4"
    path.write_bytes(mp4())
    with pytest.raises(CorruptOutput) as raised:
        await store_audio(path, "xai", seen_by(context), "out")
    assert raised.value.detail.startswith("no_audio_stream")
