"""Media files of every format that can be signed, and signers that are not this installation."""

import io
import struct
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np
import orjson
from PIL import Image
from tests.fakes.media import saved, wav

from impasto_server.content_credentials import authority, claims
from impasto_server.content_credentials.formats import format_of
from impasto_server.content_credentials.worker import Operations


def _image(form: str) -> bytes:
    return saved(Image.effect_mandelbrot((160, 120), (-2, -1, 1, 1), 60).convert("RGB"), form)


def _recording(form: str, codec: str) -> bytes:
    data = io.BytesIO()
    with av.open(data, "w", format=form) as container:
        if codec in ("mpeg4", "libvpx"):
            stream: Any = container.add_stream(codec, rate=10)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            frames = [av.VideoFrame.from_ndarray(np.full((48, 64, 3), 25 * i, np.uint8)) for i in range(5)]
        else:
            stream = container.add_stream(codec, rate=48000, layout="mono")
            layout = "s16" if codec == "flac" else "fltp"
            samples = (np.sin(np.arange(1152 * 8) / 9) * (9000 if codec == "flac" else 0.4))[None, :]
            audio = av.AudioFrame.from_ndarray(
                samples.astype(np.int16 if codec == "flac" else np.float32), layout, "mono"
            )
            audio.sample_rate = 48000
            frames = [audio]
        for frame in [*frames, None]:
            container.mux(stream.encode(frame))
    return data.getvalue()


_MAKERS: dict[str, Callable[[], bytes]] = {
    "image/png": lambda: _image("PNG"),
    "image/jpeg": lambda: _image("JPEG"),
    "image/webp": lambda: _image("WEBP"),
    "image/gif": lambda: _image("GIF"),
    "video/mp4": lambda: _recording("mp4", "mpeg4"),
    "audio/mp4": lambda: _recording("ipod", "aac"),
    "audio/wav": wav,
    "audio/mpeg": lambda: _recording("mp3", "libmp3lame"),
    "audio/flac": lambda: _recording("flac", "flac"),
    "video/webm": lambda: _recording("webm", "libvpx"),
    "audio/ogg": lambda: _recording("ogg", "libopus"),
}
EMBEDDED = tuple(_MAKERS)[:9]
SIDECAR = tuple(_MAKERS)[9:]
# The formats in which providers deliver, and in which provenance was embedded before files were signed.
DELIVERED = ("image/png", "image/jpeg", "image/webp", "video/mp4", "audio/wav", "audio/mpeg")


@cache
def sample(media_type: str) -> bytes:
    """Return a small file of a format."""
    return _MAKERS[media_type]()


def png_with(manifest: bytes) -> bytes:
    """Return a PNG whose C2PA chunk has this content."""
    image = sample("image/png")
    chunk = struct.pack(">I", len(manifest)) + b"caBX" + manifest
    start = 8 + 25  # after the signature and IHDR
    return image[:start] + chunk + struct.pack(">I", zlib.crc32(chunk[4:])) + image[start:]


def make_signer(folder: Path, organization: str = "") -> Operations:
    """Return a worker's operations with an authority of its own in a folder."""
    file = folder / authority.FILE
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        authority.create(file, organization)
    return signer_of(file)


def signer_of(file: Path) -> Operations:
    return Operations({"own": True, "certificates": str(file), "key": str(file), "signer": "", "trusted": ""})


def sign(
    signer: Operations,
    path: Path,
    *,
    generation: dict[str, Any] | None = None,
    inputs: list[tuple[claims.Input, Path]] | None = None,
    original: Path | None = None,
) -> tuple[Path, bytes]:
    """Sign a file; return the signed file and its sidecar."""
    found = format_of(path)
    assert found is not None
    sources = inputs or []
    kind = found.media_type.split("/")[0]
    nature = claims.nature_of(generation, kind, [each for each, _ in sources])
    ingredients = [
        {
            "definition": claims.ingredient(each, index, nature.relationships[index]),
            "path": str(file),
            "media_type": each.media_type,
        }
        for index, (each, file) in enumerate(sources)
    ]
    if original is not None:
        definition = claims.original_ingredient(found.media_type)
        ingredients.insert(
            0, {"definition": definition, "path": str(original), "media_type": found.media_type}
        )
    header = {
        "path": str(path),
        "target": f"{path}.signed",
        "media_type": found.media_type,
        "embedded": found.embedded,
        "definition": claims.definition(
            version="1",
            agent="Jugs",
            agent_version=3,
            node_type="paint",
            generation=generation,
            nature=nature,
            signed_at=datetime(2026, 11, 22, 3, 26, tzinfo=UTC),
            has_original=original is not None,
        ),
        "ingredients": ingredients,
    }
    sidecar, _ = signer.sign(header, [])
    return Path(f"{path}.signed"), sidecar


def read(reader: Operations, path: Path, sidecar: bytes = b"") -> dict[str, Any]:
    """Return the report on a file."""
    found = format_of(path)
    assert found is not None
    (report,) = reader.read({"path": str(path), "media_type": found.media_type}, [sidecar])
    result: dict[str, Any] = orjson.loads(report)
    return result
