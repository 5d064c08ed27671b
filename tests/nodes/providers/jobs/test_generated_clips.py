"""A clip's job goes on in later attempts, and is charged whatever becomes of the step."""

import asyncio
import base64
from collections.abc import Iterable

import pytest
from tests.fakes.media import mp4
from tests.fakes.reports import reservations, seen_by, shown

from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import (
    BadRequest,
    CorruptOutput,
    GenerationFailed,
    ProviderError,
    TimedOut,
    Unavailable,
)
from impasto_nodes.providers.jobs import clips
from impasto_nodes.providers.jobs.clips import Clip, Ended, Unfinished, generate_clip
from impasto_nodes.providers.protocols import VideoRequest, VideoResult

pytestmark = pytest.mark.anyio
URL = f"data:video/mp4;base64,{base64.b64encode(mp4()).decode()}"
REQUEST = VideoRequest(model="m", prompt="A can")
State = Clip | Unfinished | Exception
"""What a look at a job gives."""
FAILED = GenerationFailed("xai", "m")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clips, "FIRST_POLL_SECONDS", 0.0)


class Service:
    """A service that answers from a list; a further look would wait for good."""

    def __init__(self, states: Iterable[State], create: Exception | None = None) -> None:
        self.states, self.error = list(states), create
        self.created: list[str] = []
        self.looked: list[str] = []
        self.waits = asyncio.Event()

    async def create(self) -> str:
        self.created.append(f"job-{len(self.created) + 1}")
        if self.error is not None:
            raise self.error
        return self.created[-1]

    async def look(self, job_id: str) -> Clip | Unfinished:
        self.looked.append(job_id)
        if not self.states:
            self.waits.set()
            await asyncio.Event().wait()
        state = self.states.pop(0)
        if isinstance(state, Exception):
            raise state
        return state


async def generate(service: Service, context: FakeContext, usd: float | None = 0.5) -> VideoResult:
    access = Access(provider="xai", key="k")
    return await generate_clip(service, REQUEST, access, usd, seen_by(context))


async def test_clip_is_stored_and_the_step_shows_how_far_it_is(context: FakeContext) -> None:
    states = [Unfinished(0.5), Unfinished(), Unfinished(-1), Unfinished(7), Clip(URL)]
    result = await generate(Service(states), context)
    assert (result.provider, result.model, result.usd, result.is_charged) == ("xai", "m", 0.5, True)
    assert (result.video.media_type, result.video.width) == ("video/mp4", 64)
    assert [message for _, message in shown(context)] == [
        "Sent; waiting for the model",
        "The model is working",
        "The model is working",
        "The model is working",
        "Downloading the clip",
    ]
    assert [fraction for fraction, _ in shown(context)] == pytest.approx([0.05, 0.475, 0.05, 0.9, 0.9])
    assert context.spent == 0.5


@pytest.mark.parametrize(
    ("usd", "said", "spent", "stated"),
    [(0.5, None, 0.5, 0.5), (0.5, 0.75, 0.75, 0.5), (None, None, 0.0, 0.0), (None, 0.25, 0.25, 0.0)],
)
async def test_clip_costs_what_the_service_says_else_its_price(
    context: FakeContext, usd: float | None, said: float | None, spent: float, stated: float
) -> None:
    result = await generate(Service([Clip(URL, said)]), context, usd)
    assert context.spent == spent
    assert result.usd == stated


async def test_later_attempt_looks_at_the_same_job_and_pays_nothing_again(context: FakeContext) -> None:
    await generate(Service([Clip(URL)]), context)
    again = Service([Clip(URL)])
    await generate(again, context)
    assert (again.created, again.looked) == ([], ["job-1"])
    assert context.spent == 0.5
    assert reservations(context) == [(0.5, None, "video"), (0.0, None, "video")]


@pytest.mark.parametrize(("usd", "spent"), [(0.0, 0.0), (None, 0.5), (0.25, 0.25), (1.0, 1.0)])
async def test_job_that_ends_without_a_clip_costs_what_it_says_and_another_one_may_follow(
    context: FakeContext, usd: float | None, spent: float
) -> None:
    with pytest.raises(GenerationFailed):
        await generate(Service([Ended(FAILED, usd)]), context)
    assert context.spent == spent
    following = Service([Clip(URL)])
    await generate(following, context)
    assert len(following.created) == 1
    assert context.spent == spent + 0.5


@pytest.mark.parametrize("error", [Unavailable("xai"), CorruptOutput("xai", "an answer")])
async def test_look_that_fails_in_passing_is_repeated_four_times(
    context: FakeContext, error: ProviderError
) -> None:
    await generate(Service([*[error] * 4, Clip(URL)]), context)
    assert context.spent == 0.5
    service = Service([error] * 5)
    with pytest.raises(type(error)):
        await generate(service, FakeContext())
    assert len(service.looked) == 5


async def test_look_that_is_refused_is_not_repeated_and_the_job_is_charged(context: FakeContext) -> None:
    service = Service([BadRequest("xai")])
    with pytest.raises(BadRequest):
        await generate(service, context)
    assert len(service.looked) == 1
    assert context.spent == 0.5


@pytest.mark.parametrize(("error", "spent"), [(BadRequest("xai"), 0.0), (TimedOut("xai"), 0.5)])
async def test_request_counts_as_paid_only_if_its_job_may_exist(
    context: FakeContext, error: ProviderError, spent: float
) -> None:
    with pytest.raises(type(error)):
        await generate(Service([], error), context)
    assert context.spent == spent


@pytest.mark.parametrize(("abandoned", "spent"), [(False, 0.5), (True, 0.0)])
async def test_cancelled_step_pays_for_its_job_unless_another_process_goes_on(
    context: FakeContext, abandoned: bool, spent: float
) -> None:
    service = Service([])
    context.abandoned = abandoned
    step = asyncio.ensure_future(generate(service, context))
    await service.waits.wait()
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert context.spent == spent
    assert context.memory["video job"] == "job-1"
    following = Service([Clip(URL)])
    await generate(following, context)
    assert (following.created, following.looked, context.spent) == ([], ["job-1"], 0.5)


async def test_looks_are_further_and_further_apart_up_to_the_longest_wait(
    context: FakeContext, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clips, "FIRST_POLL_SECONDS", 2.0)
    monkeypatch.setattr(clips, "MAX_POLL_SECONDS", 5.0)
    error = Unavailable("xai")
    await generate(Service([*[Unfinished()] * 4, *[error] * 4, Clip(URL)]), context)
    assert pauses == [2.0, 3.0, 4.5, 5.0] * 2


async def test_lost_request_is_paid_beside_one_that_cost_without_a_clip(context: FakeContext) -> None:
    with pytest.raises(GenerationFailed):
        await generate(Service([Ended(FAILED, None)]), context)
    with pytest.raises(TimedOut):
        await generate(Service([], TimedOut("xai")), context)
    assert context.spent == 1.0


async def test_request_whose_answer_was_lost_is_not_sent_again(context: FakeContext) -> None:
    for _ in range(2):
        service = Service([], TimedOut("xai"))
        with pytest.raises(ProviderError) as raised:
            await generate(service, context)
        assert not raised.value.retryable
    assert service.created == []
    assert raised.value.code == "stream_dropped"
    assert context.spent == 0.5
