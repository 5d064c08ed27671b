"""Clips of xAI and MiniMax: a job is paid once, what it costs is known before, every fault has its code."""

import asyncio
import json
from typing import Any

import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, flow_of, installed, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, State

from impasto import Image, MemoryStore, compile, start
from impasto_nodes.providers.jobs import api, clips
from impasto_nodes.providers.validation import problems_with

pytestmark = pytest.mark.anyio
MODELS = {"xai": "grok-imagine-video", "minimax": "MiniMax-Hailuo-2.3"}
PRICES = {"xai": 0.3, "minimax": 0.28}
CREATE = {"xai": "/videos/generations", "minimax": "/v1/video_generation"}
LOOK = {"xai": "/videos/job-", "minimax": "/query/video_generation"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clips, "FIRST_POLL_SECONDS", 0.01)
    monkeypatch.setattr(clips, "MAX_POLL_SECONDS", 0.01)


@pytest.fixture(params=MODELS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def film(provider: str, **settings: Any) -> Any:
    inputs = settings.pop("inputs", {"prompt": "A can opens"})
    given = {"provider": provider, "model": MODELS[provider], "duration": 6}
    return await run("video_generation", inputs, **(given | settings))


async def film_from_image(provider: str, **settings: Any) -> Any:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    picture = Image(asset_id=kept.asset_id, media_type="image/png", width=64, height=64)
    return await film(provider, store=store, inputs={"prompt": "It opens", "picture": picture}, **settings)


def jobs(fakes: State, provider: str) -> list[Any]:
    return fakes.requests(CREATE[provider], "POST")


def estimate(provider: str, **settings: Any) -> float:
    cost = installed()["video_generation"].cost
    given = {"provider": provider, "model": MODELS[provider], "duration": 6} | settings
    return float(cost(given, {}, frozenset({provider}))["usd"])


# -- what is sent, and what it costs -----------------------------------------------------------


async def test_clip_is_made_stored_and_paid_for_once(fakes: State, provider: str) -> None:
    fakes.polls = 3
    result = await film(provider)
    assert result.outputs["it.output"].media_type == "video/mp4"
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider]) == estimate(provider)
    (job,) = jobs(fakes, provider)
    assert job.body == {"model": MODELS[provider], "prompt": "A can opens", "duration": 6} | (
        {"aspect_ratio": "16:9"} if provider == "xai" else {}
    )


async def test_clip_begins_with_the_image_and_has_its_shape(fakes: State, provider: str) -> None:
    result = await film_from_image(provider)
    assert result.status == "finished", result.steps["it"].error
    body = jobs(fakes, provider)[0].body
    image = body["image"]["url"] if provider == "xai" else body["first_frame_image"]
    assert image.startswith("data:image/png;base64,")
    assert "aspect_ratio" not in body
    assert result.steps["it"].cost_usd == pytest.approx({"xai": 0.302, "minimax": 0.28}[provider])


@pytest.mark.parametrize(
    ("provider", "settings", "usd"),
    [
        ("xai", {"more": {"resolution": "720p"}}, 0.42),
        ("xai", {"model": "grok-imagine-video-1.5", "more": {"resolution": "1080p"}}, 1.5),
        ("xai", {"model": "grok-imagine-video-1.5", "more": {"generate_audio": False}}, 0.48),
        ("minimax", {"duration": 10}, 0.56),
        ("minimax", {"more": {"resolution": "1080P", "prompt_optimizer": False}}, 0.49),
    ],
)
async def test_resolution_and_length_are_estimated_and_charged(
    fakes: State, provider: str, settings: dict[str, Any], usd: float
) -> None:
    result = await film(provider, **settings)
    assert result.status == "finished", result.steps["it"].error
    assert result.steps["it"].cost_usd == pytest.approx(usd)
    assert estimate(provider, **settings) == pytest.approx(usd)
    assert jobs(fakes, provider)[0].body.items() >= settings.get("more", {}).items()


async def test_what_xai_says_that_a_clip_costs_is_charged(fakes: State) -> None:
    video = {"url": f"{fakes.url}/xai/outputs/a.mp4", "respect_moderation": True}
    done = {"status": "done", "video": video, "usage": {"cost_in_usd_ticks": 9_000_000_000}}
    fakes.misbehave("answer", on=LOOK["xai"], status=200, body=json.dumps(done))
    assert (await film("xai")).steps["it"].cost_usd == pytest.approx(0.9)


IMPOSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    ("unsupported_ratio", "xai", {"aspect_ratio": "21:9"}),
    ("unsupported_duration", "xai", {"duration": 16}),
    ("unsupported_ratio", "minimax", {"aspect_ratio": "9:16"}),
    ("unsupported_duration", "minimax", {"duration": 5}),
    ("unsupported_duration", "minimax", {"duration": 10, "more": {"resolution": "1080P"}}),
]


