"""The credentials of a source in as few bytes as the standard allows, to be embedded in a file made from it.

The library reserves 1,000 empty bytes for each signature and repeats in words what it verified. Neither is
signed or needed: both are left out here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The description of a manifest store: its type and label, after the head of its box.
_STORE = b"jumd" + bytes.fromhex("63327061001100108000 00AA00389B71") + b"\x03c2pa\0"
_BEFORE = 12  # the length and type of the store's box, and the length of its description
_SEARCHED_BYTES = 2**20
# Every reader finds these out from the embedded credentials alone.
_REPEATED = "assertion.hashedURI.match"
_PADDING = b"\xa1\x63pad\x59"  # a map with one entry: bytes of a length of two bytes


def manifest_store(path: Path) -> bytes | None:
    """Return the bytes at the start or end of a file that look like a whole manifest store, if there are any.

    Whether they are its credentials is for a verification to say: formats such as GIF split them.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        for start in dict.fromkeys((0, max(size - _SEARCHED_BYTES, 0))):
            file.seek(start)
            place = file.read(_SEARCHED_BYTES).find(_STORE) - _BEFORE
            if place >= 0:
                file.seek(start + place)
                length = int.from_bytes(file.read(4))
                file.seek(start + place)
                return file.read(length) if length <= _SEARCHED_BYTES else None
    return None


def manifests(store: bytes) -> dict[bytes, bytes]:
    """Return the manifests of a store by label, the active one last. Raises ValueError."""
    return {_label(box): box for kind, box in _boxes(store[8:]) if kind == b"jumb"}


def without_padding(store: bytes) -> bytes:
    """Return a store whose active manifest has no padding in its signature; the others are as they are.

    Other manifests name those by their hash, but none names the active one. Raises ValueError.
    """
    *others, (_, active) = _boxes(store[8:])
    parts = [
        _box(kind, _without_padding_of_signature(part)[8:])
        if kind == b"jumb" and _label(part) == b"c2pa.signature"
        else part
        for kind, part in _boxes(active[8:])
    ]
    return _box(b"jumb", b"".join([*(part for _, part in others), _box(b"jumb", b"".join(parts))]))


def shortened(results: dict[str, Any]) -> dict[str, Any]:
    """Return what a verification found, without explanations and what every reader finds out again."""
    active = results["activeManifest"]
    return {
        "activeManifest": {kind: list(_shortened(active.get(kind) or [])) for kind in active},
        "specVersion": results.get("specVersion"),
    }


def _shortened(codes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in codes:
        if each["code"] != _REPEATED:
            yield {name: value for name, value in each.items() if name != "explanation"}


def _without_padding_of_signature(box: bytes) -> bytes:
    parts = [
        _box(kind, _without_padding_of_cose(part[8:])) if kind == b"cbor" else part
        for kind, part in _boxes(box[8:])
    ]
    return _box(b"jumb", b"".join(parts))


def _without_padding_of_cose(signature: bytes) -> bytes:
    """Return a COSE_Sign1 without padding, if its unprotected header has nothing else."""
    if signature[:3] not in (b"\xd2\x84\x58", b"\xd2\x84\x59"):
        return signature
    width = signature[2] - 0x57
    place = 3 + width + int.from_bytes(signature[3 : 3 + width])
    end = place + len(_PADDING) + 2
    length = int.from_bytes(signature[end - 2 : end])
    if signature[place : end - 2] != _PADDING or any(signature[end : end + length]):
        return signature
    return signature[:place] + b"\xa0" + signature[end + length :]


def _boxes(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the type and bytes of each box. Raises ValueError for a length that does not fit."""
    place = 0
    while place < len(content):
        length = int.from_bytes(content[place : place + 4])
        if not 8 <= length <= len(content) - place:
            raise ValueError("a box has another length than it says")
        yield content[place + 4 : place + 8], content[place : place + length]
        place += length


def _box(kind: bytes, content: bytes) -> bytes:
    return (len(content) + 8).to_bytes(4) + kind + content


def _label(superbox: bytes) -> bytes:
    """Return the label in the description that a superbox begins with."""
    (kind, description) = next(_boxes(superbox[8:]), (b"", b""))
    return description[25:].split(b"\0")[0] if kind == b"jumd" else b""
