"""The type, size and duration of a file, detected from its content."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import mp3, mp4, saved, wav

from impasto_server.assets.errors import FileInvalid
from impasto_server.assets.media.probe import Probe, kind_of, probe

PACKET = b"\x47" + bytes(range(1, 188))


def probed(folder: Path, data: bytes, name: str = "file", declared: str = "") -> Probe:
    path = folder / "file"
    path.write_bytes(data)
    return probe(path, name, 1, declared)


def image(form: str) -> bytes:
    return saved(Image.new("RGB", (30, 20)), form)


def recording(form: str, codec: str, rate: int = 48000, **options: str) -> bytes:
    """Return one second of silence."""
    data = io.BytesIO()
    with av.open(data, "w", format=form, options=options) as container:
        sound: Any = container.add_stream(codec, rate=rate, layout="mono")
        for start in range(0, rate, rate // 50):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, rate // 50), np.int16), "s16", "mono")
            frame.sample_rate, frame.pts = rate, start
            container.mux(sound.encode(frame))
        container.mux(sound.encode(None))
    return data.getvalue()


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
        ("AVIF", "image/avif"),
        ("BMP", "image/x-ms-bmp"),
        ("TIFF", "image/tiff"),
    ],
)
def test_image_has_its_type_and_size(tmp_path: Path, form: str, media_type: str) -> None:
    assert probed(tmp_path, image(form), "file.xyz") == Probe(media_type, 30, 20)


def test_video_has_its_size_and_duration(tmp_path: Path) -> None:
    assert probed(tmp_path, mp4(2.0)) == Probe("video/mp4", 64, 36, 2.0)


@pytest.mark.parametrize(
    ("make", "media_type", "seconds"),
    [
        (wav, "audio/wav", 1.0),
        (lambda: recording("flac", "flac"), "audio/flac", 1.0),
        (lambda: recording("ogg", "libopus"), "audio/ogg", 1.0),
        (lambda: recording("webm", "libopus"), "audio/webm", 1.0),
        (lambda: recording("mp4", "aac"), "audio/mp4", 1.0),
        (mp3, "audio/mpeg", 1.0),
    ],
    ids=["wav", "flac", "ogg", "webm", "mp4", "mp3"],
)
def test_file_without_a_video_stream_is_audio(
    tmp_path: Path, make: Callable[[], bytes], media_type: str, seconds: float
) -> None:
    found = probed(tmp_path, make())
    assert (found.media_type, found.width, found.height) == (media_type, None, None)
    assert found.seconds == pytest.approx(seconds, abs=0.1)


@pytest.mark.parametrize(
    ("rate", "start"),
    [(44100, b"\xff\xfb"), (24000, b"\xff\xf3"), (8000, b"\xff\xe3")],
    ids=["1", "2", "2.5"],
)
def test_mp3_without_a_tag_is_recognized_in_each_version_of_mpeg(
    tmp_path: Path, rate: int, start: bytes
) -> None:
    data = recording("mp3", "libmp3lame", rate, id3v2_version="0")
    assert data.startswith(start)
    for head in (data[:2], bytes([0xFF, data[1] & 0xFE])):  # the second one announces a checksum
        found = probed(tmp_path, head + data[2:], "a.mp3", "audio/mpeg")
        assert (found.media_type, found.seconds) == ("audio/mpeg", pytest.approx(1, abs=0.1))


def clip(form: str) -> bytes:
    data = io.BytesIO()
    with av.open(data, "w", format=form) as container:
        stream: Any = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        for _ in range(10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((36, 64, 3), np.uint8), "rgb24")))
        container.mux(stream.encode(None))
    return data.getvalue()


@pytest.mark.parametrize(
    ("make", "name", "media_type"),
    [
        (lambda: clip("avi"), "a.wav", "video/x-msvideo"),
        (lambda: clip("mov"), "a.mp3", "video/quicktime"),
        (lambda: clip("3gp"), "a.mp3", "video/mp4"),
        (lambda: recording("ipod", "aac"), "a.mp4", "audio/mp4"),
        (lambda: image("WEBP"), "a.wav", "image/webp"),
        (lambda: image("AVIF"), "a.avi", "image/avif"),
        (wav, "a.avi", "audio/wav"),
        (lambda: recording("adts", "aac"), "a.png", "audio/aac"),
    ],
    ids=["avi", "mov", "3gp", "m4a", "webp", "avif", "wav", "aac"],
)
def test_type_follows_from_the_content_and_not_from_the_name(
    tmp_path: Path, make: Callable[[], bytes], name: str, media_type: str
) -> None:
    assert probed(tmp_path, make(), name).media_type == media_type


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"%PDF-1.7", "application/pdf"),
        (b'{"a": 1}', "application/json"),
        (b"[1]", "application/json"),
        ('\ufeff{"a": 1}'.encode(), "application/json"),
        (b" \t\r\n[1]", "application/json"),
        (b"{words}", "text/plain"),
        pytest.param(b"[" * 100_000, "text/plain", id="deeply nested"),
        (b"1", "text/plain"),
        (b" <SVG/>", "image/svg+xml"),
        (b"<?xml version='1.0'?><svg/>", "image/svg+xml"),
        ("\ufeff<svg/>".encode(), "image/svg+xml"),
        (b"<!-- made\nby --> <!-- a program --><svg/>", "image/svg+xml"),
        (b"<!DOCTYPE svg PUBLIC 'x'><svg/>", "image/svg+xml"),
        (b"<!-- <svg/> --><html/>", "text/plain"),
        (b"<!-- <svg/>", "text/plain"),
        (b"<!DOCTYPE html><svg/>", "text/plain"),
        (b"<?xml version='1.0'?><html/>", "text/plain"),
        (b"words <svg/>", "text/plain"),
        (b"words\0", "application/octet-stream"),
        (b"\xc3", "application/octet-stream"),
        pytest.param(PACKET[:1], "text/plain", id="first byte of a packet"),
        pytest.param(PACKET * 2, "application/octet-stream", id="two packets"),
        pytest.param(b"\x48" + (PACKET * 3)[1:], "application/octet-stream", id="packets with another start"),
    ],
)
def test_type_of_other_files_follows_from_their_content(tmp_path: Path, data: bytes, media_type: str) -> None:
    assert probed(tmp_path, data) == Probe(media_type)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.csv", "text/csv"),
        ("a.CSV", "text/csv"),
        ("a.md", "text/markdown"),
        ("a.srt", "application/x-subrip"),
        ("a.vtt", "text/vtt"),
        ("csv", "text/plain"),
    ],
)
def test_type_of_a_text_follows_from_the_file_extension(tmp_path: Path, name: str, media_type: str) -> None:
    assert probed(tmp_path, b"words", name) == Probe(media_type)


@pytest.mark.parametrize("last", ["x", "é", "☕", "\N{LOWER LEFT PAINTBRUSH}"])
def test_text_is_recognized_if_a_character_crosses_the_end_of_the_sample(tmp_path: Path, last: str) -> None:
    start = "x" * (64 * 1024 - 1)
    assert probed(tmp_path, (start + last + "x").encode()) == Probe("text/plain")


@pytest.mark.parametrize(
    ("size", "name", "media_type"),
    [
        (4 * 2**20, "a.txt", "application/json"),
        (4 * 2**20 + 1, "a.txt", "text/plain"),
        (4 * 2**20 + 1, "a.JSON", "application/json"),
    ],
)
def test_large_json_is_recognized_by_its_file_extension(
    tmp_path: Path, size: int, name: str, media_type: str
) -> None:
    assert probed(tmp_path, b'["' + b"x" * (size - 4) + b'"]', name) == Probe(media_type)


@pytest.mark.parametrize(
    ("name", "declared"),
    [("a.png", ""), ("a.mp4", ""), ("a.mp3", ""), ("a", "image/png"), ("a", "video/mp4"), ("a", "audio/wav")],
)
def test_text_that_is_declared_as_media_is_refused(tmp_path: Path, name: str, declared: str) -> None:
    with pytest.raises(FileInvalid, match="cannot be read"):
        probed(tmp_path, b"words", name, declared)


def test_media_may_be_of_another_kind_than_declared(tmp_path: Path) -> None:
    assert probed(tmp_path, image("PNG"), "a.mp3", "video/mp4").media_type == "image/png"


def test_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileInvalid, match="empty"):
        probed(tmp_path, b"")


def test_video_without_its_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileInvalid, match="damaged"):
        probed(tmp_path, mp4()[:-300])
    with pytest.raises(FileInvalid, match="damaged"):
        probed(tmp_path, b"\0\0\0\x18ftypmp42" + b"rubbish" * 9)


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("image/svg+xml", "image"),
        ("video/mp4", "video"),
        ("audio/ogg", "audio"),
        ("text/markdown", "text"),
        ("text/csv", "data"),
        ("application/json", "data"),
        ("application/pdf", "file"),
    ],
)
def test_kind_follows_from_the_media_type(media_type: str, kind: str) -> None:
    assert kind_of(media_type) == kind
