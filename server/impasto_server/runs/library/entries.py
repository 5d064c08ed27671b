"""What a run leaves in the library: its texts as assets, names for its files, and which of them are results.

Written in the transaction that ends the run. It can be repeated: the ids of texts follow from the run.
"""

import asyncio
import hashlib
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Insert, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import merging
from impasto_server.assets.models import MAX_SEARCHED_CHARS, AssetRow, AssetTextRow, search_text
from impasto_server.assets.upload import safe_file_name
from impasto_server.db import prepared
from impasto_server.http.schemas import without_nul
from impasto_server.runs.library.text_results import TextResult, repeated_texts, text_results
from impasto_server.storage.object_storage import content_key

_MAX_TEXTS = 100
_MAX_FILES = 2000
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
    *,
    has_files: bool,
    is_backfill: bool = False,
) -> None:
    """Write the texts and the names of a run's results.

    `steps` is what the journal says of the finished steps that make the planned results; `result_ids` are the
    files among the results. `has_files`: whether the run has made any of `files_of`. A backfill of a run that
    has texts in the library adds none, because the missing ones were deleted, and merges those that are there
    twice.
    """
    found = list(islice(text_results(planned, steps), _MAX_TEXTS))
    files = await _files(session, run.id) if has_files else ()
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
        known = await _known_texts(session, run) if is_backfill else ()
        if known:
            await _merge_repeats(session, run, known, planned, steps)
            _number_texts(run, known, number, found)
        else:
            await _insert_texts(session, run, number, found)


async def _known_texts(session: AsyncSession, run: EndedRun) -> Sequence[AssetRow]:
    query = select(AssetRow).where(
        AssetRow.run_id == run.id, AssetRow.source == "run", AssetRow.excerpt.is_not(None)
    )
    return (await session.scalars(query.order_by(AssetRow.id).limit(_MAX_FILES))).all()


async def _merge_repeats(
    session: AsyncSession,
    run: EndedRun,
    known: Sequence[AssetRow],
    planned: Sequence[Mapping[str, Any]],
    steps: Mapping[str, Mapping[str, Any]],
) -> None:
    rows = {row.id: row for row in known}
    pairs = []
    for repeat, kept in repeated_texts(planned, steps):
        one, other = (rows.get(text.asset_id(run.id, run.created_at)) for text in (repeat, kept))
        if one is not None and other is not None:
            pairs.append((one, other))
    await merging.merge(session, pairs)


def _number_texts(run: EndedRun, known: Sequence[AssetRow], number: int, found: Sequence[TextResult]) -> None:
    places = {
        text.asset_id(run.id, run.created_at): place for place, text in enumerate(found, start=number + 1)
    }
    for row in known:
        row.number = places.get(row.id, row.number)


def files_of(run_id: ColumnElement[str] | str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the files that a run has made."""
    return AssetRow.run_id == run_id, AssetRow.source == "run", AssetRow.excerpt.is_(None)


async def _files(session: AsyncSession, run_id: str) -> Sequence[AssetRow]:
    query = select(AssetRow).where(*files_of(run_id))
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


async def _insert_texts(
    session: AsyncSession, run: EndedRun, number: int, found: Sequence[TextResult]
) -> None:
    assets = [_asset(run, place, text) for place, text in enumerate(found, start=number + 1)]
    dialect = session.get_bind().dialect.name
    await prepared.write_later(session, _adding(dialect, AssetRow), *assets)
    contents = [
        {"asset_id": asset["id"], "content": found_text.text}
        for asset, found_text in zip(assets, found, strict=True)
    ]
    await prepared.write_later(session, _adding(dialect, AssetTextRow), *contents)


@cache
def _adding(dialect: str, row: type[AssetRow | AssetTextRow]) -> Insert:
    """Return the statement that adds rows that are not there yet. Built once: building it takes long."""
    table = cast("Table", row.__table__)
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table).on_conflict_do_nothing()


def _made_by(step: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what made the texts of a step; None if it only passes them on, as a brand check does."""
    reported = step.get("made_by")
    if not isinstance(reported, dict) or reported.get("method") == "enhanced":
        return None
    return reported


def _asset(run: EndedRun, number: int, found: TextResult) -> dict[str, Any]:
    text, planned = found.text, found.planned
    digest = hashlib.sha256(text.encode()).hexdigest()
    made_by = _made_by(found.step)
    prompt = without_nul(str((made_by or {}).get("prompt") or "")) or None
    name = safe_file_name(f"{planned.get('title') or planned['node']}.txt")
    searched = search_text(name, run.flow_name, prompt, "text/plain", run.brief, text[:MAX_SEARCHED_CHARS])
    return {
        "id": found.asset_id(run.id, run.created_at),
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
        "mark_exports": False,
        "favourite": False,
        "tags": [],
        "intermediate": False,
        "created_at": run.finished_at or run.created_at,
    }
