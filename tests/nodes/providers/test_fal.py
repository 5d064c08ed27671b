"""fal: a request is paid once, its inputs follow the model's schema, and every fault has its code."""

import asyncio
from typing import Any

import pytest
from tests.fakes import fal as fake
from tests.fakes.media import png
from tests.fakes.running import access_to, error_of, flow_of, options_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, State

from impasto import Catalog, Image, MemoryStore, compile, start
from impasto_nodes.providers.errors import CorruptOutput, UnsupportedRatio
from impasto_nodes.providers.fal import connection, jobs, platform
from impasto_nodes.providers.fal.inputs import inputs_from, shape_of
from impasto_nodes.providers.fal.platform import Price, prices_of

pytestmark = pytest.mark.anyio
IMAGE = {"provider": "fal", "model": "fal-ai/flux/schnell"}
CLIP: dict[str, Any] = {"provider": "fal", "model": "fal-ai/veo3.1/fast", "duration": 8}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "FIRST_POLL_SECONDS", 0.01)
    monkeypatch.setattr(jobs, "MAX_POLL_SECONDS", 0.01)
    platform._lists.clear()
    platform._schemas.clear()


async def image(**settings: Any) -> Any:
    inputs = settings.pop("inputs", {"prompt": "A can"})
    return await run("image_generation", inputs, **(IMAGE | settings))


async def clip(**settings: Any) -> Any:
    return await run("video_generation", {"prompt": "A can opens"}, **(CLIP | settings))


def submissions(fakes: State) -> list[Any]:
    return [one for one in fakes.requests("/fal/", "POST") if "/storage/" not in one.path]


# -- what is sent ------------------------------------------------------------------------------


async def test_images_are_requested_one_each_and_charged_by_the_catalog(fakes: State) -> None:
    result = await image(n_images=3, aspect_ratio="4:5", seed=7)
    assert result.status == "finished", result.steps["it"].error
    assert len(result.outputs["it.output"]) == 3
    assert result.steps["it"].cost_usd == pytest.approx(0.009)
    bodies = sorted((one.body for one in submissions(fakes)), key=lambda body: body["seed"])
    assert [body["seed"] for body in bodies] == [7, 8, 9]
    assert bodies[0] == {
        "prompt": "A can", "image_size": {"width": 896, "height": 1120}, "num_images": 1, "seed": 7,
    }  # fmt: skip