@pytest.mark.parametrize(("code", "provider", "settings"), IMPOSSIBLE)
def test_what_the_model_does_not_make_is_a_problem_of_the_node(
    code: str, provider: str, settings: dict[str, Any]
) -> None:
    given = {"provider": provider, "model": MODELS[provider], "duration": 6, "aspect_ratio": "16:9"}
    (problem,) = problems_with("video", given | settings, frozenset({provider}))
    assert (problem["code"], problem["severity"]) == (code, "error")


REFUSED_HERE: list[tuple[str, str, dict[str, Any]]] = [
    ("unsupported", "minimax", {"model": "MiniMax-Hailuo-2.3-Fast"}),
    ("bad_request", "xai", {"more": {"generate_audio": True}}),
    ("bad_request", "minimax", {"more": {"callback_url": "http://elsewhere"}}),
    ("text_too_long", "minimax", {"inputs": {"prompt": "A can. " * 300}}),
    ("price_unknown", "xai", {"model": "grok-imagine-video-9", "options": {"budget_usd": 9.0}}),
]


@pytest.mark.parametrize(("code", "provider", "settings"), REFUSED_HERE)
async def test_what_cannot_be_sent_is_refused_before_anything_is_paid(
    fakes: State, code: str, provider: str, settings: dict[str, Any]
) -> None:
    assert error_of(await film(provider, **settings)).code == code
    assert not fakes.seen


async def test_run_whose_budget_is_too_small_asks_for_nothing(fakes: State, provider: str) -> None:
    result = await film(provider, options={"budget_usd": 0.2})
    assert (result.status, result.steps["it"].reason) == ("failed", "budget")
    assert not fakes.seen


# -- faults when a job is created --------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("wrong_credential", {"key": "wrong-key-999999"}, ""),
    ("no_credit", {"key": POOR_KEY}, ""),
    ("unknown_model", {"model": "grok-9"}, ""),
    ("bad_request", {"more": {"resolution": "9p"}}, ""),
    ("moderated", {}, "moderation"),
    ("rate_limited", {}, "rate_limit"),
    ("provider_unavailable", {}, "unavailable"),
    ("provider_unavailable", {}, "server_error"),
]


@pytest.mark.parametrize(("code", "settings", "fault"), REFUSED)
async def test_refused_job_has_its_code_and_costs_nothing(
    fakes: State, provider: str, code: str, settings: dict[str, Any], fault: Any
) -> None:
    if fault:
        fakes.misbehave(fault, times=9, on=CREATE[provider], retry_after=0.01)
    result = await film(provider, **settings)
    error = error_of(result)
    assert (error.code, error.provider) == (code, provider)
    assert result.steps["it"].cost_usd == 0
    assert not fakes.predictions
    assert settings.get("key", GOOD_KEY) not in f"{error.message}{error.detail}"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (1002, "rate_limited"), (1041, "rate_limited"), (2045, "rate_limited"), (1004, "wrong_credential"),
        (2049, "wrong_credential"), (1008, "no_credit"), (2056, "no_credit"), (1026, "moderated"),
        (1039, "text_too_long"), (1042, "bad_request"), (2013, "bad_request"), (2061, "missing_permission"),
        (1000, "provider_unavailable"), (1013, "provider_unavailable"), (1024, "provider_unavailable"),
    ],
)  # fmt: skip
async def test_refusal_in_an_answer_of_200_has_its_code(fakes: State, number: int, code: str) -> None:
    body = json.dumps({"task_id": "", "base_resp": {"status_code": number, "status_msg": "refused"}})
    fakes.misbehave("answer", times=9, on=CREATE["minimax"], status=200, body=body)
    result = await film("minimax")
    assert error_of(result).code == code
    assert result.steps["it"].cost_usd == 0


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (400, "Incorrect API key provided: xai-…", "wrong_credential"),
        (401, "Invalid or expired credentials", "wrong_credential"),
        (403, "Your newly created team doesn't have any credits yet.", "no_credit"),
        (403, "This key may not use the endpoint.", "missing_permission"),
        (403, "Content violates usage guidelines.", "moderated"),
        (429, "Too many requests", "rate_limited"),
        (422, "unknown field", "bad_request"),
    ],
)
async def test_refusal_of_xai_has_its_code(fakes: State, status: int, said: str, code: str) -> None:
    body = json.dumps({"code": "refused", "error": said})
    fakes.misbehave("answer", times=9, on=CREATE["xai"], status=status, body=body)
    result = await film("xai")
    assert error_of(result).code == code
    assert result.steps["it"].cost_usd == 0


