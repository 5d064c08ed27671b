"""A job of a clip through litellm: how it is polled, fetched, charged once and settled when it is left."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.fakes.reports import reserved, seen_by, shown
from tests.fakes.running import addresses, close_litellm_clients
from tests.fakes.state import GOOD_KEY, State

from impasto import PaidCall
from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.litellm.video.adapter import LiteLLMVideo
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pauses")]
MODELS = {"gemini": "veo-3.1-fast-generate-001", "runwayml": "gen4.5"}
USD = {"gemini": 0.8, "runwayml": 0.6}
WAITING, DOWNLOADING = (0.05, "Sent; waiting for the model"), (0.9, "Downloading the clip")


class OpenContext(FakeContext):
    """A context that keeps the calls which were reserved."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(**facts)
        self.paid: list[PaidCall] = []

    @asynccontextmanager
    async def reserve(self, usd: float | None, **facts: Any) -> AsyncIterator[PaidCall]:
        async with super().reserve(usd, **facts) as call:
            self.paid.append(call)
            yield call


@pytest.fixture
async def context(fakes: State) -> Any:
    yield OpenContext(credentials=dict.fromkeys(MODELS, GOOD_KEY), configuration=addresses(fakes))
    await close_litellm_clients()


async def film(context: FakeContext, provider: str = "runwayml", **facts: Any) -> VideoResult:
    asked = {"model": MODELS[provider], "duration": 8 if provider == "gemini" else 5} | facts
    request = VideoRequest(prompt="A can opens", aspect_ratio="16:9", **asked)
    return await LiteLLMVideo(provider).generate(request, seen_by(context))


@pytest.mark.parametrize("provider", MODELS)
async def test_clip_is_polled_at_a_slower_pace_and_charged(
    fakes: State, context: FakeContext, pauses: list[float], provider: str
) -> None:
    fakes.polls = 5
    result = await film(context, provider)
    assert pauses == [3.0, 4.5, 6.75, 10.0, 10.0]
    assert (result.provider, result.model) == (provider, MODELS[provider])
    assert (result.usd, result.is_charged) == (pytest.approx(USD[provider]), True)
    assert result.video.media_type == "video/mp4"
    assert shown(context) == [WAITING, DOWNLOADING]
    assert context.memory["video charged"] is True
    assert reserved(context) == [pytest.approx(USD[provider])]
    assert context.spent == pytest.approx(USD[provider])


async def test_later_attempt_goes_on_with_the_job_and_pays_nothing(
    fakes: State, context: FakeContext
) -> None:
    first = await film(context)
    second = await film(context)
    assert (second.usd, second.is_charged) == (first.usd, True)
    assert reserved(context) == [first.usd, 0.0]
    assert context.spent == first.usd
    assert len(fakes.predictions) == 1


async def test_poll_may_fail_four_times_in_a_row(fakes: State, context: FakeContext) -> None:
    fakes.polls = 2
    fakes.misbehave("answer", times=4, on="/tasks/", status=503, body="{}")
    fakes.misbehave("answer", times=4, on="/tasks/", status=503, body="{}", after=1)
    assert (await film(context)).usd == pytest.approx(0.6)
    assert len(fakes.predictions) == 1


async def test_job_that_cannot_be_followed_counts_as_spent_and_is_continued(
    fakes: State, context: FakeContext
) -> None:
    fakes.misbehave("answer", times=5, on="/tasks/", status=503, body="{}")
    with pytest.raises(ProviderError) as raised:
        await film(context)
    assert raised.value.code == "provider_unavailable"
    assert len(fakes.requests("/tasks/", "GET")) == 5
    assert context.spent == pytest.approx(0.6)
    await film(context)
    assert len(fakes.predictions) == 1


async def test_poll_that_is_refused_is_not_repeated(fakes: State, context: FakeContext) -> None:
    fakes.misbehave("answer", times=9, on="/tasks/", status=401, body="{}")
    with pytest.raises(ProviderError) as raised:
        await film(context)
    assert raised.value.code == "wrong_credential"
    assert len(fakes.requests("/tasks/", "GET")) == 1
    assert context.spent == pytest.approx(0.6)