async def test_one_clip_is_requested_in_the_models_own_spelling(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.polls = 3
    kind, properties, required = fake.MODELS[CLIP["model"]]
    properties = properties | {"num_videos": {"type": "integer"}}
    monkeypatch.setitem(fake.MODELS, CLIP["model"], (kind, properties, required))
    result = await clip(aspect_ratio="9:16")
    assert result.outputs["it.output"].media_type == "video/mp4"
    assert result.steps["it"].cost_usd == pytest.approx(1.2)
    (sent,) = submissions(fakes)
    assert sent.body == {
        "prompt": "A can opens", "duration": "8s", "aspect_ratio": "9:16", "num_videos": 1,
    }  # fmt: skip


async def test_image_is_uploaded_without_the_key_and_for_a_day(fakes: State) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    picture = Image(asset_id=kept.asset_id, width=64, height=64)
    inputs = {"prompt": "Dusk", "picture": picture}
    result = await run("image_edit", inputs, store=store, provider="fal", model="fal-ai/flux-pro/kontext")
    assert result.status == "finished", result.steps["it"].error
    (initiated,) = fakes.requests("/storage/upload/initiate", "POST")
    assert "86400" in initiated.headers["x-fal-object-lifecycle-preference"]
    (uploaded,) = fakes.requests("/uploads/", "PUT")
    assert "authorization" not in uploaded.headers
    assert submissions(fakes)[0].body["image_url"].startswith(f"{fakes.url}/fal/uploads/")


async def test_upload_that_a_gateway_lost_is_repeated(fakes: State) -> None:
    fakes.misbehave("answer", on="/storage/upload/initiate", status=502, body="<html>nginx</html>")
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    inputs = {"prompt": "Dusk", "picture": Image(asset_id=kept.asset_id, width=64, height=64)}
    result = await run("image_edit", inputs, store=store, provider="fal", model="fal-ai/flux-pro/kontext")
    assert result.status == "finished", result.steps["it"].error


async def test_setting_of_the_model_is_sent_and_others_are_refused_before_they_cost(fakes: State) -> None:
    assert (await image(more={"num_inference_steps": 2})).status == "finished"
    assert submissions(fakes)[0].body["num_inference_steps"] == 2
    assert error_of(await image(more={"num_images": 4})).code == "bad_request"
    assert error_of(await image(more={"api_base": "http://elsewhere"})).code == "bad_request"
    assert len(submissions(fakes)) == 1


async def test_model_settings_and_models_are_listed_live(fakes: State) -> None:
    found = await options_of("image_generation", "model", "acme")
    assert "acme/unlisted" in [option["value"] for option in found]
    own = await options_of("image_generation", "more", "acme/unlisted")
    assert [option["value"] for option in own] == ["num_inference_steps", "enable_safety_checker"]
    asked = len(fakes.requests("/fal/v1/models", "GET"))
    assert await options_of("image_generation", "more", "no-owner") == []
    assert len(fakes.requests("/fal/v1/models", "GET")) == asked


# -- what it costs -----------------------------------------------------------------------------


async def test_typed_model_costs_what_fal_states_for_the_key(fakes: State) -> None:
    result = await image(model="acme/unlisted", options={"budget_usd": 1.0})
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(0.02)


@pytest.mark.parametrize(("status", "sent"), [(400, 1), (404, 1), (401, 0)])
async def test_model_whose_price_fal_does_not_know_runs_unless_the_key_is_refused(
    fakes: State, status: int, sent: int
) -> None:
    fakes.misbehave("answer", times=9, on="/models/pricing", status=status, body='{"detail": "No."}')
    result = await image(model="acme/unlisted")
    assert result.status == ("finished" if sent else "failed")
    assert len(submissions(fakes)) == sent


async def test_model_without_a_price_per_image_is_charged_by_its_seconds(fakes: State) -> None:
    result = await image(model="acme/by-the-second")
    assert result.steps["it"].cost_usd == pytest.approx(0.004)


async def test_larger_image_costs_its_megapixels(fakes: State) -> None:
    result = await image(more={"image_size": {"width": 3840, "height": 2160}})
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(8 * 0.003)
    refused = await image(more={"image_size": {"width": 3840, "height": 2160}}, options={"budget_usd": 0.004})
    assert error_of(refused).code == "budget_exceeded"


async def test_clip_of_a_higher_resolution_costs_its_pixels(fakes: State) -> None:
    settings = {"model": "kling/v4/text-to-video", "duration": 5}
    usual = await clip(**settings)
    assert usual.steps["it"].cost_usd == pytest.approx(5 * 0.235)
    assert (await clip(**settings, more={"resolution": "720p"})).steps["it"].cost_usd == pytest.approx(
        5 * 0.235
    )
    large = await clip(**settings, more={"resolution": "4k"})
    assert large.steps["it"].cost_usd == pytest.approx(4 * 5 * 0.235)


async def test_what_fal_has_billed_is_charged_where_it_says_so(fakes: State) -> None:
    result = await image(model="acme/billed-by-size", more={"resolution": "4K"}, n_images=2)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(2 * 2 * 0.15)


async def test_run_with_a_budget_refuses_a_model_without_a_price(fakes: State) -> None:
    result = await image(model="acme/by-the-second", options={"budget_usd": 1.0})
    assert error_of(result).code == "price_unknown"
    assert not submissions(fakes)


@pytest.mark.parametrize(
    ("unit", "kind", "usd"),
    [
        ("megapixel", "image", 2),
        ("compute second", "image", None),
        ("second", "video", 2),
        ("video", "video", None),
    ],
)
def test_unit_of_a_price_decides_whether_it_is_known(unit: str, kind: Any, usd: float | None) -> None:
    assert Price(2, unit).of_one(kind) == usd


async def test_prices_are_read_in_any_spelling(fakes: State) -> None:
    found = await prices_of(["acme/by-the-second"], access_to("fal", fakes))
    assert found == {"acme/by-the-second": Price(0.001, "compute second")}


# -- faults ------------------------------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, Any], tuple[Any, str]]] = [
    ("wrong_credential", {"key": "wrong-key-999999"}, ("", "")),
    ("no_credit", {"key": POOR_KEY}, ("", "")),
    ("unknown_model", {"model": "acme/nothing"}, ("", "")),
    ("rate_limited", {}, ("rate_limit", "/flux/schnell")),
    ("provider_unavailable", {}, ("unavailable", "/flux/schnell")),
    ("provider_unavailable", {}, ("server_error", "/flux/schnell")),
    ("provider_unavailable", {}, ("unavailable", "/v1/models")),
    ("corrupt_output", {}, ("bad_json", "/v1/models")),
    ("moderated", {}, ("moderation", "/requests/")),
    ("bad_request", {"more": {"num_inference_steps": 99}}, ("", "")),
]


