"""The results that a run is launched for.

A launch writes them on the run's row, so reading a run needs no catalog: a gallery survives the removal of
the plugin that made it. Runs launched before the rows held them are compiled with today's catalog, or, where
that fails, read from the stored document and the outputs of the steps.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.compiler.subflows.holders import holder_of
from impasto_server.compiler.documents import Source
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.events import projection
from impasto_server.runs.models import RunRow
from impasto_server.runs.schemas import Step

log = structlog.get_logger()
PlannedResult = dict[str, Any]
_BACKFILL_PAGE = 50


async def planned_results(app_state: AppState, row: RunRow, steps: Sequence[Step]) -> Sequence[PlannedResult]:
    """Return the results that a run was launched for.

    `row` must be loaded with its document; `steps` are the run's steps so far.
    """
    if row.planned_results is not None:
        return row.planned_results
    planned = await _compiled_results(app_state, row)
    return planned if planned is not None else _inferred(row, steps)


async def backfill_planned_results(app_state: AppState) -> None:
    """Write the planned results of runs that were launched before rows held them.

    A run that does not compile today is written only if it finished: a failed or cancelled one may be resumed
    once its node types are back, and has then more results than its events show.
    """
    after = ""
    while True:
        async with app_state.database.reading() as session:
            ids = await repository.ended_without_planned_results(session, after, _BACKFILL_PAGE)
        if not ids:
            return
        for run_id in ids:
            await _backfill(app_state, run_id)
        after = ids[-1]


async def with_declarations(app_state: AppState, run_id: str) -> list[PlannedResult] | None:
    """Return the planned results of a run with what their outputs declare today, if it was launched before.

    Without it, a result that is the plain text of another one looks like a second text. Returns None if there
    is nothing to add, and if the run's document does not compile today.
    """
    async with app_state.database.reading() as session:
        row = await repository.find(session, run_id)
    if row is None or all("text_of" in item for item in row.planned_results or ()):
        return None
    declared = {(item["node"], item["port"]): item for item in await _compiled_results(app_state, row) or ()}
    planned = [_with_declarations(item, declared) for item in row.planned_results or ()]
    return planned if planned != row.planned_results else None


def _with_declarations(
    item: PlannedResult, declared: Mapping[tuple[str, str], PlannedResult]
) -> PlannedResult:
    now = declared.get((item["node"], item["port"]))
    return item if now is None else {"meaning": now["meaning"], "text_of": now["text_of"], **item}


async def _backfill(app_state: AppState, run_id: str) -> None:
    async with app_state.database.reading() as session:
        row = await repository.find(session, run_id)
        if row is None or row.planned_results is not None:
            return
        steps = await _steps(session, run_id)
    planned = await _compiled_results(app_state, row)
    if planned is None:
        if row.status != "finished":
            return
        planned = _inferred(row, steps)
    async with app_state.database.writing() as session:
        await repository.set_planned_results(session, run_id, planned)


async def _steps(session: AsyncSession, run_id: str) -> list[Step]:
    return projection.fold_events(await journal_repository.events_after(session, run_id))


async def _compiled_results(app_state: AppState, row: RunRow) -> list[PlannedResult] | None:
    """Return the results that today's catalog gives for the run's document; None if it does not compile."""
    try:
        checked = await app_state.compiler.check_stored(
            row.owner_id, Source(row.document, row.subflows, targets=row.targets)
        )
    except FlowTooLarge:
        return None
    if not checked.can_run:
        return None
    results: list[PlannedResult] = orjson.loads(checked.results)
    return results


def _inferred(row: RunRow, steps: Sequence[Step]) -> list[PlannedResult]:
    """Return what the finished steps show, by the compiler's rule: outputs that no edge takes elsewhere."""
    outputs = {step.id: step for step in steps if step.outputs}
    return list(_shown(row.document, row.subflows, outputs, prefix="", label=None))


def _shown(
    document: Mapping[str, Any],
    subflows: Mapping[str, Any],
    steps: Mapping[str, Step],
    *,
    prefix: str,
    label: str | None,
) -> Iterator[PlannedResult]:
    used = _sources(document)
    for node in document.get("nodes", ()):
        shown = node.get("result")
        if shown is False or (node["id"] in used and not shown):
            continue
        name, title = prefix + node["id"], label or node.get("title")
        step = steps.get(name)
        if step is not None:
            yield from _outputs(step, title or step.title)
        elif any(each.startswith(f"{name}/") for each in steps):
            inner = _inner_document(node, subflows)
            yield from _shown(inner, subflows, steps, prefix=f"{name}/", label=title)


def _sources(document: Mapping[str, Any]) -> set[str]:
    """Return the ids of nodes that an edge leads from; a node's id and its port may both hold dots."""
    ends = [edge["from"] for edge in document.get("edges", ())]
    return {end.rpartition(".")[0] for end in ends} | {end.partition(".")[0] for end in ends}


def _inner_document(node: Mapping[str, Any], subflows: Mapping[str, Any]) -> Mapping[str, Any]:
    settings = node.get("settings") or {}
    for name in settings:
        value = holder_of(settings, name)
        if isinstance(value, dict) and "nodes" in value:
            return value
        if isinstance(value, str) and value in subflows:
            document: Mapping[str, Any] = subflows[value]
            return document
    return {}


def _outputs(step: Step, label: str) -> Iterator[PlannedResult]:
    for port, value in step.outputs.items():
        title = f"{label}: {port.replace('_', ' ').capitalize()}" if len(step.outputs) > 1 else label
        type_name, is_list = _type_of(value)
        yield {"node": step.id, "port": port, "type": type_name, "list": is_list, "title": title}


def _type_of(value: Any) -> tuple[str, bool]:
    """Return the name of a value's type and whether the value is a list of that type."""
    if isinstance(value, list):
        type_names = {_type_of(item)[0] for item in value if item is not None}
        # Lists inside JSON look like lists of JSON: without a type they are one value.
        return (
            (type_names.pop(), True) if len(type_names) == 1 and type_names != {"Json"} else ("Json", False)
        )
    if isinstance(value, dict):
        return str(value.get("$type", "Json")), False
    names = {bool: "Boolean", int: "Integer", float: "Number", str: "Text"}
    return names.get(type(value), "Json"), False
