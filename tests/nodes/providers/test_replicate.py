"""Replicate's real client against its protocol on loopback."""

import asyncio

import httpx
import pytest
from tests.fakes import replicate as fake
from tests.fakes.media import png
from tests.fakes.running import error_of, flow_of, options_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, Kind, State

from impasto import Catalog, Image, MemoryStore, compile, start
from impasto_nodes.providers import download
from impasto_nodes.providers.replicate import connection, predictions, requests

pytestmark = pytest.mark.anyio
SOON = 0.01


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at predictions often: nothing here takes its time."""
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(SOON, SOON))


async def good(provider: str) -> str:
    return GOOD_KEY


async def draw(key: str = GOOD_KEY, store: object = None, **settings: object) -> object:
    given = {"provider": "replicate"} | settings
    return await run("image_generation", {"prompt": "A can"}, key=key, store=store, **given)


async def video(store: MemoryStore, **settings: object) -> object:
    kept = await store.put(png(), "image/png")
    inputs = {"prompt": "A can", "picture": Image(asset_id=kept.asset_id)}
    return await run("video_generation", inputs, store=store, **{"provider": "replicate"} | settings)


async def test_each_image_is_one_prediction_with_its_own_seed(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_schemas", {})
    monkeypatch.setitem(fake._IMAGE_INPUT["properties"], "num_outputs", {"type": "integer"})
    result = await draw(n_images=3, aspect_ratio="4:5", seed=7, more={"output_quality": 95})
    assert [image.width for image in result.outputs["it.output"]] == [64, 64, 64]
    sent = [prediction.input for prediction in fakes.predictions.values()]
    asked = {"prompt": "A can", "aspect_ratio": "4:5", "num_outputs": 1, "output_quality": 95}
    assert sorted(sent, key=lambda one: one["seed"]) == [asked | {"seed": seed} for seed in (7, 8, 9)]
    assert result.steps["it"].cost_usd == pytest.approx(0.12)


async def test_images_beside_one_that_is_refused_are_waited_for_and_paid(fakes: State) -> None:
    fakes.misbehave("reject", on="/predictions")
    fakes.polls = 3
    result = await draw(n_images=3)
    assert error_of(result).code == "bad_request"
    assert result.steps["it"].cost_usd == pytest.approx(0.08)


async def test_images_are_shown_one_by_one(fakes: State) -> None:
    result = await draw(n_images=2)
    shown = [event for event in result.events if event.type == "step.partial" and event.step == "it"]
    assert len(shown) == 2
    assert shown[0].data["value"]["$type"] == "Image"


async def test_a_clip_starts_from_an_image(fakes: State) -> None:
    store = MemoryStore()
    result = await video(store, duration=10)
    clip = result.outputs["it.output"]
    assert (clip.media_type, clip.width, clip.height) == ("video/mp4", 64, 36)
    assert clip.seconds == pytest.approx(1.0, abs=0.2)
    (prediction,) = fakes.predictions.values()
    assert prediction.input["duration"] == 10
    assert prediction.input["start_image"].startswith("data:image/png;base64,")
    assert result.steps["it"].cost_usd == pytest.approx(0.5)


CREATING: list[tuple[Kind, str, bool]] = [
    ("rate_limit", "rate_limited", True),
    ("server_error", "provider_unavailable", True),
    ("unavailable", "provider_unavailable", True),
    ("moderation", "moderated", False),
    ("reject", "bad_request", False),
    ("bad_json", "corrupt_output", False),
]


@pytest.mark.parametrize(("kind", "code", "retryable"), CREATING)
async def test_each_fault_at_creation_has_its_words(
    fakes: State, kind: Kind, code: str, retryable: bool
) -> None:
    fakes.misbehave(kind, times=9, retry_after=SOON, on="/predictions")
    error = error_of(await draw())
    assert (error.code, error.retryable, error.provider) == (code, retryable, "replicate")
    assert GOOD_KEY not in f"{error.message}{error.detail}"
    assert not fakes.predictions


async def test_wrong_key_no_credit_and_unknown_model(fakes: State) -> None:
    wrong = error_of(await draw(key="r8_wrongwrongwrong"))
    assert wrong.code == "wrong_credential"
    assert "r8_wrong" not in str(wrong.detail)
    assert error_of(await draw(key=POOR_KEY)).code == "no_credit"
    assert error_of(await draw(model="unknown/unknown")).code == "unknown_model"


async def test_a_fault_while_waiting_costs_no_second_prediction(fakes: State) -> None:
    fakes.polls = 3
    fakes.misbehave("server_error", times=2, on="/v1/predictions/")
    assert (await draw()).status == "finished"
    assert len(fakes.predictions) == 1


async def test_a_dropped_download_is_tried_again_for_the_same_prediction(fakes: State) -> None:
    fakes.misbehave("disconnect", on="/outputs/")
    assert (await draw()).status == "finished"
    assert len(fakes.predictions) == 1
    assert len(fakes.requests("/outputs/")) == 2


@pytest.mark.parametrize("kind", ["corrupt", "empty"])
async def test_a_bad_output_never_reaches_the_store(fakes: State, kind: Kind) -> None:
    fakes.misbehave(kind, on="/outputs/")
    store = MemoryStore()
    assert error_of(await draw(store=store)).code == "corrupt_output"
    assert not store.assets


async def test_a_huge_output_is_refused(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download.write_stream, "__defaults__", (100_000,))
    fakes.misbehave("huge", on="/outputs/")
    store = MemoryStore()
    assert error_of(await draw(store=store)).code == "output_too_large"
    assert not store.assets


async def test_failed_prediction_reports_the_models_reason(fakes: State) -> None:
    fakes.fails_with = "CUDA out of memory"
    error = error_of(await draw())
    assert error.code == "generation_failed"
    assert "CUDA out of memory" in str(error.detail)
    fakes.fails_with = "NSFW content detected"
    assert error_of(await draw()).code == "moderated"


async def test_settings_that_the_model_lacks_are_named(fakes: State) -> None:
    error = error_of(await draw(more={"guidance": 3}))
    assert error.code == "bad_request"
    assert str(error.detail).startswith("flux-1.1-pro has no setting 'guidance'; it has 'prompt', ")
    assert not fakes.predictions


async def test_settings_of_the_chosen_model_are_offered(fakes: State) -> None:
    offered = await options_of("image_generation", "more", "black-forest-labs/flux-1.1-pro")
    assert [option["value"] for option in offered] == ["output_quality"]
    assert offered[0]["schema"]["maximum"] == 100
    assert await options_of("image_generation", "more", "no-owner/no-model") == []
    assert await options_of("image_generation", "more", "no-model") == []


async def test_settings_of_a_listed_model_are_offered_from_its_spec() -> None:
    offered = await options_of("image_generation", "more", "gpt-image-2", key=None)
    assert "quality" in [option["value"] for option in offered]
    assert offered == await options_of("image_generation", "more", "gemini-3.1-flash-image", key=None)


async def test_cancelled_run_cancels_the_prediction(fakes: State) -> None:
    fakes.polls = None
    plan = compile(
        flow_of("image_generation", {"provider": "replicate"}, {"prompt": "A can"}), Catalog.discover()
    )

    async def credentials(provider: str) -> str:
        return GOOD_KEY

    async with start(plan, {}, store=MemoryStore(), credentials=credentials) as live:
        while not fakes.requests("/v1/predictions/"):
            await asyncio.sleep(0.01)
        result = await live.cancel()
        while [prediction.status for prediction in fakes.predictions.values()] != ["canceled"]:
            await asyncio.sleep(0.01)
    assert result.status == "cancelled"


async def test_timeout_is_reported(fakes: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_TIMEOUT", httpx.Timeout(0.1))
    fakes.misbehave("slow", times=99, on="/v1/predictions/")
    error = error_of(await draw())
    assert (error.code, error.retryable) == ("provider_timeout", True)
