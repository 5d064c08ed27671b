"""Provenance embedded in files: XMP in PNG, JPEG, WebP, MP4 and WAV; ID3 in MP3.

`embed` adds chunks and never re-encodes. The embedded data names the agent, version, run, step, node type,
provider, model, prompt, seed and settings, and never a user.
"""

from html import escape
from pathlib import Path
from typing import Any

import orjson

from impasto_server.assets.metadata import iso, jpeg, mp3, png, riff
from impasto_server.assets.metadata.xmp import MAX_BYTES, MalformedFile

_DROPPABLE = ("settings", "prompt")


def embed(path: Path, provenance: dict[str, Any], source_type: str | None = None) -> bool:
    """Write the provenance into a file, and its IPTC digital source type (a URL) where it has XMP.

    Returns False if the format is unknown or the file malformed.
    """
    container = _container(path)
    if container is None:
        return False
    try:
        container.write(path, _fit(provenance), source_type)
    except MalformedFile:
        return False
    return True


def read(path: Path) -> dict[str, Any] | None:
    """Return the provenance embedded in a file, or None. It is untrusted: anyone can write it."""
    container = _container(path)
    if container is None:
        return None
    try:
        text = container.read(path)
        found = orjson.loads(text) if text is not None else None
    except (MalformedFile, orjson.JSONDecodeError):
        return None
    return found if isinstance(found, dict) else None


def _container(path: Path) -> Any:
    with path.open("rb") as file:
        head = file.read(12)
    if head.startswith(png.SIGNATURE):
        return png
    if head.startswith(b"\xff\xd8\xff"):
        return jpeg
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE"):
        return riff
    if head[4:8] == b"ftyp":
        return iso
    return (
        mp3 if head[:3] == b"ID3" or (len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0) else None
    )


def _fit(provenance: dict[str, Any]) -> str:
    """Return the provenance as JSON that fits the smallest container. Long parts are left out."""
    fitted = {key: value for key, value in provenance.items() if value is not None}
    for part in _DROPPABLE:
        text = orjson.dumps(fitted).decode()
        if _escaped_size(text) <= MAX_BYTES:
            return text
        fitted.pop(part, None)
    return orjson.dumps(fitted).decode()[:MAX_BYTES]


def _escaped_size(text: str) -> int:
    """Return the size of a text in bytes after XML escaping."""
    return len(escape(text, quote=False).encode())
