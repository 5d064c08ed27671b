"""What a run leaves in the library: its texts as assets, names for its files, and which of them are results.

Written in the transaction that ends the run. It can be repeated: the ids of texts follow from the run.
"""

import asyncio
import hashlib
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import MAX_SEARCHED_CHARS, AssetRow, AssetTextRow, search_text
from impasto_server.assets.references import MEDIA
from impasto_server.assets.upload import safe_file_name
from impasto_server.http.schemas import without_nul
from impasto_server.storage.object_storage import content_key

_MAX_TEXTS = 100
_MAX_FILES = 2000
_MAX_DEPTH = 4
_EXCERPT_CHARS = 300


class EndedRun(NamedTuple):
    """A run that ends; `brief` is the title of its listing."""

    id: str
    brief: str
    owner_id: str
    flow_id: str | None
    flow_name: str
    version: int | None
    created_at: datetime
    finished_at: datetime | None


async def record(
    session: AsyncSession,
    run: EndedRun,
    planned: Sequence[Mapping[str, Any]],
    steps: Mapping[str, Mapping[str, Any]],
    result_ids: Collection[str],
) -> None:
    """Write the texts and the names of a run's results.

    `steps` is what the journal says of the finished steps that make the planned results; `result_ids` are the
    files among the results.
    """
    found = list(islice(_texts(planned, steps), _MAX_TEXTS))
    files = await _files(session, run.id)
    if not found and not files and not result_ids:
        return
    number = 0
    if files:
        number = await asyncio.to_thread(_name_files, files, frozenset(result_ids), run.brief)
    if result_ids:
        # A file that is reused from an earlier run may have been on the way to another result there.
        used = (AssetRow.owner_id == run.owner_id, AssetRow.id.in_(result_ids), AssetRow.intermediate)
        await session.execute(update(AssetRow).where(*used).values(intermediate=False))
    if found:
        await session.flush()
        await _insert_texts(session, run, number, found)


async def _files(session: AsyncSession, run_id: str) -> Sequence[AssetRow]:
    query = select(AssetRow).where(
        AssetRow.run_id == run_id, AssetRow.source == "run", AssetRow.excerpt.is_(None)
    )
    return (await session.scalars(query.order_by(AssetRow.id).limit(_MAX_FILES))).all()


def _name_files(files: Sequence[AssetRow], result_ids: Collection[str], brief: str) -> int:
    """Number the results among a run's files, and mark the others; return the number of results."""
    number = 0
    for row in files:
        is_result = row.id in result_ids
        number += is_result
        row.number = number if is_result else None
        row.intermediate = not is_result and row.replaces_id is None
        if row.brief != brief:
            row.brief = brief
            row.set_words()
    return number


_Text = tuple[Mapping[str, Any], Mapping[str, Any], int, str]


def _texts(planned: Sequence[Mapping[str, Any]], steps: Mapping[str, Mapping[str, Any]]) -> Iterator[_Text]:
    """Yield each text result: what was planned, what its step reported, its place in a list, the text.

    An output that is the plain text of another one, and one with the texts of an earlier one, is left out, as
    in the results of the run.
    """
    outputs = {node: data.get("outputs") or {} for node, data in steps.items()}
    known: set[tuple[str, ...]] = set()
    for item in planned:
        own = outputs.get(item["node"]) or {}
        if item.get("text_of") and own.get(item["text_of"]) is not None:
            continue
        texts = tuple(_texts_of(own.get(item["port"])))
        if not texts or texts in known:
            continue
        known.add(texts)
        for index, text in enumerate(texts):
            yield item, steps[item["node"]], index, text


def _texts_of(value: Any) -> Iterator[str]:
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


async def _insert_texts(session: AsyncSession, run: EndedRun, number: int, found: Sequence[_Text]) -> None:
    assets = [_asset(run, number + offset, *text) for offset, text in enumerate(found, start=1)]
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    await session.execute(insert(AssetRow).on_conflict_do_nothing(), assets)
    contents = [
        {"asset_id": asset["id"], "content": text}
        for asset, (_, _, _, text) in zip(assets, found, strict=True)
    ]
    await session.execute(insert(AssetTextRow).on_conflict_do_nothing(), contents)


def _asset(
    run: EndedRun,
    number: int,
    planned: Mapping[str, Any],
    data: Mapping[str, Any],
    index: int,
    text: str,
) -> dict[str, Any]:
    digest = hashlib.sha256(text.encode()).hexdigest()
    made_by = data.get("made_by") if isinstance(data.get("made_by"), dict) else None
    prompt = without_nul(str((made_by or {}).get("prompt") or "")) or None
    name = safe_file_name(f"{planned.get('title') or planned['node']}.txt")
    searched = search_text(name, run.flow_name, prompt, "text/plain", run.brief, text[:MAX_SEARCHED_CHARS])
    return {
        "id": _text_id(
            run.created_at, run.id, str(planned["node"]), str(planned["port"]), str(index), digest
        ),
        "owner_id": run.owner_id,
        "kind": "text",
        "media_type": "text/plain",
        "name": name,
        "bytes": len(text.encode()),
        "sha256": digest,
        "object_key": content_key(digest),
        "source": "run",
        "run_id": run.id,
        "step": planned["node"],
        "flow_id": run.flow_id,
        "flow_name": run.flow_name,
        "version": run.version,
        "made_by": made_by,
        "prompt": prompt,
        "words": searched,
        "brief": run.brief,
        "number": number,
        "excerpt": text[:_EXCERPT_CHARS],
        "input_asset_ids": [],
        "created_at": run.finished_at or run.created_at,
    }


def _text_id(launched_at: datetime, *parts: str) -> str:
    """Return an id that is the same each time, and sorts by when the run was launched like a UUIDv7."""
    random = int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:10])
    milliseconds = int(launched_at.timestamp() * 1000)
    value = (milliseconds << 80) | random
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return str(uuid.UUID(int=value))
