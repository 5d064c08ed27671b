"""What a list of runs shows and searches: written at the launch, completed when the run ends."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import orjson
from sqlalchemy import String, Table, bindparam, exists, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Template
from impasto_server.assets.references import MEDIA, asset_ids_in
from impasto_server.db import prepared
from impasto_server.db.text_search import indexed_text
from impasto_server.http.schemas import without_nul
from impasto_server.runs.library import entries as library_entries
from impasto_server.runs.models import RecordRow, RunListingRow, RunRow

_TITLE_CHARS = 200
_EXCERPT_CHARS = 300
_WORDS_CHARS = 8000
_PREVIEWS = 4
_MAX_RESULTS = 200
# Of the tables: columns of the classes take half as long again.
_LISTINGS = cast("Table", RunListingRow.__table__)
_RUNS = cast("Table", RunRow.__table__)
_LAUNCHED = (
    select(
        _LISTINGS.c.words,
        _RUNS.c.planned_results,
        _LISTINGS.c.title,
        _RUNS.c.owner_id,
        _RUNS.c.flow_id,
        _RUNS.c.flow_name,
        _RUNS.c.version,
        _RUNS.c.created_at,
        _RUNS.c.finished_at,
        exists().where(*library_entries.files_of(_RUNS.c.id)).label("has_files"),
    )
    .join(_RUNS, _RUNS.c.id == _LISTINGS.c.run_id)
    .where(_LISTINGS.c.run_id == bindparam("run_id", type_=String))
)
_WITH_RESULTS = (
    update(_LISTINGS)
    .where(_LISTINGS.c.run_id == bindparam("of_run"))
    .values({name: bindparam(name) for name in ("excerpt", "asset_ids", "assets", "words", "in_library")})
)


def title_of(inputs: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """Return the start of a launch's prompt: of the first prompt node, else of the first text input."""
    nodes = [node for node in document.get("nodes", ()) if isinstance(node, dict)]
    prompts = [node for node in nodes if node.get("type") == "user_prompt"]
    variables = document.get("variables") or ()
    candidates = [inputs.get(node["id"]) or _default_of(node, variables) for node in prompts]
    texts = (value for value in [*candidates, *inputs.values()] if isinstance(value, str))
    return next((title for text in texts if (title := _one_line(text, _TITLE_CHARS))), "")


def _default_of(node: Mapping[str, Any], variables: Sequence[Mapping[str, Any]]) -> Any:
    """Return the text that a prompt node has without an input, with the values of variables."""
    values = {one["name"]: one["value"] for one in variables}
    used = (node.get("variables") or {}).get("text")
    text = values[used] if used in values else (node.get("settings") or {}).get("text")
    if not isinstance(text, str) or used is not None or not values:
        return text
    return Template.parse(text).render(
        lambda place: str(values[place.path]) if place.path in values else place.source
    )


def of_launch(row: RunRow) -> RunListingRow:
    """Return the listing of a run that has not started. `row` must have its id and its document."""
    title = title_of(row.inputs, row.document)
    brand = next(iter(row.brands or ()), None)
    name = without_nul(str(brand["name"])) if brand else None
    texts = [title, row.flow_name, name or "", *_texts_in(row.inputs)]
    return RunListingRow(
        run_id=row.id,
        owner_id=row.owner_id,
        title=title,
        excerpt="",
        brand_id=brand["brand_id"] if brand else None,
        brand_name=name,
        asset_ids=[],
        assets=0,
        words=_words(texts),
    )


def launched(run_id: str) -> prepared.Query:
    """Return the query of what `add_results` needs to know of a run and its listing."""
    return _LAUNCHED, {"run_id": run_id}


async def add_results(
    session: AsyncSession,
    run_id: str,
    finished: Mapping[str, bytes] | None = None,
    rows: Sequence[prepared.Row] | None = None,
    *,
    is_backfill: bool = False,
) -> None:
    """Write the results of a run that ends, or for a backfill has ended, into its listing and the library.

    In the caller's transaction. `finished` is what the journal says of finished steps, `rows` are those of
    `launched`; None means to read them.
    """
    found = await prepared.rows(session, *launched(run_id)) if rows is None else rows
    if not found:
        return
    words, planned, *of_run, has_files = found[0]
    makers = {item["node"] for item in (planned or ())[:_MAX_RESULTS]}
    if finished is None:
        finished = await _finished_steps(session, run_id, makers)
    steps = {step: orjson.loads(body) for step, body in finished.items() if step in makers}
    outputs = {step: data.get("outputs") or {} for step, data in steps.items()}
    results = _found_in(planned or (), outputs)
    run = library_entries.EndedRun(run_id, *of_run)
    shown = (planned or ())[:_MAX_RESULTS]
    await library_entries.record(
        session, run, shown, steps, results.asset_ids, has_files=has_files, is_backfill=is_backfill
    )
    values = {
        "excerpt": _one_line(results.texts[0], _EXCERPT_CHARS) if results.texts else "",
        "asset_ids": results.asset_ids[:_PREVIEWS],
        "assets": len(results.asset_ids),
        "words": _words([words, *results.texts]),
        "in_library": True,
    }
    await prepared.write_later(session, _WITH_RESULTS, {"of_run": run_id, **values})


@dataclass(frozen=True)
class _Results:
    texts: list[str]
    asset_ids: list[str]


async def _finished_steps(session: AsyncSession, run_id: str, steps: Collection[str]) -> dict[str, bytes]:
    """Return what the journal says of those of the steps that have finished."""
    if not steps:
        return {}
    query = select(RecordRow.step, RecordRow.body).where(
        RecordRow.run_id == run_id,
        RecordRow.kind == "event",
        RecordRow.name == "step.finished",
        RecordRow.step.in_(steps),
    )
    rows = await session.execute(query.order_by(RecordRow.position))
    return {step: body for step, body in rows if step is not None}


def _found_in(planned: Sequence[Mapping[str, Any]], outputs: Mapping[str, Mapping[str, Any]]) -> _Results:
    texts: list[str] = []
    asset_ids: dict[str, None] = {}
    for item in planned[:_MAX_RESULTS]:
        value = outputs.get(item["node"], {}).get(item["port"])
        texts += _texts_in(value)
        asset_ids |= dict.fromkeys(asset_ids_in(value))
    return _Results(texts, list(asset_ids))


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, depth first, without those of media references."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if item.strip():
                yield item
        elif isinstance(item, dict):
            if item.get("$type") not in MEDIA:
                pending.extend(reversed([each for key, each in item.items() if key != "$type"]))
        elif isinstance(item, list):
            pending.extend(reversed(item))


def _one_line(text: str, limit: int) -> str:
    """Return the start of a text without line breaks."""
    words = " ".join(without_nul(text[: 4 * limit]).split())
    return words if len(words) <= limit else f"{words[: limit - 1].rstrip()}…"


def _words(texts: Sequence[str]) -> str:
    joined, left = [], _WORDS_CHARS
    for text in texts:
        if left <= 0:
            break
        joined.append(text[:left])
        left -= len(text)
    return indexed_text(without_nul("\n".join(joined)))
