"""What made a file: on the asset, inside the file, and found again from it."""

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
from tests.server.sample_nodes import chain, png
from typer.testing import CliRunner

from impasto_server.assets import metadata
from impasto_server.cli.provenance import trace

command = typer.Typer()
command.command()(trace)
LINEAGE = {"flow_id": "f", "version": 3, "step": "draw", "prompt": "</impasto:madeBy> & “jug” ☕", "seed": 7}


def _picture(form: str, **options: Any) -> bytes:
    data = io.BytesIO()
    mode = "RGBA" if options.pop("alpha", False) else "RGB"
    Image.effect_mandelbrot((61, 47), (-2, -1, 1, 1), 60).convert(mode).save(data, form, **options)
    return data.getvalue()


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
            sound = av.AudioFrame.from_ndarray(samples, "fltp", "mono")
            sound.sample_rate = 44100
            frames = [sound]
        for frame in [*frames, None]:
            container.mux(stream.encode(frame))
    return data.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(9, 30, 20),
    "jpeg": lambda: _picture("JPEG"),
    "jpeg with exif": lambda: _picture("JPEG", exif=Image.Exif().tobytes() or b"Exif\0\0"),
    "webp": lambda: _picture("WEBP"),
    "webp lossless with alpha": lambda: _picture("WEBP", lossless=True, alpha=True),
    "wav": _wav,
    "mp4": lambda: _recording("mp4", "mpeg4"),
    "mp3": lambda: _recording("mp3", "libmp3lame"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_carries_its_lineage_and_stays_what_it_was(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    before = FILES[kind]()
    path.write_bytes(before)
    assert metadata.read(path) is None
    assert metadata.embed(path, LINEAGE) is True
    assert metadata.read(path) == LINEAGE
    assert _heard_or_seen(path.read_bytes(), kind) == _heard_or_seen(before, kind)


@pytest.mark.parametrize("kind", FILES)
def test_a_second_lineage_takes_the_place_of_the_first(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILES[kind]())
    metadata.embed(path, LINEAGE)
    size = path.stat().st_size
    metadata.embed(path, {**LINEAGE, "seed": 8})
    assert metadata.read(path) == {**LINEAGE, "seed": 8}
    assert path.stat().st_size == size


@pytest.mark.parametrize("kind", FILES)
def test_damaged_files_are_left_alone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    whole = FILES[kind]()
    metadata_free = {len(whole) // 2, 13, 20, 40}
    for length in metadata_free:
        path.write_bytes(whole[:length])
        metadata.read(path)
        if not metadata.embed(path, LINEAGE):
            assert path.read_bytes() == whole[:length]


@pytest.mark.parametrize(
    "data", [b"", b"x", b"GIF89a", b"%PDF-1.7", b"plain words", b"ID3", b"RIFF\0\0\0\0WEBP"]
)
def test_other_files_carry_nothing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert metadata.embed(path, LINEAGE) is False
    assert metadata.read(path) is None
    assert path.read_bytes() == data


def test_a_long_prompt_still_fits_every_format(tmp_path: Path) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(FILES["jpeg"]())
    assert metadata.embed(path, {**LINEAGE, "prompt": "☕" * 50_000, "settings": {"a": "b" * 90_000}})
    assert metadata.read(path) == {key: value for key, value in LINEAGE.items() if key != "prompt"}


@pytest.mark.parametrize("prompt", ["<" * 39_000, "&" * 39_000, "\x1b\x01]]>\"'" * 3000])
@pytest.mark.parametrize("kind", ["jpeg", "webp"])
def test_a_prompt_that_xml_spells_out_leaves_room_for_the_rest(
    tmp_path: Path, kind: str, prompt: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILES[kind]())
    assert metadata.embed(path, {**LINEAGE, "prompt": prompt})
    assert metadata.read(path) == {key: value for key, value in LINEAGE.items() if key != "prompt"}
    packet = re.search(rb"<x:xmpmeta.*</x:xmpmeta>", path.read_bytes(), re.DOTALL)
    assert packet is not None
    ET.fromstring(packet[0])


@pytest.mark.parametrize(
    "prompt", ["a [b]jug[/b] and [/] nothing", "[/dim]", "\x1b]0;owned\x07 a jug \x1b[2J", "a\njug"]
)
def test_what_a_file_says_is_shown_and_commands_nothing(tmp_path: Path, prompt: str) -> None:
    path = tmp_path / "[red]file.png"
    path.write_bytes(png(9))
    assert CliRunner().invoke(command, [str(path)]).stdout.startswith("[red]file.png does not say")
    metadata.embed(path, {"flow_name": "Jugs", "prompt": prompt})
    told = CliRunner().invoke(command, [str(path)])
    assert told.exit_code == 0, told.exception
    assert "\x1b" not in told.stdout
    shown = prompt.replace("\x1b", "\N{REPLACEMENT CHARACTER}").replace("\x07", "\N{REPLACEMENT CHARACTER}")
    assert shown in told.stdout


@pytest.mark.anyio
async def test_an_asset_knows_what_made_it(person: Any, publish: Any, run_flow: Any, finished: Any) -> None:
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


@pytest.mark.anyio
async def test_a_file_leads_back_to_its_launch(
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
    told = CliRunner().invoke(command, [str(path)])
    assert told.exit_code == 0
    assert "brush-1" in told.stdout
    assert "Jugs" in told.stdout
    path.write_bytes(png(3))
    assert CliRunner().invoke(command, [str(path)]).exit_code == 1


@pytest.mark.anyio
async def test_a_launch_of_an_agent_that_is_gone_can_still_be_opened(
    person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, chain("paint"), name="Jugs")
    run = await finished(person, await run_flow(person, made["id"], version=1, inputs={"ask": "a jug"}))
    asset_id = run["results"][0]["value"]["asset_id"]
    data = (await person.client.get(f"/assets/{asset_id}/content")).content
    assert (await person.client.delete(f"/flows/{made['id']}")).status_code == 204
    files = {"file": ("painting.png", data, "image/png")}
    told = (await person.client.post("/assets/trace", files=files)).json()
    assert (told["run_id"], told["can_open"]) == (run["id"], True)
    assert (await person.client.get(f"/runs/{run['id']}")).status_code == 200


@pytest.mark.anyio
async def test_forged_metadata_is_shown_and_believed_in_nothing(person: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(png(3))
    metadata.embed(path, {"flow_id": ["x"], "version": "9", "run_id": {"a": 1}, "seed": "7", "settings": [1]})
    files = {"file": ("x.png", path.read_bytes(), "image/png")}
    told = (await person.client.post("/assets/trace", files=files)).json()
    assert (told["found"], told["flow_id"], told["version"], told["run_id"]) == (True, None, None, None)
    assert told["can_open"] is False


@pytest.mark.anyio
async def test_a_plain_file_tells_nothing(person: Any) -> None:
    files = {"file": ("x.png", png(3), "image/png")}
    assert (await person.client.post("/assets/trace", files=files)).json()["found"] is False
    assert (await person.client.get("/assets/")).json() == []


def _heard_or_seen(data: bytes, kind: str) -> Any:
    if kind.startswith(("png", "jpeg", "webp")):
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size, picture.convert("RGBA").tobytes()
    with av.open(io.BytesIO(data)) as container:
        return [frame.to_ndarray().tobytes() for frame in container.decode(container.streams[0])]


def test_chunks_of_odd_length_are_padded(tmp_path: Path) -> None:
    path = tmp_path / "odd.wav"
    path.write_bytes(_wav())
    metadata.embed(path, LINEAGE)
    data = path.read_bytes()
    assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8
