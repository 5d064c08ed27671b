"""The composition of an image: the steps that drew it, and the values in them that can be changed."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import orjson

from impasto import Catalog, FlowInvalid, flatten
from impasto_server.asset_versions.errors import NotChangeable
from impasto_server.asset_versions.schemas import FORMATS, ImageField, Layout, LayoutChange, TextField
from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.assets.references import asset_ids_in
from impasto_server.container import AppState
from impasto_server.runs import service as runs
from impasto_server.runs.errors import RunNotFound
from impasto_server.runs.launch.brands import resolved
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

_RENDERS, _SETS_TEXT, _SIZES, _PLACES = "image_generation", "overlay_text", "resize_crop", "place_product"
_ADS = "compose_ads"
_AD_TEXTS = {"headlines": "Headline", "offer": "Offer", "calls": "Call to action"}
_MAX_STEPS = 20


@dataclass(frozen=True)
class ComposedStep:
    """A step of the composition, and the asset that it made of the image.

    `rendered` are the settings with which the local renderer drew it; None if another node made it.
    """

    node: dict[str, Any]
    title: str
    row: AssetRow
    port: str
    place: tuple[int, ...]
    rendered: Mapping[str, Any] | None


@dataclass(frozen=True)
class Composition:
    """The composition of an image: `steps` by id, from the image's own step (`target`) upwards."""

    run: RunRow
    target: str
    steps: dict[str, ComposedStep]
    outputs: dict[str, dict[str, Any]]
    document: dict[str, Any]

    def sources(self, step: str) -> Iterator[tuple[str, str, str]]:
        """Yield the step, the port and the input of each edge into a step."""
        for edge in self.document["edges"]:
            to, _, into = str(edge["to"]).rpartition(".")
            if to == step:
                source, _, port = str(edge["from"]).rpartition(".")
                yield source, port, into

    def connected(self) -> "Composition":
        """Return the composition without steps that reach the image through others only."""
        reached, pending = {self.target}, [self.target]
        while pending:
            for source, _, _ in self.sources(pending.pop()):
                if source in self.steps and source not in reached:
                    reached.add(source)
                    pending.append(source)
        steps = {step_id: step for step_id, step in self.steps.items() if step_id in reached}
        return replace(self, steps=steps)

    def ad_text(self, step: ComposedStep, source: str, port: str) -> tuple[list[str], int]:
        """Return a text input of ads, and the index of the text on this ad: each variation takes the next.

        Raises `NotChangeable` if that cannot be determined.
        """
        inputs = {into: self.outputs.get(of, {}).get(at) for of, at, into in self.sources(step.node["id"])}
        ads, given = self.outputs[step.node["id"]][step.port], self.outputs.get(source, {}).get(port)
        texts = [given] if isinstance(given, str) else given
        headlines = inputs.get("headlines")
        if not isinstance(ads, list) or not isinstance(texts, list) or not isinstance(headlines, list):
            raise NotChangeable("It cannot be determined which texts this ad shows.")
        said = [at for at, text in enumerate(texts) if str(text).strip()]
        variations = max(
            len(asset_ids_in(inputs.get("images"))), sum(1 for text in headlines if str(text).strip())
        )
        if not said or len(step.place) != 1 or len(ads) % max(1, variations):
            raise NotChangeable("This ad has no such text.")
        return texts, said[step.place[0] * variations // len(ads) % len(said)]

    def value_for(self, step: ComposedStep, source: str, port: str, *, is_list: bool = False) -> Any:
        """Return what the step read for this image. Raises `NotChangeable` if that cannot be determined."""
        value = self.outputs.get(source, {}).get(port)
        if is_list or not isinstance(value, list):
            return value
        whole = self.outputs[step.node["id"]][step.port]
        if not isinstance(whole, list) or len(value) != len(whole) or not step.place:
            raise NotChangeable("This image was composed from a list, and cannot be composed again alone.")
        return value[step.place[0]]


async def read_composition(app_state: AppState, user: User, base: AssetRow) -> Composition | None:
    """Return how an image was composed, as far as this is known; None if its run cannot tell."""
    if base.run_id is None or base.step is None or base.kind != "image":
        return None
    async with app_state.database.reading() as session:
        try:
            run = await runs.get_owned(session, user, base.run_id)
        except RunNotFound:
            return None
        outputs = await asyncio.to_thread(_decoded, await runs.step_outputs(session, run.id))
        subflows = resolved(run, run.subflows)
        document = await asyncio.to_thread(_flat, app_state.catalog, resolved(run, run.document), subflows)
        nodes = {node["id"]: node for node in document["nodes"]}
        found = Composition(run, base.step, {}, outputs, document)
        pending = [base]
        while pending and len(found.steps) < _MAX_STEPS:
            row = pending.pop()
            step = _step_of(app_state, nodes, outputs, row)
            if step is None or step.node["id"] in found.steps:
                continue
            found.steps[step.node["id"]] = step
            if step.rendered is None:
                pending += await assets.find_many(session, user.id, row.input_asset_ids)
    return found.connected() if found.target in found.steps else None


def _flat(catalog: Catalog, document: dict[str, Any], subflows: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the nodes of the flows inside it, which have the ids of the run's steps.

    A document that is not valid any more has none.
    """
    try:
        return flatten(document, catalog, flows=subflows.get).to_dict()
    except FlowInvalid:
        return {"nodes": [], "edges": []}


def _decoded(outputs: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    return {step: orjson.loads(body) for step, body in outputs.items()}


def _step_of(
    app_state: AppState, nodes: Mapping[str, Any], outputs: Mapping[str, Any], row: AssetRow
) -> ComposedStep | None:
    """Return the step that made an asset, if it can run again without a model."""
    # Nodes such as Collect pass an asset on: the step that made it is asked first.
    for step in sorted(outputs, key=lambda step: step != row.step):
        node, ports = nodes.get(step), outputs[step]
        node_type = app_state.catalog.get(node["type"]) if node else None
        if node is None or node_type is None:
            continue
        for port, value in ports.items():
            place = _place_of(value, row.id)
            if place is None:
                continue
            rendered = _rendered(row) if node["type"] == _RENDERS else None
            if node_type.generative and rendered is None:
                return None
            title = node.get("title") or node_type.title
            return ComposedStep(node, title, row, port, place, rendered)
    return None


def _rendered(row: AssetRow) -> Mapping[str, Any] | None:
    made_by = row.made_by or {}
    settings = made_by.get("settings")
    if made_by.get("provider") != "local" or not isinstance(settings, dict):
        return None
    return settings if type(settings.get("position")) is int and "style" in settings else None


def _place_of(value: Any, asset_id: str) -> tuple[int, ...] | None:
    """Return the path of an asset in nested lists, () if it is the value itself, or None."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            place = _place_of(item, asset_id)
            if place is not None:
                return (index, *place)
        return None
    is_asset = isinstance(value, dict) and value.get("asset_id") == asset_id
    return () if is_asset else None


def describe(composition: Composition, earlier: LayoutChange) -> Layout | None:
    """Return what can be changed; `earlier` are the changes that the newest version has."""
    # Ads are laid out from their images, which have no texts, and each has a format of its own.
    is_ad = any(step.node["type"] == _ADS for step in composition.steps.values())
    texts = [] if is_ad else list(_drawn_texts(composition))
    images: list[ImageField] = []
    for step_id, step in composition.steps.items():
        for edge in composition.sources(step_id):
            with suppress(NotChangeable):
                texts += _texts_of(composition, step, edge)
                images += [] if is_ad else _images_of(composition, step, edge)
    texts = [each.model_copy(update={"value": earlier.texts.get(each.id, each.value)}) for each in texts]
    images = [
        each.model_copy(update={"asset_id": earlier.images.get(each.id, each.asset_id)}) for each in images
    ]
    ratio = _ratio(composition)
    if not texts and not images and ratio is None:
        return None
    return Layout(
        aspect_ratio=ratio and (earlier.aspect_ratio or ratio),
        aspect_ratios=list(FORMATS) if ratio else [],
        texts=texts,
        images=images,
    )


def _drawn_texts(composition: Composition) -> Iterator[TextField]:
    """Yield the texts that the local renderer has drawn."""
    for step_id, step in composition.steps.items():
        if step.rendered is not None:
            for name, title, max_length in (("headline", "Headline", 64), ("line", "Call to action", 80)):
                value = str(step.rendered.get(name) or "")
                yield TextField(id=f"{step_id}.{name}", label=title, value=value, max_length=max_length)


def _texts_of(
    composition: Composition, step: ComposedStep, edge: tuple[str, str, str]
) -> Iterator[TextField]:
    """Yield the text that an edge gives a step, if it can be changed."""
    source, port, into = edge
    key = f"{step.node['id']}.{into}"
    if step.node["type"] == _ADS and into in _AD_TEXTS:
        said, at = composition.ad_text(step, source, port)
        yield TextField(id=key, label=_AD_TEXTS[into], value=said[at], max_length=200)
    elif (step.node["type"], into) == (_SETS_TEXT, "text"):
        value = composition.value_for(step, source, port)
        if isinstance(value, str):
            yield TextField(id=key, label=step.title, value=value, max_length=500)


def _images_of(
    composition: Composition, step: ComposedStep, edge: tuple[str, str, str]
) -> Iterator[ImageField]:
    """Yield the image that an edge gives a step, if it can be replaced."""
    source, port, into = edge
    if (step.node["type"], into) in ((_RENDERS, "picture"), (_PLACES, "product")):
        found = asset_ids_in(composition.value_for(step, source, port))
        if len(found) == 1:
            yield ImageField(id=f"{step.node['id']}.{into}", label="Product image", asset_id=found[0])


def _ratio(composition: Composition) -> str | None:
    """Return the format of the composition; None if no step draws it, or a later step sets its size."""
    steps = composition.steps.values()
    drawn = [step for step in steps if step.rendered is not None]
    if not drawn or any(step.node["type"] in (_SIZES, _ADS) for step in steps):
        return None
    return str((drawn[0].node.get("settings") or {}).get("aspect_ratio", "1:1"))
