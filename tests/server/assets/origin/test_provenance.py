"""Provenance: on the asset, embedded in the file, and looked up from a file."""

import io
import math
import re
import struct
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import av
import numpy as np
import pytest
import typer
from PIL import Image
from tests.fakes.media import saved
from tests.server.responses import expect
from tests.server.sample_nodes import chain, png
from typer.testing import CliRunner

from impasto_server.assets import metadata
from impasto_server.cli.provenance import trace

command = typer.Typer()
command.command()(trace)
PROVENANCE = {
    "flow_id": "f",
    "version": 3,
    "step": "draw",
    "prompt": "</impasto:madeBy> & “jug” ☕",
    "seed": 7,
}


def _image(form: str, **options: Any) -> bytes:
    mode = "RGBA" if options.pop("alpha", False) else "RGB"
    return saved(Image.effect_mandelbrot((61, 47), (-2, -1, 1, 1), 60).convert(mode), form, **options)


def _wav() -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(bytes(128 + int(90 * math.sin(index / 5)) for index in range(801)))
    return data.getvalue()


def _recording(form: str, codec: str) -> bytes:
    data = io.BytesIO()
    with av.open(data, "w", format=form) as container:
        if codec == "mpeg4":
            stream: Any = container.add_stream(codec, rate=10)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            frames = [av.VideoFrame.from_ndarray(np.full((48, 64, 3), 25 * i, np.uint8)) for i in range(5)]
        else:
            stream = container.add_stream(codec, rate=44100, layout="mono")
            samples = np.zeros((1, 1152 * 4), np.float32)
            audio = av.AudioFrame.from_ndarray(samples, "fltp", "mono")
            audio.sample_rate = 44100
            frames = [audio]
        for frame in [*frames, None]:
            container.mux(stream.encode(frame))
    return data.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(9, 30, 20),
    "jpeg": lambda: _image("JPEG"),
    "jpeg with exif": lambda: _image("JPEG", exif=Image.Exif().tobytes() or b"Exif\0\0"),
    "webp": lambda: _image("WEBP"),
    "webp lossless with alpha": lambda: _image("WEBP", lossless=True, alpha=True),
    "wav": _wav,
    "mp4": lambda: _recording("mp4", "mpeg4"),
    "mp3": lambda: _recording("mp3", "libmp3lame"),
}


@pytest.mark.parametrize("kind", FILES)
def test_embedding_keeps_media_unchanged(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    before = FILES[kind]()
    path.write_bytes(before)
    assert metadata.read(path) is None
    assert metadata.embed(path, PROVENANCE) is True
    assert metadata.read(path) == PROVENANCE
    assert _decoded(path.read_bytes(), kind) == _decoded(before, kind)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "wav", "mp4"])
def test_xmp_namespace_of_existing_files_is_still_used(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILES[kind]())
    metadata.embed(path, PROVENANCE)
    assert b'xmlns:impasto="urn:impasto:lineage:1"' in path.read_bytes()


@pytest.mark.parametrize("kind", FILES)
def test_embedding_again_replaces_provenance(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILES[kind]())
    metadata.embed(path, PROVENANCE)
    size = path.stat().st_size
    metadata.embed(path, {**PROVENANCE, "seed": 8})
    assert metadata.read(path) == {**PROVENANCE, "seed": 8}
    assert path.stat().st_size == size


