"""Uploads: type detection, measurement, limits, errors."""

import hashlib
import io
import json
import struct
from datetime import datetime
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from tests.fakes.heif import heic
from tests.fakes.media import mp3, mp4, wav
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio


async def upload(person: Any, data: bytes, name: str = "cup.png", kind: str = "image/png") -> Any:
    return await person.client.post("/assets/", files={"file": (name, data, kind)})


async def test_uploaded_image_is_measured_and_stored(person: Any, clock: Any) -> None:
    clock.travel(minutes=5)
    before = clock()
    response = await upload(person, png(4, 30, 20))
    expect(response, 201)
    asset = response.json()
    changing = {name: asset[name] for name in ("id", "url", "thumbnail_url", "created_at")}
    assert asset == {
        **changing, "kind": "image", "media_type": "image/png", "name": "cup.png",
        "bytes": len(png(4, 30, 20)), "sha256": hashlib.sha256(png(4, 30, 20)).hexdigest(), "width": 30,
        "height": 20, "seconds": None, "export_url": None, "credentials_url": None, "source": "upload",
        "run_id": None, "step": None, "flow_id": None, "flow_name": None, "version": None,
        "node_type": None, "made_by": None, "cost_usd": None, "credentials": None, "ai_made": None,
        "input_asset_ids": [], "brief": None, "number": None, "intermediate": False, "excerpt": None,
        "favourite": False, "tags": [], "replaces_id": None, "replaced_by_id": None,
    }  # fmt: skip
    assert before <= datetime.fromisoformat(asset["created_at"]) <= clock()
    assert (await person.client.get(f"/assets/{asset['id']}")).json() == asset
    body = await person.client.get(asset["url"].removeprefix("/api/v1"))
    assert body.content == png(4, 30, 20)


async def test_file_without_a_declared_type_is_uploaded(person: Any) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nwords\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    response = await person.client.post("/assets/", content=body, headers=headers)
    assert expect(response, 201).json()["media_type"] == "text/plain"


async def test_type_is_detected_from_content(person: Any) -> None:
    asset = (await upload(person, png(4), "song.mp3", "audio/mpeg")).json()
    assert asset["media_type"] == "image/png"


async def test_heic_is_an_image_with_a_thumbnail(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[tuple[bytes, str, tuple[int, int]]] = [
        (heic(), "image/heic", (128, 96)),
        (heic(turns=1), "image/heic", (96, 128)),
        (heic(brands=b"mif1mif1heic"), "image/heic", (128, 96)),
    ]
    for data, media_type, size in cases:
        with subtests.test(size=size):
            asset = (await upload(person, data, "IMG_0001.HEIC", "")).json()
            assert (asset["kind"], asset["media_type"]) == ("image", media_type)
            assert (asset["width"], asset["height"]) == size
            thumbnail = (await person.client.get(f"/assets/{asset['id']}/thumbnail")).content
            assert Image.open(io.BytesIO(thumbnail)).size == size


async def test_heic_above_pixel_limit_is_rejected(person: Any) -> None:
    response = await upload(person, heic(claimed_size=(10_000, 12_000)), "a.heic", "image/heic")
    expect(response, 422, code="picture_too_large")


async def test_truncated_heic_is_rejected(person: Any) -> None:
    expect(await upload(person, heic()[:-200], "a.heic", "image/heic"), 422, code="file_refused")


@pytest.mark.parametrize(("data", "name"), [(mp4()[:-300], "a.mp4"), (mp3(3.0)[:-5000], "a.mp3")])
async def test_video_or_audio_without_its_end_is_rejected(person: Any, data: bytes, name: str) -> None:
    response = await upload(person, data, name, "application/octet-stream")
    expect(response, 422, code="file_refused")
    assert "damaged" in response.json()["detail"]


async def test_transport_stream_is_a_video(person: Any) -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="mpegts") as container:
        stream = container.add_stream("mpeg4", rate=8)
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((36, 64, 3), np.uint8), format="rgb24")
        container.mux([*stream.encode(frame), *stream.encode()])
    asset = (await upload(person, out.getvalue(), "clip.ts", "video/mp2t")).json()
    assert (asset["kind"], asset["media_type"], asset["width"]) == ("video", "video/mp2t", 64)


async def test_uploaded_audio_is_measured(person: Any) -> None:
    asset = (await upload(person, wav(0.5), "a.wav", "audio/wav")).json()
    assert (asset["kind"], asset["media_type"]) == ("audio", "audio/wav")
    assert asset["seconds"] == pytest.approx(0.5, abs=0.05)