@pytest.mark.parametrize(
    ("kind", "code"),
    [("lost", "stream_dropped"), ("hang_up", "stream_dropped"), ("bad_json", "corrupt_output")],
)
async def test_job_whose_answer_is_lost_is_not_created_again_and_counts_as_paid(
    fakes: State, provider: str, kind: Any, code: str
) -> None:
    fakes.misbehave(kind, times=9, on=CREATE[provider])
    result = await film(provider)
    assert error_of(result).code == code
    assert len(jobs(fakes, provider)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider])


@pytest.mark.parametrize("status", [502, 504])
async def test_gateway_that_may_have_passed_it_on_is_not_asked_again(
    fakes: State, provider: str, status: int
) -> None:
    fakes.misbehave("answer", times=9, on=CREATE[provider], status=status, body="<html>nginx</html>")
    assert error_of(await film(provider)).code == "stream_dropped"
    assert len(jobs(fakes, provider)) == 1


async def test_service_without_an_answer_in_time_is_not_asked_again(
    fakes: State, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "TIMEOUT_SECONDS", 0.3)
    fakes.misbehave("slow", times=9, on=CREATE[provider])
    assert error_of(await film(provider)).code == "provider_timeout"
    assert len(jobs(fakes, provider)) == 1


async def test_busy_service_is_asked_again_by_the_step_alone(fakes: State, provider: str) -> None:
    fakes.misbehave("unavailable", times=2, on=CREATE[provider], retry_after=0.01)
    assert (await film(provider)).status == "finished"
    assert len(jobs(fakes, provider)) == 3


# -- faults after a job was created ------------------------------------------------------------


@pytest.mark.parametrize("kind", ["server_error", "unavailable", "rate_limit", "bad_json", "hang_up"])
async def test_poll_that_fails_is_repeated(fakes: State, provider: str, kind: Any) -> None:
    fakes.misbehave(kind, times=3, on=LOOK[provider], retry_after=0.01)
    result = await film(provider)
    assert result.status == "finished", result.steps["it"].error
    assert len(jobs(fakes, provider)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider])


async def test_job_that_cannot_be_followed_counts_as_paid_and_is_continued_by_a_retry(
    fakes: State, provider: str
) -> None:
    fakes.misbehave("unavailable", times=7, on=LOOK[provider], retry_after=0.01)
    result = await film(provider)
    assert result.status == "finished"
    assert len(jobs(fakes, provider)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider])


async def test_file_whose_address_is_refused_is_asked_for_again_and_paid_once(fakes: State) -> None:
    fakes.misbehave("unavailable", times=7, on="/files/retrieve", retry_after=0.01)
    result = await film("minimax")
    assert result.status == "finished", result.steps["it"].error
    assert len(jobs(fakes, "minimax")) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES["minimax"])


async def test_job_that_failed_costs_nothing(fakes: State, provider: str) -> None:
    fakes.fails_with = "internal error"
    result = await film(provider)
    assert error_of(result).code == "generation_failed"
    assert result.steps["it"].cost_usd == 0


@pytest.mark.parametrize(("provider", "usd"), [("xai", 0.3), ("minimax", 0.0)])
async def test_withheld_clip_is_moderated_and_costs_what_the_service_bills(
    fakes: State, provider: str, usd: float
) -> None:
    fakes.misbehave("withheld", times=9)
    result = await film(provider)
    assert error_of(result).code == "moderated"
    assert result.steps["it"].cost_usd == pytest.approx(usd)


@pytest.mark.parametrize("kind", ["corrupt", "empty"])
async def test_damaged_file_is_corrupt_and_paid_once(fakes: State, provider: str, kind: Any) -> None:
    fakes.misbehave(kind, times=9, on="/outputs/")
    result = await film(provider)
    assert error_of(result).code == "corrupt_output"
    assert len(jobs(fakes, provider)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider])


async def test_file_whose_download_breaks_off_is_fetched_again(fakes: State, provider: str) -> None:
    fakes.misbehave("disconnect", times=2, on="/outputs/")
    result = await film(provider)
    assert result.status == "finished", result.steps["it"].error
    assert len(jobs(fakes, provider)) == 1
    assert not any("authorization" in one.headers for one in fakes.requests("/outputs/"))


async def test_job_of_a_cancelled_run_is_paid_because_it_cannot_be_stopped(
    fakes: State, provider: str
) -> None:
    fakes.polls = None
    given = {"provider": provider, "model": MODELS[provider], "duration": 6}
    plan = compile(flow_of("video_generation", given, {"prompt": "A can opens"}), installed())

    async def credentials(_: str) -> str:
        return GOOD_KEY

    async with (
        asyncio.timeout(30),
        start(plan, {}, store=MemoryStore(), credentials=credentials, reuse="none") as live,
    ):
        while len(fakes.requests(LOOK[provider], "GET")) < 2:
            await asyncio.sleep(0.01)
        result = await live.cancel()
    assert len(jobs(fakes, provider)) == 1
    assert result.cost_usd == pytest.approx(PRICES[provider])
