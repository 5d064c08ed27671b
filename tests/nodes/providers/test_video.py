"""Video through litellm: a job is paid once, and every fault has its code."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.media import png
from tests.fakes.running import error_of, run
from tests.fakes.state import GOOD_KEY, POOR_KEY, State

from impasto import Image, MemoryStore
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge
from impasto_nodes.providers.litellm.lazy_import import library
from impasto_nodes.providers.litellm.video import adapter as video
from impasto_nodes.providers.litellm.video.clients import Connection
from impasto_nodes.providers.litellm.video.files import clip_address, fetch_clip

pytestmark = pytest.mark.anyio
MODELS = {"gemini": "veo-3.1-fast-generate-001", "runwayml": "gen4.5"}
SECONDS = {"gemini": 8, "runwayml": 5}
PRICES = {"gemini": 0.8, "runwayml": 0.6}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(video, "MAX_POLL_SECONDS", 0.01)
    monkeypatch.setattr(video, "_DOWNLOAD_DELAYS_SECONDS", (0.01, 0.01))


async def film(provider: str = "gemini", **settings: Any) -> Any:
    inputs = settings.pop("inputs", {"prompt": "A can opens"})
    run_options: dict[str, Any] = {
        name: settings.pop(name) for name in ("key", "store", "options") if name in settings
    }
    given: dict[str, Any] = {
        "provider": provider,
        "model": MODELS[provider],
        "duration": SECONDS[provider],
    } | settings
    return await run("video_generation", inputs, **run_options, **given)


def jobs(fakes: State) -> list[Any]:
    """The requests that create a job."""
    posts = [one for one in fakes.seen if one.method == "POST"]
    return [one for one in posts if "LongRunning" in one.path or "_to_video" in one.path]


@pytest.mark.parametrize("provider", MODELS)
async def test_clip_is_made_stored_and_paid_for_once(fakes: State, provider: str) -> None:
    fakes.polls = 2
    result = await film(provider, aspect_ratio="9:16")
    (clip,) = [result.outputs["it.output"]]
    assert clip.media_type == "video/mp4"
    assert len(jobs(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES[provider])
    body = json.dumps(jobs(fakes)[0].body)
    assert ("9:16" if provider == "gemini" else "720:1280") in body


@pytest.mark.parametrize("provider", MODELS)
async def test_clip_begins_with_the_image(fakes: State, provider: str) -> None:
    store = MemoryStore()
    kept = await store.put(png(), "image/png")
    inputs = {"prompt": "It opens", "picture": Image(asset_id=kept.asset_id)}
    result = await film(provider, store=store, inputs=inputs)
    assert result.status == "finished", result.steps["it"].error
    body = jobs(fakes)[0].body
    assert body["instances"][0]["image"] if provider == "gemini" else body["promptImage"]


async def test_setting_of_the_model_is_sent_and_others_are_refused(fakes: State) -> None:
    await film(more={"negativePrompt": "rain"})
    assert jobs(fakes)[0].body["parameters"]["negativePrompt"] == "rain"
    assert error_of(await film(more={"api_base": "http://elsewhere"})).code == "bad_request"
    assert len(jobs(fakes)) == 1


REFUSED = [
    ("wrong_credential", {"key": "wrong-key-999999"}, ()),
    ("no_credit", {"key": POOR_KEY}, ()),
    ("unknown_model", {"model": "veo-9"}, ()),
    ("moderated", {}, ("moderation", 9)),
    ("bad_request", {}, ("reject", 9)),
    ("rate_limited", {}, ("rate_limit", 9)),
    ("provider_unavailable", {}, ("unavailable", 9)),
    ("provider_unavailable", {}, ("server_error", 9)),
    ("unsupported_ratio", {"model": "veo-9", "aspect_ratio": "4:5"}, ()),
]


@pytest.mark.parametrize(("code", "settings", "fault"), REFUSED)
async def test_refused_job_has_its_code_and_costs_nothing(
    fakes: State, code: str, settings: dict[str, Any], fault: tuple[Any, ...]
) -> None:
    if fault:
        fakes.misbehave(fault[0], times=fault[1], on="LongRunning", retry_after=0.01)
    result = await film(**settings)
    error = error_of(result)
    assert error.code == code
    assert result.steps["it"].cost_usd == 0
    assert len(fakes.predictions) == 0
    assert GOOD_KEY not in str(error.detail)


async def test_busy_service_is_asked_again_by_the_step_alone(fakes: State) -> None:
    fakes.misbehave("unavailable", times=2, on="LongRunning", retry_after=0.01)
    assert (await film()).status == "finished"
    assert len(jobs(fakes)) == 3


@pytest.mark.parametrize(("kind", "code"), [("lost", "stream_dropped"), ("bad_json", "corrupt_output")])
async def test_request_whose_answer_is_lost_is_not_sent_again(fakes: State, kind: Any, code: str) -> None:
    fakes.misbehave(kind, times=9, on="LongRunning")
    result = await film()
    assert error_of(result).code == code
    assert len(jobs(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES["gemini"])


async def test_request_without_an_answer_in_time_is_not_sent_again(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(video, "_TIMEOUT_SECONDS", 0.3)
    fakes.misbehave("slow", times=9, on="LongRunning")
    result = await film()
    assert error_of(result).code == "provider_timeout"
    assert len(jobs(fakes)) == 1


@pytest.mark.parametrize("kind", ["server_error", "unavailable", "rate_limit", "bad_json"])
async def test_poll_that_fails_is_repeated(fakes: State, kind: Any) -> None:
    fakes.misbehave(kind, times=3, on="/operations/", retry_after=0.01)
    result = await film()
    assert result.status == "finished"
    assert len(jobs(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES["gemini"])


async def test_job_that_cannot_be_followed_counts_as_paid_and_is_continued_by_a_retry(fakes: State) -> None:
    fakes.misbehave("unavailable", times=7, on="/operations/", retry_after=0.01)
    result = await film()
    assert result.status == "finished"
    assert len(jobs(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES["gemini"])


FAILURES = [
    ("gemini", "Internal error", "generation_failed"),
    ("runwayml", "The task broke", "generation_failed"),
    ("runwayml", "SAFETY.INPUT.TEXT: the prompt did not pass moderation", "moderated"),
]


@pytest.mark.parametrize(("provider", "reason", "code"), FAILURES)
async def test_failed_job_has_its_code_and_costs_nothing(
    fakes: State, provider: str, reason: str, code: str
) -> None:
    fakes.fails_with = reason
    result = await film(provider)
    assert error_of(result).code == code
    assert result.steps["it"].cost_usd == 0
    assert len(jobs(fakes)) == 1


async def test_clip_that_is_withheld_is_moderated(fakes: State) -> None:
    fakes.output_shape = '{"raiMediaFilteredCount": 1, "raiMediaFilteredReasons": ["a face"]}'
    result = await film()
    assert error_of(result).code == "moderated"
    assert result.steps["it"].cost_usd == 0


@pytest.mark.parametrize("kind", ["corrupt", "empty"])
async def test_damaged_clip_is_corrupt_and_paid_once(fakes: State, kind: Any) -> None:
    fakes.misbehave(kind, times=9, on="/files/")
    result = await film()
    assert error_of(result).code == "corrupt_output"
    assert len(jobs(fakes)) == 1
    assert result.steps["it"].cost_usd == pytest.approx(PRICES["gemini"])


@pytest.mark.parametrize("provider", MODELS)
async def test_clip_that_is_too_large_has_its_code(
    fakes: State, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    monkeypatch.setattr(video, "MAX_BYTES", 500)
    assert error_of(await film(provider)).code == "output_too_large"


@dataclass
class Downloading:
    """As much of a context as a download needs."""

    http: httpx.AsyncClient


LOCATIONS = {
    "https://generativelanguage.googleapis.com/clip": "https://generativelanguage.googleapis.com/moved",
    "https://generativelanguage.googleapis.com/moved": "https://files.test/clip",
    "http://generativelanguage.googleapis.com/clip": "https://files.test/clip",
    "https://files.test/first": "https://files.test/clip",
}


@pytest.mark.parametrize("start", [url for url in LOCATIONS if "moved" not in url])
async def test_key_goes_to_the_service_only(tmp_path: Path, start: str) -> None:
    has_key: dict[str, bool] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        has_key[str(request.url)] = "x-goog-api-key" in request.headers
        found = LOCATIONS.get(str(request.url))
        return (
            httpx.Response(302, headers={"location": found})
            if found
            else httpx.Response(200, content=b"clip")
        )

    access = Access(provider="gemini", key=GOOD_KEY)
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        context: Any = Downloading(http)
        path = await fetch_clip(start, tmp_path / "clip", access, context, 100)
    assert path.read_bytes() == b"clip"
    own = "https://generativelanguage.googleapis.com/"
    assert has_key == {url: url.startswith(own) for url in has_key}
    assert has_key["https://files.test/clip"] is False


async def test_clip_of_any_service_is_read_to_its_limit_only(tmp_path: Path) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1000
            yield bytes(1000)

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=endless())

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        context: Any = Downloading(http)
        with pytest.raises(OutputTooLarge):
            await fetch_clip(
                "https://cdn.test/c", tmp_path / "c", Access(provider="runwayml", key=""), context, 100_000
            )
    assert read < 400_000


@pytest.mark.parametrize(
    ("provider", "job"),
    [
        ("gemini", {"response": [1]}),
        ("gemini", {"response": {"generateVideoResponse": {"generatedSamples": [{"video": "x"}]}}}),
        ("gemini", {"response": {"generateVideoResponse": {"generatedSamples": [{}]}}}),
        ("runwayml", {"output": {"url": "x"}}),
    ],
)
async def test_job_of_another_shape_is_a_damaged_answer(provider: str, job: Any) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=job))
    async with httpx.AsyncClient(transport=transport) as http:
        context: Any = Downloading(http)
        with pytest.raises(CorruptOutput):
            await clip_address("a", Access(provider=provider, key=""), context)


async def test_client_never_sends_a_request_twice(fakes: State) -> None:
    connection = Connection(await library())
    fakes.misbehave("lost", on="LongRunning")
    path = "/gemini/v1beta/models/veo-3.1-fast-generate-001:predictLongRunning"
    body = {"instances": [{"prompt": "A can"}], "parameters": {"durationSeconds": 8}}
    with pytest.raises(Exception, match="connection was lost"):
        await connection.client.post(fakes.url + path, json=body, headers={"x-goog-api-key": GOOD_KEY})
    assert len(jobs(fakes)) == 1
    assert connection.failure is not None
    await connection.client.close()