async def test_other_files_have_their_media_type(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, bytes, str, str]] = [
        ("notes.txt", "Grüße".encode(), "text", "text/plain"),
        ("notes.md", b"# Title", "text", "text/markdown"),
        ("rows.csv", b"a,b\n1,2\n", "data", "text/csv"),
        ("data.json", b'{"a": 1}', "data", "application/json"),
        ("large.json", b"[" + b"1," * 2**21 + b"1]", "data", "application/json"),
        ("large.txt", b"[" + b"1," * 2**21 + b"1]", "text", "text/plain"),  # too large to be parsed
        ("page.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image", "image/svg+xml"),
        ("thing.bin", bytes(range(256)), "file", "application/octet-stream"),
    ]
    for name, data, kind, media_type in cases:
        with subtests.test(name=name):
            asset = (await upload(person, data, name, "application/octet-stream")).json()
            assert (asset["kind"], asset["media_type"]) == (kind, media_type)


async def test_damaged_file_is_rejected(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[tuple[bytes, str]] = [
        (b"", "file_refused"),
        (png(4)[:50], "file_refused"),
        (b"\x89PNG\r\n\x1a\n" + b"rubbish" * 20, "file_refused"),
        (b"RIFF\x10\0\0\0WAVErubbish", "file_refused"),
        (b"\0\0\0\x18ftypmp42" + b"rubbish" * 9, "file_refused"),
    ]
    for data, code in cases:
        with subtests.test(data=data[:20]):
            response = await upload(person, data)
            expect(response, 422, code=code)
            assert "damaged" in response.json()["detail"] or "empty" in response.json()["detail"]


async def test_image_above_pixel_limit_is_rejected_before_decoding(person: Any) -> None:
    header = struct.pack(">IIBBBBB", 40000, 40000, 8, 2, 0, 0, 0)
    data = bytearray(png(4))
    data[16:29] = header
    import zlib

    data[29:33] = struct.pack(">I", zlib.crc32(b"IHDR" + header))
    response = await upload(person, bytes(data))
    expect(response, 422, code="picture_too_large")
    assert "100 megapixels" in response.json()["detail"]


async def test_file_names_are_sanitized(person: Any, subtests: pytest.Subtests) -> None:
    cases = ["../../etc/passwd", "a\x00b\nc.png", "..\\..\\boot.ini", "", "x" * 400]
    for name in cases:
        with subtests.test(name=name):
            response = await upload(person, png(4), name or " ")
            expect(response, 201, 422)
            if response.status_code == 201:
                kept = response.json()["name"]
                assert not set(kept) & set("/\\\0\n")
                assert 0 < len(kept) <= 200


async def test_upload_requires_token(client: Any) -> None:
    expect(await upload(type("P", (), {"client": client}), png(4)), 401)


class TestLimits:
    """Small limits, so that the test needs little data."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"upload_bytes": 2 * 2**20}

    async def test_an_upload_over_the_limit_is_refused_in_words(self, person: Any) -> None:
        for size in (2 * 2**20 + 1, 4 * 2**20):
            response = await upload(person, b"x" * size, "big.bin", "application/octet-stream")
            expect(response, 413, code="too_large")
            assert response.json()["detail"] == "This is too large: the limit is 2 MiB."
        assert (await person.client.get("/assets/")).json() == []

    async def test_an_upload_at_the_limit_is_kept(self, person: Any) -> None:
        expect(await upload(person, b"x" * (2 * 2**20), "big.bin", "application/octet-stream"), 201)


async def test_json_body_above_limit_is_rejected(person: Any) -> None:
    body = json.dumps({"name": "x", "description": "y" * (2 * 2**20)})
    response = await person.client.post("/flows/", content=body, headers={"Content-Type": "application/json"})
    expect(response, 413)


async def test_text_declared_as_media_is_rejected(person: Any, subtests: pytest.Subtests) -> None:
    cases = [
        ("x.png", "image/png"),
        ("x.bin", "image/png"),
        ("x.mp4", "application/octet-stream"),
        ("x.wav", "audio/wav"),
    ]
    for name, kind in cases:
        with subtests.test(name=name):
            response = await upload(person, b"these are words", name, kind)
            expect(response, 422, code="file_refused")
            assert "cannot be read" in response.json()["detail"]