@pytest.mark.parametrize(("code", "settings", "fault"), REFUSED)
async def test_refused_request_has_its_code_and_costs_nothing(
    fakes: State, code: str, settings: dict[str, Any], fault: tuple[Any, str]
) -> None:
    if fault[0]:
        fakes.misbehave(fault[0], times=9, on=fault[1], retry_after=0.01)
    result = await image(**settings)
    error = error_of(result)
    assert (error.code, error.provider) == (code, "fal")
    assert result.steps["it"].cost_usd == 0
    assert GOOD_KEY not in f"{error.message}{error.detail}"


async def test_busy_queue_is_asked_again_by_the_step_alone(fakes: State) -> None:
    fakes.misbehave("unavailable", times=2, on="/flux/schnell", retry_after=0.01)
    assert (await image()).status == "finished"
    assert len(submissions(fakes)) == 3


@pytest.mark.parametrize(
    ("kind", "code"),
    [("lost", "stream_dropped"), ("hang_up", "stream_dropped"), ("bad_json", "corrupt_output")],
)
async def test_request_whose_answer_is_lost_is_not_sent_again(fakes: State, kind: Any, code: str) -> None:
    fakes.misbehave(kind, times=9, on="/flux/schnell")
    result = await image()
    assert error_of(result).code == code
    assert len(submissions(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(0.003)


@pytest.mark.parametrize("status", [502, 504])
async def test_gateway_that_may_have_passed_it_on_is_not_asked_again(fakes: State, status: int) -> None:
    fakes.misbehave("answer", times=9, on="/flux/schnell", status=status, body="<html>nginx</html>")
    assert error_of(await image()).code == "stream_dropped"
    assert len(submissions(fakes)) == 1


async def test_queue_without_an_answer_in_time_is_not_asked_again(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_TIMEOUT", connection.httpx.Timeout(0.3))
    fakes.misbehave("slow", times=9, on="/flux/schnell")
    assert error_of(await image()).code == "provider_timeout"
    assert len(submissions(fakes)) == 1


@pytest.mark.parametrize("kind", ["server_error", "unavailable", "rate_limit", "bad_json", "hang_up"])
@pytest.mark.parametrize("on", ["/status", "/requests/"])
async def test_poll_that_fails_is_repeated(fakes: State, kind: Any, on: str) -> None:
    fakes.misbehave(kind, times=3, on=on, retry_after=0.01)
    result = await image()
    assert result.status == "finished", result.steps["it"].error
    assert len(submissions(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(0.003)


@pytest.mark.parametrize("status", [502, 504])
async def test_gateway_that_fails_while_a_request_is_followed_is_asked_again(
    fakes: State, status: int
) -> None:
    fakes.misbehave("answer", times=3, on="/status", status=status, body="<html>nginx</html>")
    result = await image()
    assert result.status == "finished", result.steps["it"].error
    assert len(submissions(fakes)) == 1


async def test_request_that_cannot_be_followed_counts_as_paid_and_is_continued_by_a_retry(
    fakes: State,
) -> None:
    fakes.misbehave("unavailable", times=7, on="/status", retry_after=0.01)
    result = await image()
    assert result.status == "finished"
    assert len(submissions(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(0.003)


async def test_model_that_failed_costs_nothing(fakes: State) -> None:
    fakes.fails_with = "internal_server_error"
    result = await clip()
    assert error_of(result).code == "generation_failed"
    assert result.steps["it"].cost_usd == 0


async def test_images_beside_one_that_is_refused_are_waited_for_and_paid(fakes: State) -> None:
    refusal = '{"detail": [{"type": "content_policy_violation", "msg": "No."}]}'
    fakes.misbehave("answer", on="flux/schnell", status=422, body=refusal)
    fakes.polls = 3
    result = await image(n_images=3)
    assert error_of(result).code == "moderated"
    assert result.steps["it"].cost_usd == pytest.approx(0.006)


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ('{"images": []}', "corrupt_output"),
        ('{"images": [{"url": "ftp://x"}]}', "corrupt_output"),
        ('{"images": [{"url": "data:,"}], "has_nsfw_concepts": [true]}', "moderated"),
    ],
)
async def test_output_of_another_shape_has_its_code_and_is_paid(fakes: State, shape: str, code: str) -> None:
    fakes.output_shape = shape
    result = await image()
    assert error_of(result).code == code
    assert result.steps["it"].cost_usd == pytest.approx(0.003)


@pytest.mark.parametrize("kind", ["corrupt", "empty"])
async def test_damaged_file_is_corrupt_and_paid_once(fakes: State, kind: Any) -> None:
    fakes.misbehave(kind, times=9, on="/files/")
    result = await image()
    assert error_of(result).code == "corrupt_output"
    assert len(submissions(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(0.003)


@pytest.mark.parametrize(("polls", "usd"), [(None, 0.0), (999, 1.2)])
async def test_cancelled_run_cancels_the_request_which_costs_only_if_it_has_begun(
    fakes: State, polls: int | None, usd: float
) -> None:
    fakes.polls = polls
    plan = compile(flow_of("video_generation", CLIP, {"prompt": "A can opens"}), Catalog.discover())

    async def credentials(provider: str) -> str:
        return GOOD_KEY

    async with (
        asyncio.timeout(30),
        start(plan, {}, store=MemoryStore(), credentials=credentials, reuse="none") as live,
    ):
        while len(fakes.requests("/status", "GET")) < 2:
            await asyncio.sleep(0.01)
        result = await live.cancel()
    assert len(fakes.requests("/cancel", "PUT")) == 1
    assert result.cost_usd == pytest.approx(usd)


# -- schemas -----------------------------------------------------------------------------------


def described(properties: dict[str, Any]) -> Any:
    post = {"requestBody": {"content": {"application/json": {"schema": {"properties": properties}}}}}
    return inputs_from("fal-ai/odd", {"paths": {"/": {"post": post}}})


def test_size_without_the_shape_is_refused() -> None:
    inputs = described({"image_size": {"enum": ["square_hd", "landscape_16_9"]}})
    assert shape_of(inputs, "16:9") == {"image_size": "landscape_16_9"}
    with pytest.raises(UnsupportedRatio, match="1:1 or 16:9"):
        shape_of(inputs, "4:5")


@pytest.mark.parametrize("schema", [{"paths": {}}, {"paths": {"/": {"post": {}}}}, {"paths": {"/": []}}])
def test_schema_of_another_shape_is_corrupt(schema: Any) -> None:
    with pytest.raises(CorruptOutput):
        inputs_from("fal-ai/odd", schema)