@pytest.mark.parametrize("kind", FILES)
def test_malformed_file_is_left_unchanged(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    whole = FILES[kind]()
    metadata_free = {len(whole) // 2, 13, 20, 40}
    for length in metadata_free:
        path.write_bytes(whole[:length])
        metadata.read(path)
        if not metadata.embed(path, PROVENANCE):
            assert path.read_bytes() == whole[:length]


@pytest.mark.parametrize(
    "data", [b"", b"x", b"GIF89a", b"%PDF-1.7", b"plain words", b"ID3", b"RIFF\0\0\0\0WEBP"]
)
def test_unsupported_format_is_left_unchanged(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert metadata.embed(path, PROVENANCE) is False
    assert metadata.read(path) is None
    assert path.read_bytes() == data


def test_long_prompt_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(FILES["jpeg"]())
    assert metadata.embed(path, {**PROVENANCE, "prompt": "☕" * 50_000, "settings": {"a": "b" * 90_000}})
    assert metadata.read(path) == {key: value for key, value in PROVENANCE.items() if key != "prompt"}


@pytest.mark.parametrize("prompt", ["<" * 39_000, "&" * 39_000, "\x1b\x01]]>\"'" * 3000])
@pytest.mark.parametrize("kind", ["jpeg", "webp"])
def test_prompt_too_long_after_xml_escaping_is_left_out(tmp_path: Path, kind: str, prompt: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILES[kind]())
    assert metadata.embed(path, {**PROVENANCE, "prompt": prompt})
    assert metadata.read(path) == {key: value for key, value in PROVENANCE.items() if key != "prompt"}
    packet = re.search(rb"<x:xmpmeta.*</x:xmpmeta>", path.read_bytes(), re.DOTALL)
    assert packet is not None
    ET.fromstring(packet[0])


@pytest.mark.parametrize(
    "prompt", ["a [b]jug[/b] and [/] nothing", "[/dim]", "\x1b]0;owned\x07 a jug \x1b[2J", "a\njug"]
)
def test_embedded_metadata_is_untrusted(tmp_path: Path, prompt: str) -> None:
    path = tmp_path / "[red]file.png"
    path.write_bytes(png(9))
    assert CliRunner().invoke(command, [str(path)]).stdout.startswith("[red]file.png has no metadata")
    metadata.embed(path, {"flow_name": "Jugs", "prompt": prompt})
    result = CliRunner().invoke(command, [str(path)])
    assert result.exit_code == 0, result.exception
    assert "\x1b" not in result.stdout
    shown = prompt.replace("\x1b", "\N{REPLACEMENT CHARACTER}").replace("\x07", "\N{REPLACEMENT CHARACTER}")
    assert shown in result.stdout


@pytest.mark.anyio
async def test_asset_has_provenance(person: Any, publish: Any, run_flow: Any, finished: Any) -> None:
    made = await publish(person, chain("paint"), name="Jugs")
    run = await finished(person, await run_flow(person, made["id"], version=1, inputs={"ask": "a jug"}))
    asset = (await person.client.get(f"/assets/{run['results'][0]['value']['asset_id']}")).json()
    assert asset["made_by"] == {
        "provider": "sample",
        "model": "brush-1",
        "prompt": "a jug",
        "seed": 7,
        "settings": {"size": "small"},
    }
    assert (asset["flow_id"], asset["flow_name"], asset["version"]) == (made["id"], "Jugs", 1)
    assert (asset["run_id"], asset["step"], asset["node_type"]) == (run["id"], "paint", "paint")
    assert asset["cost_usd"] == "0.0125"
    assert asset["source"] == "run"
    content = (await person.client.get(f"/assets/{asset['id']}/content")).content
    made = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
    assert f'Iptc4xmpExt:DigitalSourceType="{made}"'.encode() in content


@pytest.mark.anyio
async def test_trace_of_file_returns_its_launch(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any, tmp_path: Path
) -> None:
    made = await publish(person, chain("paint"), name="Jugs")
    run = await finished(person, await run_flow(person, made["id"], version=1, inputs={"ask": "a jug"}))
    asset_id = run["results"][0]["value"]["asset_id"]
    data = (await person.client.get(f"/assets/{asset_id}/content")).content
    files = {"file": ("painting.png", data, "image/png")}
    own = (await person.client.post("/assets/trace", files=files)).json()
    assert (own["found"], own["asset_id"], own["run_id"], own["version"]) == (True, asset_id, run["id"], 1)
    assert (own["inputs"], own["can_open"]) == ({"ask": "a jug"}, True)
    stranger = (await (await new_person("ines")).client.post("/assets/trace", files=files)).json()
    assert (stranger["found"], stranger["flow_id"], stranger["step"]) == (True, made["id"], "paint")
    assert (stranger["run_id"], stranger["inputs"], stranger["can_open"]) == (None, None, False)
    assert stranger["made_by"]["model"] == "brush-1"
    assert b"mara" not in data
    assert b"northbound" not in data
    path = tmp_path / "painting.png"
    path.write_bytes(data)
    result = CliRunner().invoke(command, [str(path)])
    assert result.exit_code == 0
    assert "brush-1" in result.stdout
    assert "Jugs" in result.stdout
    path.write_bytes(png(3))
    assert CliRunner().invoke(command, [str(path)]).exit_code == 1


@pytest.mark.anyio
async def test_trace_returns_launch_of_deleted_agent(
    person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, chain("paint"), name="Jugs")
    run = await finished(person, await run_flow(person, made["id"], version=1, inputs={"ask": "a jug"}))
    asset_id = run["results"][0]["value"]["asset_id"]
    data = (await person.client.get(f"/assets/{asset_id}/content")).content
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    files = {"file": ("painting.png", data, "image/png")}
    trace = (await person.client.post("/assets/trace", files=files)).json()
    assert (trace["run_id"], trace["can_open"]) == (run["id"], True)
    expect(await person.client.get(f"/runs/{run['id']}"), 200)


@pytest.mark.anyio
async def test_forged_metadata_grants_no_access(person: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(png(3))
    metadata.embed(path, {"flow_id": ["x"], "version": "9", "run_id": {"a": 1}, "seed": "7", "settings": [1]})
    files = {"file": ("x.png", path.read_bytes(), "image/png")}
    trace = (await person.client.post("/assets/trace", files=files)).json()
    assert (trace["found"], trace["flow_id"], trace["version"], trace["run_id"]) == (
        True,
        None,
        None,
        None,
    )
    assert trace["can_open"] is False


@pytest.mark.anyio
async def test_file_without_metadata_is_not_found(person: Any) -> None:
    files = {"file": ("x.png", png(3), "image/png")}
    assert (await person.client.post("/assets/trace", files=files)).json()["found"] is False
    assert (await person.client.get("/assets/")).json() == []


def _decoded(data: bytes, kind: str) -> Any:
    if kind.startswith(("png", "jpeg", "webp")):
        with Image.open(io.BytesIO(data)) as image:
            return image.size, image.convert("RGBA").tobytes()
    with av.open(io.BytesIO(data)) as container:
        return [frame.to_ndarray().tobytes() for frame in container.decode(container.streams[0])]


def test_riff_chunks_of_odd_length_are_padded(tmp_path: Path) -> None:
    path = tmp_path / "odd.wav"
    path.write_bytes(_wav())
    metadata.embed(path, PROVENANCE)
    data = path.read_bytes()
    assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8
