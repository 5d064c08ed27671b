"""Several images in one step: each at its place, and another one for any of them."""

from typing import Any

import pytest
from tests.fakes.running import flow_of, installed
from tests.fakes.state import GOOD_KEY, State

from impasto import MemoryCache, MemoryStore, RunResult, compile, execute
from impasto_nodes.providers.replicate import predictions

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("small_images")]
MODELS = {"openai": "gpt-image-2", "replicate": "black-forest-labs/flux-1.1-pro", "local": ""}


class Studio:
    """Runs of one step that share what they know."""

    def __init__(self, provider: str, **settings: Any) -> None:
        settings = {"provider": provider, "model": MODELS[provider], "n_images": 3, **settings}
        self.plan = compile(flow_of("image_generation", settings, {"prompt": "A can"}), installed())
        self.kept = {"cache": MemoryCache(), "store": MemoryStore(), "credentials": self._credentials}

    async def run(self, *fresh: str) -> RunResult:
        result = await execute(self.plan, {}, fresh=fresh, **self.kept)
        assert result.status == "finished", result.steps["it"].error
        return result

    async def _credentials(self, provider: str) -> str | None:
        return GOOD_KEY if provider != "local" else None


def shas(result: RunResult) -> list[str]:
    return [image.sha256 for image in result.outputs["it.output"]]


def places(result: RunResult) -> list[tuple[int, str]]:
    shown = [event.data for event in result.events if event.type == "step.partial"]
    return sorted((data["item"][0], data["value"]["asset_id"]) for data in shown)


@pytest.mark.parametrize("provider", ["local", "openai", "replicate"])
async def test_only_the_requested_one_of_several_images_is_generated(
    provider: str, fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.01, 0.01))
    studio = Studio(provider)
    first = await studio.run()
    assert [place for place, _ in places(first)] == [0, 1, 2]
    again = await studio.run("it#1")
    assert [place for place, _ in places(again)] == [0, 1, 2]
    before, now = shas(first), shas(again)
    assert (len(now), now[0], now[2]) == (3, before[0], before[2])
    if provider == "local":
        assert now[1] != before[1]
        assert [image.name for image in again.outputs["it.output"]] == [f"image-{n}.png" for n in (1, 2, 3)]
    else:  # the fakes have one image only
        assert again.steps["it"].cost_usd == pytest.approx(first.steps["it"].cost_usd / 3)


async def test_a_regenerated_image_differs_from_the_seeded_one(fakes: State) -> None:
    studio = Studio("local", n_images=1, seed=7)
    first = await studio.run()
    assert shas(await studio.run("it")) == shas(first)
    assert shas(await studio.run("it#0")) != shas(first)


async def test_the_provider_is_asked_for_as_many_as_are_wanted(fakes: State) -> None:
    studio = Studio("openai")
    await studio.run()
    await studio.run("it#0", "it#2")
    assert [request.body["n"] for request in fakes.requests("images/generations")] == [3, 2]
