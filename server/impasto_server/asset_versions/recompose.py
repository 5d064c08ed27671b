"""Composing an image of a run again with changes.

Only the nodes between a change and the image run again, with every other value pinned to what the run had.
They are the local renderer and nodes that call no model, so a change costs nothing.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import impasto
from impasto_server.asset_versions.composition import ComposedStep, Composition, describe
from impasto_server.asset_versions.errors import NotChangeable
from impasto_server.asset_versions.schemas import LayoutChange
from impasto_server.asset_versions.scratch_store import ScratchStore
from impasto_server.assets import service as assets
from impasto_server.assets.references import reference
from impasto_server.assets.run_store import RunProvenance, RunStore
from impasto_server.compiler.documents import Source
from impasto_server.compiler.errors import FlowTooLarge
from impasto_server.container import AppState
from impasto_server.flows.errors import FlowInvalid
from impasto_server.runs.launch.brands import resolved
from impasto_server.users.models import User

_SECONDS = 120.0


async def compose(
    app_state: AppState, user: User, composition: Composition, change: LayoutChange, folder: Path
) -> tuple[Path, impasto.Image]:
    """Make the image again with all changes since its run; return its file in `folder`.

    Raises `NotChangeable` for changes that the layout does not have, for texts longer than their fields
    take, and if a step fails.
    """
    layout = describe(composition, LayoutChange())
    texts, images = (layout.texts, layout.images) if layout else ([], [])
    known = {each.id for each in texts} | {each.id for each in images}
    unknown = (change.texts.keys() | change.images.keys()) - known
    if layout is None or unknown or (change.aspect_ratio and not layout.aspect_ratios):
        raise NotChangeable("This image has no such words, images or formats to change.")
    for field in texts:
        if len(change.texts.get(field.id, "")) > field.max_length:
            raise NotChangeable(f"'{field.label}' must have at most {field.max_length} characters.")
    replaced = await _references(app_state, user, change)
    names = {step_id: f"step{number}" for number, step_id in enumerate(composition.steps)}
    document = _document(app_state, composition, change, replaced, names)
    target = names[composition.target]
    run = composition.run
    provenance = RunProvenance(run.id, run.owner_id, run.flow_id, run.flow_name, run.version)
    store = ScratchStore(RunStore(app_state, provenance), folder)
    source = Source(document, resolved(run, run.subflows), targets=[target])
    try:
        plan = await app_state.compiler.plan(user.id, source)
        result = await impasto.execute(plan, store=store, events=False, reuse="none", timeout=_SECONDS)
    except (FlowInvalid, FlowTooLarge, impasto.FlowInvalid) as error:
        raise NotChangeable(
            "This image cannot be composed again: its agent cannot run here any more."
        ) from error
    if result.status != "finished":
        reason = result.error.message if result.error else "a step failed"
        raise NotChangeable(f"This image could not be composed again: {reason}")
    step = composition.steps[composition.target]
    made = list(_images(result.outputs[f"{target}.{step.port}"]))
    # One image if its step made several of a prompt, and as many as before if each is made of an input.
    position = step.place[-1] if step.place else 0
    image = made[min(position, len(made) - 1)]
    return folder / image.asset_id, image


async def _references(app_state: AppState, user: User, change: LayoutChange) -> dict[str, Any]:
    async with app_state.database.reading() as session:
        rows = await assets.find_many(session, user.id, list(change.images.values()))
    by_id = {row.id: row for row in rows if row.kind == "image"}
    if not by_id.keys() >= set(change.images.values()):
        raise NotChangeable("One of the images is not in your library.")
    return {key: reference(by_id[asset_id]) for key, asset_id in change.images.items()}


def _document(
    app_state: AppState,
    composition: Composition,
    change: LayoutChange,
    replaced: Mapping[str, Any],
    names: Mapping[str, str],
) -> dict[str, Any]:
    """Return a flow that makes the image alone: the steps from the changes on, and pinned values before.

    `names` has the ids of its nodes by step: those of steps in flows inside flows have slashes.
    """
    changed = {key.rpartition(".")[0] for key in (*change.texts, *change.images)}
    if change.aspect_ratio:
        changed |= {step_id for step_id, step in composition.steps.items() if step.rendered is not None}
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[dict[str, str]] = []

    def is_affected(step_id: str) -> bool:
        if step_id in changed:
            return True
        return step_id in composition.steps and any(
            is_affected(source) for source, _, _ in composition.sources(step_id)
        )

    def add(step_id: str) -> None:
        step = composition.steps[step_id]
        nodes[step_id] = {**_again(step, change), "id": names[step_id]}
        for source, port, into in composition.sources(step_id):
            key = f"{step_id}.{into}"
            if key not in change.texts and key not in replaced and is_affected(source):
                edges.append({"from": f"{names[source]}.{port}", "to": f"{names[step_id]}.{into}"})
                if source not in nodes:
                    add(source)
                continue
            if (pin := _pin(app_state, composition, step, (source, port, into), change, replaced)) is None:
                continue
            number = f"value{len(nodes)}"
            nodes[number] = {"id": number, **pin}
            edges.append({"from": f"{number}.{port}", "to": f"{names[step_id]}.{into}"})

    add(composition.target)
    return {"format": 1, "name": "Change", "nodes": list(nodes.values()), "edges": edges}


def _again(step: ComposedStep, change: LayoutChange) -> dict[str, Any]:
    kept = ("id", "type", "version", "title", "settings")
    node: dict[str, Any] = {name: step.node[name] for name in kept if name in step.node}
    if step.rendered is None:
        return node
    words = {
        name: change.texts.get(f"{node['id']}.{name}", str(step.rendered.get(name) or ""))
        for name in ("headline", "line")
    }
    settings = dict(node.get("settings") or {})
    settings |= {
        "provider": "local",
        "model": "",
        "n_images": 1,
        "seed": (step.row.made_by or {}).get("seed"),
        "more": {**words, "style": step.rendered["style"], "position": step.rendered["position"]},
    }
    if change.aspect_ratio:
        settings["aspect_ratio"] = change.aspect_ratio
    return {**node, "settings": settings}


def _pin(
    app_state: AppState,
    composition: Composition,
    step: ComposedStep,
    edge: tuple[str, str, str],
    change: LayoutChange,
    replaced: Mapping[str, Any],
) -> dict[str, Any] | None:
    """Return the source of an edge with a pinned value; None if it gave the step nothing."""
    source, port, into = edge
    nodes = {node["id"]: node for node in composition.document["nodes"]}
    node_type = app_state.catalog.get(nodes[source]["type"]) if source in nodes else None
    taker = app_state.catalog.get(step.node["type"])
    output = next((each for each in node_type.outputs if each.name == port), None) if node_type else None
    key = f"{step.node['id']}.{into}"
    if output is None or node_type is None or taker is None:
        raise NotChangeable(
            "This image cannot be composed again: one of its nodes is not installed any more."
        )
    takes_list = any(each.name == into and each.type.depth > 0 for each in taker.inputs)
    base = output.type.base.id
    if key in replaced:
        value: Any = replaced[key]
    elif key in change.texts:
        value, base = change.texts[key], "Text"
        if takes_list:
            value = _with_text(composition, step, (source, port), value)
    else:
        value = composition.value_for(step, source, port, is_list=takes_list)
    if value is None:
        return None
    depth, inner = 0, value
    while isinstance(inner, list) and inner:
        depth, inner = depth + 1, inner[0]
    return {
        "type": nodes[source]["type"],
        "settings": nodes[source].get("settings") or {},
        "pin": {"outputs": {port: {"type": base, "depth": depth, "value": value}}},
    }


def _with_text(composition: Composition, step: ComposedStep, source: tuple[str, str], text: str) -> list[str]:
    """Return the texts of all variations of an ad with that of this one changed."""
    if not text.strip():
        raise NotChangeable("A headline or a call to action cannot be empty.")
    texts, at = composition.ad_text(step, *source)
    return [*texts[:at], text, *texts[at + 1 :]]


def _images(value: Any) -> Iterator[impasto.Image]:
    if isinstance(value, list):
        for item in value:
            yield from _images(item)
    elif isinstance(value, impasto.Image):
        yield value