async def test_poll_of_a_paid_job_that_is_refused_costs_nothing(fakes: State, context: FakeContext) -> None:
    await film(context)
    fakes.misbehave("answer", times=9, on="/tasks/", status=401, body="{}")
    with pytest.raises(ProviderError):
        await film(context)
    assert context.spent == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("state", "code", "detail"),
    [
        ({"status": "FAILED", "failure": "It broke"}, "generation_failed", "It broke"),
        ({"status": "FAILED", "failure": "Flagged by SAFETY"}, "moderated", "Flagged by SAFETY"),
        ({"status": "FAILED", "failure": "Sensitive content"}, "moderated", "Sensitive content"),
        ({"status": "FAILED", "failure": "Refused by moderation"}, "moderated", "Refused by moderation"),
        ({"status": "FAILED", "failure": "See the content policy"}, "moderated", "See the content policy"),
        ({"status": "CANCELLED"}, "generation_failed", "failed"),
    ],
)
async def test_job_without_a_clip_is_free_and_another_one_may_follow(
    fakes: State, context: FakeContext, state: dict[str, Any], code: str, detail: str
) -> None:
    body = {"id": "task0", "createdAt": "2026-01-01T00:00:00Z"} | state
    fakes.misbehave("answer", on="/tasks/", status=200, body=json.dumps(body))
    with pytest.raises(ProviderError) as raised:
        await film(context)
    assert (raised.value.code, raised.value.provider) == (code, "runwayml")
    assert detail in str(raised.value.detail)
    assert context.spent == 0
    await film(context)
    assert len(fakes.predictions) == 2


async def test_clip_that_is_not_there_yet_is_fetched_after_a_moment(
    fakes: State, context: FakeContext, pauses: list[float]
) -> None:
    fakes.polls = 0
    fakes.misbehave("answer", times=2, on="/outputs/", status=404, body="not yet")
    await film(context)
    assert pauses == [0.25, 1.0]
    fakes.reset()
    fakes.misbehave("answer", times=3, on="/outputs/", status=404, body="not yet")
    with pytest.raises(ProviderError) as raised:
        await film(FakeContext(credentials={"runwayml": GOOD_KEY}, configuration=addresses(fakes)))
    assert raised.value.code == "provider_unavailable"


async def test_job_without_an_id_is_a_damaged_answer(fakes: State, context: FakeContext) -> None:
    fakes.misbehave("answer", on="_to_video", status=200, body='{"id": ""}')
    with pytest.raises(ProviderError) as raised:
        await film(context)
    assert raised.value.code == "corrupt_output"
    assert context.spent == pytest.approx(0.6)


async def test_model_without_a_price_costs_nothing_that_is_known(fakes: State, context: FakeContext) -> None:
    result = await film(context, model="gen9")
    assert (result.usd, reserved(context), context.spent) == (0.0, [None], 0)


@pytest.mark.parametrize(
    ("facts", "is_abandoned", "usd"),
    [({}, False, 0.6), ({"model": "gen9"}, False, 0.0), ({}, True, 0.0)],
    ids=["cancelled", "without a price", "abandoned"],
)
async def test_job_of_a_cancelled_step_is_paid_unless_another_process_goes_on(
    fakes: State, context: OpenContext, facts: dict[str, Any], is_abandoned: bool, usd: float
) -> None:
    fakes.polls = None
    context.abandoned = is_abandoned
    step = asyncio.ensure_future(film(context, **facts))
    while not fakes.requests("/tasks/", "GET"):
        assert not step.done()
        await asyncio.sleep(0)
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert context.spent == pytest.approx(usd)
    (call,) = context.paid
    assert (call.is_settled, call.is_left_open) == (True, is_abandoned)


async def test_cancelled_look_at_a_paid_job_costs_nothing(fakes: State, context: OpenContext) -> None:
    await film(context)
    fakes.polls, asked = None, len(fakes.requests("/tasks/", "GET"))
    step = asyncio.ensure_future(film(context))
    async with asyncio.timeout(20):
        while len(fakes.requests("/tasks/", "GET")) == asked:
            assert not step.done()
            await asyncio.sleep(0)
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert context.spent == pytest.approx(0.6)
    assert [(call.is_settled, call.is_left_open) for call in context.paid] == [(True, False)] * 2


@pytest.mark.parametrize(
    "reason",
    [
        "No response data",
        "Generation failed",
        "1 validation error",
        "list index out of range",
        "Url not found",
    ],
)
async def test_poll_that_fails_because_the_job_has_no_clip_ends_it(
    fakes: State, context: OpenContext, reason: str
) -> None:
    fakes.misbehave("answer", on="/tasks/", status=400, body=json.dumps({"error": reason}))
    with pytest.raises(ProviderError) as raised:
        await film(context)
    assert raised.value.code == "generation_failed"
    assert len(fakes.requests("/tasks/", "GET")) == 1
    assert context.spent == 0
    assert context.memory["video job"] is None
