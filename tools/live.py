"""One cheap, paid call of each provider whose key is set: `make live`. Opt-in, at most $0.50 in all.

Keys come from the environment or `.env`. The report is printed and written to `build/live.json`. The exit
code is 1 if a call failed. `--model PROVIDER=NAME` names the model to call, such as an Azure deployment.
"""

import argparse
import asyncio
import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import impasto
from impasto import Catalog, Configuration, Flow, MemoryStore
from impasto.configuration import ENV_FILE
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import listed_models, specs
from impasto_nodes.providers.spec import ProviderSpec

CAP_USD = 0.50
REPORT = Path(__file__).parents[1] / "build" / "live.json"
_SECONDS = 300
_TEXT = "Say hello."
_NODES: Mapping[Kind, tuple[str, str, Mapping[str, Any]]] = {
    "text": ("language_model", "prompt", {"max_tokens": 1_000}),
    "speech": ("text_to_speech", "text", {}),
    "image": ("image_generation", "prompt", {}),
    "sound_effects": ("sound_effects", "prompt", {"seconds": 0.5}),
    "dialogue": ("dialogue", "script", {}),
    "music": ("music_generation", "prompt", {"seconds": 3}),
    "video": ("video_generation", "prompt", {}),
}
"""The nodes to call by what they make, the cheapest first, with their input and their settings."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one provider: "ok", "failed", or "skipped" without a call."""

    provider: str
    kind: str
    model: str
    state: str
    detail: str = ""
    seconds: float = 0.0
    usd: float = 0.0


async def call_all(
    configuration: Configuration, cap_usd: float = CAP_USD, models: Mapping[str, str] | None = None
) -> list[Outcome]:
    """Call each configured provider that costs something once; their prices add up to `cap_usd` at most."""
    outcomes: list[Outcome] = []
    for spec in specs().values():
        if not spec.credentials or not spec.is_configured(configuration):
            continue
        left = cap_usd - sum(outcome.usd for outcome in outcomes)
        outcomes.append(await _call(spec, left, configuration, (models or {}).get(spec.id)))
    return outcomes


async def _call(
    spec: ProviderSpec, left_usd: float, configuration: Configuration, name: str | None
) -> Outcome:
    kind = next((kind for kind in _NODES if kind in spec.kinds), None)
    if kind is None:
        return Outcome(spec.id, ", ".join(spec.kinds), "", "skipped", "no kind of call is cheap")
    model = _cheapest(spec, kind, name)
    if model is None:
        return Outcome(spec.id, kind, "", "skipped", "no model has a price: name one with --model")
    store, started = MemoryStore(), time.monotonic()
    flow = await _flow(spec, kind, model, store)
    plan = impasto.compile(flow, Catalog.discover())
    result = await asyncio.wait_for(
        impasto.execute(
            plan, {}, store=store, budget_usd=left_usd, configuration=configuration, reuse="none"
        ),
        _SECONDS,
    )
    seconds, usd = round(time.monotonic() - started, 2), result.cost_usd
    error = result.error or result.steps["call"].error
    if result.status == "finished":
        return Outcome(spec.id, kind, model.name, "ok", "", seconds, usd)
    code = error.code if error is not None else result.status
    if code == "budget_exceeded" and not usd:
        detail = f"it may cost more than the ${left_usd:.2f} that are left"
        return Outcome(spec.id, kind, model.name, "skipped", detail, seconds)
    detail = f"{code}: {error.message}" if error is not None else code
    return Outcome(spec.id, kind, model.name, "failed", detail, seconds, usd)


def _cheapest(spec: ProviderSpec, kind: Kind, name: str | None) -> Model | None:
    listed = [model for model in listed_models(spec.id) if model.kind == kind and not model.is_gone]
    if name is not None:
        return next(
            (model for model in listed if model.name == name), Model(kind=kind, name=name, title=name)
        )
    priced = [model for model in listed if model.is_priced]
    return min(priced, key=lambda model: model.price_usd, default=None)


async def _flow(spec: ProviderSpec, kind: Kind, model: Model, store: MemoryStore) -> Flow:
    node, port, settings = _NODES[kind]
    own = {**settings, "provider": spec.id, "model": model.name}
    if model.ratios and kind in {"image", "video"}:
        own["aspect_ratio"] = model.ratios[0]
    if model.durations and kind == "video":
        own["duration"] = min(model.durations)
    text = f"Rachel: {_TEXT}" if kind == "dialogue" else _TEXT
    nodes = [
        {"id": "prompt", "type": "user_prompt", "settings": {"text": text}},
        {"id": "call", "type": node, "settings": own, "result": True},
    ]
    edges = [{"from": "prompt.output", "to": f"call.{port}"}]
    if kind == "video" and model.needs_image:
        kept = await store.put(_grey_png(), "image/png")
        image = {"type": "Image", "asset_id": kept.asset_id, "media_type": "image/png"}
        nodes.append({"id": "frame", "type": "picture", "settings": {"picture": image}})
        edges.append({"from": "frame.output", "to": "call.picture"})
    return Flow.loads(json.dumps({"format": 1, "name": "live", "nodes": nodes, "edges": edges}))


def _grey_png() -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (1280, 720), "grey").save(out, "PNG")
    return out.getvalue()


def write_report(outcomes: Sequence[Outcome], path: Path) -> None:
    """Print the outcomes as a table, and write them to `path` as JSON."""
    for outcome in outcomes:
        what = f"{outcome.provider:<12} {outcome.kind:<10} {outcome.model:<40} {outcome.state:<8}"
        print(f"{what} {outcome.seconds:>7.2f} s  ${outcome.usd:.5f}  {outcome.detail}".rstrip())
    total = sum(outcome.usd for outcome in outcomes)
    print(f"{len(outcomes)} providers with a key, ${total:.5f} of at most ${CAP_USD:.2f}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {"usd": total, "calls": [asdict(outcome) for outcome in outcomes]}
    path.write_text(json.dumps(found, indent=1), "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Call, report, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", action="append", default=[], metavar="PROVIDER=NAME")
    parser.add_argument("--report", type=Path, default=REPORT)
    given = parser.parse_args(arguments)
    models = dict(one.split("=", 1) for one in given.model)
    outcomes = asyncio.run(call_all(Configuration.load(ENV_FILE), models=models))
    write_report(outcomes, given.report)
    return int(any(outcome.state == "failed" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
