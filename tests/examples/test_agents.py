"""The built-in agents: whole documents, covers, and each one run from its own example to its results."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow
from tests.fakes.small_images import small_worker
from tests.fixtures.tables import thorough_except

from impasto import Audio, Catalog, Flow, FolderStore, Image, Video, compile, execute
from impasto_nodes.media.audio.audio_file import load
from impasto_nodes.media.audio.loudness import loudness
from impasto_nodes.media.probe import probe
from impasto_nodes.providers.local import clip, image

AGENTS = Path(__file__).parents[2] / "examples" / "agents"
NAMES = sorted(path.stem for path in AGENTS.glob("*.json"))
# The same work, smaller: a test does not need six seconds of film to see that there is film.
SMALLER = {
    "image_generation": {"n_images": 2},
    "video_generation": {"duration": 1},
    "still_to_video": {"duration": 1, "height": 360},
    "language_model": {"max_tokens": 90},
    "pace_voice": {"seconds": 4},
}
RESULTS = {
    "ad_variations": {Image: 6, str: 1},
    "brand_voice_writer": {str: 3},
    "moodboard": {Image: 5, str: 6},
    "packshot_studio": {Image: 2},
    "podcast_teaser": {Image: 1, Audio: 1, Video: 1, str: 1},
    "product_launch_kit": {Image: 2, Audio: 1, Video: 1, str: 1},
    "reel_maker": {Video: 1, str: 1},
    "storyboard": {Image: 2, str: 1},
}
ALWAYS_RUN = ("ad_variations", "brand_voice_writer", "product_launch_kit", "storyboard")
"""Agents that `make test` runs: they make text, images, speech and video. `make test-thorough` runs all."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.discover()


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((AGENTS / f"{name}.json").read_text())
    return loaded


def smaller(name: str) -> dict[str, Any]:
    flow = document(name)
    for node in flow["nodes"]:
        settings = node.setdefault("settings", {})
        if node["type"] in {"language_model", "image_generation", "video_generation", "text_to_speech"}:
            settings["provider"] = "local"
        if "output_schema_preset" in settings:
            continue
        for setting, value in SMALLER.get(node["type"], {}).items():
            settings[setting] = min(settings.get(setting, value), value)
    return flow


def inside(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from inside(item)
    elif value is not None:
        yield value


def test_eight_agents_each_have_a_name_a_description_and_a_category() -> None:
    assert set(NAMES) == set(RESULTS)
    for name in NAMES:
        flow = document(name)
        assert flow["name"]
        assert 10 < len(flow["description"]) < 90
        assert flow["category"] in {
            "viral_content",
            "ads",
            "creative_assets",
            "brand_content",
            "ai_exploration",
        }
        assert flow["beta"] is (name == "reel_maker")


@pytest.mark.parametrize("name", NAMES)
def test_no_agent_has_a_brand_of_its_own(name: str) -> None:
    brands = [node for node in document(name)["nodes"] if node["type"] == "brand_system"]
    assert [brand.get("settings", {}) for brand in brands] == [{}]


@pytest.mark.parametrize("name", NAMES)
def test_document_compiles_without_problems(name: str, catalog: Catalog) -> None:
    plan = compile(document(name), catalog)
    assert plan.inputs["properties"]
    assert plan.results
    again = Flow.loads(Flow.parse(document(name)).dumps())
    assert compile(again, catalog).results == plan.results


def test_an_agent_keeps_values_of_several_nodes_in_variables(catalog: Catalog) -> None:
    flow = document("podcast_teaser")
    plan = compile(flow, catalog)
    (margin,) = (variable["value"] for variable in flow["variables"] if variable["name"] == "cover_margin")
    by_margin = [node["id"] for node in flow["nodes"] if "cover_margin" in node.get("variables", {}).values()]
    assert len(by_margin) > 1
    assert {step.settings["margin"] for step in plan.steps if step.id in by_margin} == {margin}


@pytest.mark.parametrize("name", NAMES)
def test_no_agent_sets_the_whole_brief_on_an_image(name: str) -> None:
    flow = document(name)
    types = {node["id"]: node["type"] for node in flow["nodes"]}
    shown = {
        "overlay_text": {"text"},
        "contact_sheet": {"title"},
        "compose_ads": {"headlines", "offer", "calls"},
    }
    for edge in flow["edges"]:
        source, (target, port) = edge["from"].split(".")[0], edge["to"].split(".")
        is_brief = types[source] == "user_prompt"
        assert not (is_brief and port in shown.get(types[target], ())), edge


@pytest.mark.parametrize("name", NAMES)
def test_nodes_flow_from_left_to_right_and_do_not_lie_on_each_other(name: str) -> None:
    flow = document(name)
    places = {node["id"]: (node["position"]["x"], node["position"]["y"]) for node in flow["nodes"]}
    for edge in flow["edges"]:
        start, end = edge["from"].split(".")[0], edge["to"].split(".")[0]
        assert places[start][0] < places[end][0], f"{start} -> {end}"
    spots = list(places.values())
    for index, (x, y) in enumerate(spots):
        assert all(abs(x - u) > 240 or abs(y - v) > 150 for u, v in spots[index + 1 :])


@pytest.mark.parametrize("name", NAMES)
def test_a_cover_is_small_and_of_the_right_size(name: str) -> None:
    path = AGENTS / "covers" / f"{name}.webp"
    assert path.stat().st_size < 60_000
    with Pillow.open(path) as cover:
        assert cover.size == (640, 320)


@pytest.mark.local
@pytest.mark.timeout(300)
@pytest.mark.anyio
@pytest.mark.parametrize("name", thorough_except(NAMES, *ALWAYS_RUN))
async def test_agent_runs_on_local_models(
    name: str, catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "_worker", small_worker)
    monkeypatch.setattr(clip, "_HEIGHT", 180)  # the teaser shows its clip again until the voice ends
    plan = compile(smaller(name), catalog)
    store = FolderStore(tmp_path)
    result = await execute(plan, store=store, timeout=280)
    failed = {step: found.error.message for step, found in result.steps.items() if found.error}
    assert (result.status, failed) == ("finished", {})
    ports = [f"{port['node']}.{port['port']}" for port in plan.results]
    shown = [value for port in ports for value in inside(result.outputs.get(port))]
    for kind, count in RESULTS[name].items():
        assert sum(isinstance(value, kind) for value in shown) >= count, kind
    for value in shown:
        if isinstance(value, Image | Audio | Video):
            async with store.path(value.asset_id) as path:
                look_into(value, path)


def look_into(value: Image | Audio | Video, path: Path) -> None:
    """Check that an asset's row matches its file."""
    if isinstance(value, Image):
        with Pillow.open(path) as picture:
            assert picture.size == (value.width, value.height)
    else:
        assert probe(path).seconds == pytest.approx(value.seconds, abs=0.2)
        assert -18 < loudness(load(path)) < -12, "as loud as what stands beside it in a feed"


@pytest.mark.parametrize("name", NAMES)
def test_each_agent_exposes_the_settings_of_its_nodes(catalog: Catalog, name: str) -> None:
    properties = compile(document(name), catalog).inputs["properties"]
    offered = {schema["x-setting"] for schema in properties.values() if "x-setting" in schema}
    types = {node["type"] for node in document(name)["nodes"]}
    assert "model" in offered
    assert ("voice" in offered) == ("text_to_speech" in types)
    assert ("language" in offered) == ("language_model" in types)
    assert all(schema["x-group"] for schema in properties.values() if "x-setting" in schema)
