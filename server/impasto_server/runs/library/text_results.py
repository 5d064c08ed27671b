"""The texts among the results of a run, and the ids that they have as assets."""

import hashlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from impasto_server.assets.references import MEDIA
from impasto_server.http.schemas import without_nul
from impasto_server.runs.library.meaning_texts import text_of_meaning

_MAX_DEPTH = 4


class TextResult(NamedTuple):
    """A text: what was planned, what its step reported, and its place in a list, from 0.

    `plain` is the text without regard to what the result is, which identifies it.
    """

    planned: Mapping[str, Any]
    step: Mapping[str, Any]
    place: int
    text: str
    plain: str

    def asset_id(self, run_id: str, launched_at: datetime) -> str:
        """Return its id as an asset: the same each time, in the order of launches like a UUIDv7."""
        digest = hashlib.sha256(self.plain.encode()).hexdigest()
        parts = (run_id, str(self.planned["node"]), str(self.planned["port"]), str(self.place), digest)
        random = int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:10])
        value = (int(launched_at.timestamp() * 1000) << 80) | random
        value = (value & ~(0xF << 76)) | (0x7 << 76)
        value = (value & ~(0x3 << 62)) | (0x2 << 62)
        return str(uuid.UUID(int=value))


def text_results(
    planned: Sequence[Mapping[str, Any]], steps: Mapping[str, Mapping[str, Any]]
) -> Iterator[TextResult]:
    """Yield each text result.

    An output that is the plain text of another one, and one with the texts of an earlier one, is left out, as
    in the results of the run.
    """
    known: set[tuple[str, ...]] = set()
    for item, step, texts in _outputs(planned, steps):
        plain = tuple(text.plain for text in texts)
        if _is_plain_text(item, step) or plain in known:
            continue
        known.add(plain)
        yield from texts


def repeated_texts(
    planned: Sequence[Mapping[str, Any]], steps: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[TextResult, TextResult]]:
    """Yield each text that `text_results` leaves out, and the one that is there in its place."""
    outputs = list(_outputs(planned, steps))
    of_port = {(item["node"], item["port"]): texts for item, _, texts in outputs}
    kept: dict[tuple[str, ...], Sequence[TextResult]] = {}
    for item, step, texts in outputs:
        if not _is_plain_text(item, step):
            kept.setdefault(tuple(text.plain for text in texts), texts)
    for item, step, texts in outputs:
        others = of_port.get((item["node"], item["text_of"]), ()) if _is_plain_text(item, step) else texts
        stays = kept.get(tuple(text.plain for text in others), ())
        if stays and stays is not texts:
            for index, text in enumerate(texts):
                yield text, stays[min(index, len(stays) - 1)]


def _outputs(
    planned: Sequence[Mapping[str, Any]], steps: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], Sequence[TextResult]]]:
    """Yield each planned result that has texts, what its step reported, and the texts."""
    for item in planned:
        step = steps.get(item["node"]) or {}
        value = (step.get("outputs") or {}).get(item["port"])
        read = text_of_meaning(item.get("meaning"), value) if isinstance(value, dict) else None
        texts = [
            TextResult(item, step, place, without_nul(read or plain), plain)
            for place, plain in enumerate(texts_of(value))
        ]
        if texts:
            yield item, step, texts


def _is_plain_text(item: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    """Whether an output is the plain text of another one, which has a value."""
    other = item.get("text_of")
    return bool(other) and (step.get("outputs") or {}).get(other) is not None


def texts_of(value: Any) -> Iterator[str]:
    """Yield the texts of a result: itself, each of a list, or a structure as lines with labels."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        yield from (without_nul(item) for item in value if item.strip())
    elif isinstance(value, str):
        if value.strip():
            yield without_nul(value)
    elif isinstance(value, dict | list):
        lines = "\n".join(_lines(value, 0))
        if lines:
            yield without_nul(lines)


def _lines(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if value.strip():
            yield value
    elif depth >= _MAX_DEPTH or (isinstance(value, dict) and value.get("$type") in MEDIA):
        return
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = list(_lines(item, depth + 1)) if key != "$type" else []
            label = str(key).replace("_", " ").capitalize()
            if len(inner) == 1:
                yield f"{label}: {inner[0]}"
            elif inner:
                yield f"{label}:"
                yield from inner
