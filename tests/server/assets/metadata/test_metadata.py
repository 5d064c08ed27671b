"""Which files provenance is embedded in, and how much of it."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from impasto_server.assets import metadata

ROOM = 40_000


def _prompt_that_leaves(bytes_left: int, **others: Any) -> str:
    """Return a prompt with which the JSON text leaves some bytes of what is embedded at most."""
    return "x" * (ROOM - bytes_left - len(orjson.dumps({"prompt": "", **others})))


def _embedded(path: Path, provenance: dict[str, Any]) -> dict[str, Any] | None:
    path.write_bytes(b"\xff\xfb sound")
    assert metadata.embed(path, provenance)
    return metadata.read(path)


def test_settings_are_the_first_part_that_is_left_out(tmp_path: Path) -> None:
    path, settings = tmp_path / "file.mp3", {"size": "small"}
    fitting = {"prompt": _prompt_that_leaves(0, settings=settings), "settings": settings}
    assert _embedded(path, fitting) == fitting
    too_long = {"prompt": fitting["prompt"] + "x", "settings": settings}
    assert _embedded(path, too_long) == {"prompt": too_long["prompt"]}


def test_prompt_is_left_out_if_it_is_too_long_without_settings(tmp_path: Path) -> None:
    path = tmp_path / "file.mp3"
    prompt = _prompt_that_leaves(0, seed=7)
    assert _embedded(path, {"prompt": prompt, "seed": 7, "settings": {"a": 1}}) == {
        "prompt": prompt,
        "seed": 7,
    }
    assert _embedded(path, {"prompt": prompt + "x", "seed": 7, "settings": {"a": 1}}) == {"seed": 7}


def test_length_is_measured_in_bytes_after_escaping(tmp_path: Path) -> None:
    path = tmp_path / "file.mp3"
    prompt = _prompt_that_leaves(4)
    assert _embedded(path, {"prompt": prompt + "éé"}) == {"prompt": prompt + "éé"}
    assert _embedded(path, {"prompt": prompt + '"'}) == {"prompt": prompt + '"'}
    assert _embedded(path, {"prompt": prompt + "&"}) == {}
    assert _embedded(path, {"prompt": prompt + "ééé"}) == {}


def test_parts_without_value_are_left_out(tmp_path: Path) -> None:
    assert _embedded(tmp_path / "file.mp3", {"seed": None, "version": 0}) == {"version": 0}


@pytest.mark.parametrize(
    ("data", "is_supported"),
    [
        (b"\xff\xe0", True),
        (b"\xff\xfb sound", True),
        (b"ID3\x04\0\0\0\0\0\0", True),
        (b"\xff", False),
        (b"\xff\xdb sound", False),
        (b"\xfe\xfb sound", False),
        (b"ID4\x04\0\0\0\0\0\0", False),
        (b"RIFF\x04\0\0\0WAVE", True),
        (b"RIFF\x04\0\0\0AVI ", False),
        (b"RIFX\x04\0\0\0WAVE", False),
        (b"\0\0\0\x08ftyp", True),
        (b"\0\0\0\x08moov", False),
    ],
)
def test_container_is_found_by_its_first_bytes(tmp_path: Path, data: bytes, is_supported: bool) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    assert metadata.embed(path, {"seed": 7}) is is_supported
    assert (metadata.read(path) == {"seed": 7}) is is_supported


@pytest.mark.parametrize("text", ["[7]", "7", "{", ""])
def test_embedded_text_that_is_no_object_is_no_provenance(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.mp3"
    frame = b"\x03impasto\0" + text.encode()
    frames = b"TXXX" + bytes([0, 0, 0, len(frame), 0, 0]) + frame
    path.write_bytes(b"ID3\x04\0\0" + bytes([0, 0, 0, len(frames)]) + frames)
    assert metadata.read(path) is None
