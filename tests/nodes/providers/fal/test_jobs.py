"""A request in fal's queue: followed, charged once, and settled when the step is cancelled."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to
from tests.fakes.state import Kind, State

from impasto import PaidCall
from impasto.testing import FakeContext
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, Moderated, ProviderError
from impasto_nodes.providers.fal import jobs
from impasto_nodes.providers.fal.connection import Connection, connected
from impasto_nodes.providers.fal.jobs import Job
from impasto_nodes.providers.fal.platform import Price
from impasto_nodes.providers.fal.prices import JobPrice
from impasto_nodes.providers.jobs.bill import Bill

pytestmark = pytest.mark.anyio
MODEL = "fal-ai/flux/schnell"


class Asking:
    """A step that runs one request after the other; what was charged and which places were shown."""

    def __init__(self, connection: Connection, access: Access) -> None:
        self.connection, self.access = connection, access
        self.context = FakeContext()
        self.charges: list[float] = []
        self.places: list[int] = []
        self.call = PaidCall(None, lambda usd, units, is_assumed: self.charges.append(usd))

    async def urls(self, price: JobPrice | None = None) -> list[str]:
        price = price or JobPrice(0.5)
        bill = Bill(self.call, price.usd, seen_by(self.context))
        return await Job(
            self.connection,
            self.access,
            MODEL,
            {"prompt": "A can", "image_size": "square_hd", "num_images": 1},
            "request",
            bill,
            price,
            seen_by(self.context),
            self.places.append,
        ).output_urls()


@pytest.fixture
async def asking(fakes: State, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Asking]:
    monkeypatch.setattr(jobs, "FIRST_POLL_SECONDS", 0.0)
    access = access_to("fal", fakes)
    context: Any = FakeContext()
    async with connected(access, MODEL, context) as connection:
        yield Asking(connection, access)


def submitted(fakes: State) -> int:
    return len([one for one in fakes.requests("/fal/", "POST") if "/storage/" not in one.path])


async def test_request_is_charged_once_and_later_attempts_follow_the_same_one(
    fakes: State, asking: Asking
) -> None:
    first = await asking.urls()
    assert first == await asking.urls()
    assert submitted(fakes) == 1
    assert asking.charges == [0.5]


@pytest.mark.parametrize(
    ("shape", "urls"),
    [
        ('{"images": [{"url": "http://x/1"}, {"url": "http://x/2"}]}', ["http://x/1", "http://x/2"]),
        ('{"video": {"url": "https://x/1"}, "seed": 7}', ["https://x/1"]),
        (
            '{"image": {"url": "data:image/png;base64,x"}, "has_nsfw_concepts": [false]}',
            ["data:image/png;base64,x"],
        ),
        ('{"output": "https://x/1", "has_nsfw_concepts": []}', ["https://x/1"]),
        ('{"images": [{"url": "http://x/1"}], "has_nsfw_concepts": [true, false]}', ["http://x/1"]),
    ],
)
async def test_outputs_are_read_in_every_shape(
    fakes: State, asking: Asking, shape: str, urls: list[str]
) -> None:
    fakes.output_shape = shape
    assert await asking.urls() == urls


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ('{"seed": 7}', CorruptOutput),
        (json.dumps({"words": "x" * 200}), CorruptOutput),
        ('{"images": []}', CorruptOutput),
        ('{"images": [{"url": "http://x/1"}, {"url": 5}]}', CorruptOutput),
        ('{"images": [{"url": "http://x/1"}, {"url": "ftp://x"}]}', CorruptOutput),
        ('{"images": [{"url": "http://x/1"}], "has_nsfw_concepts": [true]}', Moderated),
    ],
)
async def test_output_without_files_is_paid_and_asked_for_again(
    fakes: State, asking: Asking, shape: str, error: type[ProviderError]
) -> None:
    fakes.output_shape = shape
    with pytest.raises(error) as raised:
        await asking.urls()
    said = "has_nsfw_concepts" if error is Moderated else f"output: {str(json.loads(shape))[:200]}"
    assert (raised.value.detail, raised.value.provider) == (said, "fal")
    assert asking.charges == [0.5]
    fakes.output_shape = None
    await asking.urls()
    assert submitted(fakes) == 2
    assert asking.charges == [0.5, 0.5]


async def test_model_without_a_price_is_charged_as_fal_measures(fakes: State, asking: Asking) -> None:
    await asking.urls(JobPrice(None, Price(0.25, "image")))
    assert asking.charges == [0.25]


async def test_place_in_the_queue_is_shown(fakes: State, asking: Asking) -> None:
    queued = {"status": "IN_QUEUE", "queue_position": 3, "request_id": "r"}
    running = {"status": "IN_PROGRESS", "request_id": "r", "logs": None}
    for state in (queued, running):
        fakes.misbehave("answer", on="/status", status=202, body=json.dumps(state))
    await asking.urls()
    assert asking.places == [3]


async def test_request_is_looked_at_less_and_less_often(
    fakes: State, asking: Asking, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "FIRST_POLL_SECONDS", 0.5)
    fakes.polls = 9
    await asking.urls()
    assert pauses == [0.5, 0.75, 1.125, 1.6875, 2.53125, 3.796875, 5.0, 5.0]


async def test_look_that_fails_is_repeated_less_and_less_often(
    fakes: State, asking: Asking, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "FIRST_POLL_SECONDS", 2.0)
    fakes.misbehave("answer", times=4, on="/status", status=200, body="<html>")
    await asking.urls()
    assert pauses == [2.0, 3.0, 4.5, 5.0]


async def test_look_that_fails_in_passing_is_repeated_four_times(fakes: State, asking: Asking) -> None:
    fakes.misbehave("answer", times=4, on="/status", status=503, body="{}")
    await asking.urls()
    fakes.reset()
    fakes.misbehave("answer", times=5, on="/status", status=503, body="{}")
    other = Asking(asking.connection, asking.access)
    with pytest.raises(ProviderError) as raised:
        await other.urls()
    assert raised.value.code == "provider_unavailable"
    assert len(fakes.requests("/status", "GET")) == 5
    assert other.charges == [0.5]


@pytest.mark.parametrize(
    ("status", "body", "code", "charges"),
    [
        (422, '{"detail": [{"type": "other"}]}', "bad_request", []),
        (401, "{}", "wrong_credential", [0.5]),
        (403, '{"detail": "Exhausted balance"}', "no_credit", [0.5]),
    ],
)
async def test_result_that_is_refused_ends_the_request_unless_the_key_is_why(
    fakes: State, asking: Asking, status: int, body: str, code: str, charges: list[float]
) -> None:
    fakes.misbehave("answer", after=1, on="/requests/", status=status, body=body)
    with pytest.raises(ProviderError) as raised:
        await asking.urls()
    assert raised.value.code == code
    assert asking.charges == charges
    await asking.urls()
    assert submitted(fakes) == (1 if charges else 2)
    assert asking.charges == [0.5]


@pytest.mark.parametrize(
    ("state", "abandoned", "charges", "cancelled"),
    [
        ("IN_QUEUE", False, [0.0], 1),
        ("IN_PROGRESS", False, [0.5], 1),
        ("IN_QUEUE", True, [], 0),
    ],
)
async def test_cancelled_step_pays_only_for_a_request_that_has_begun(
    fakes: State, asking: Asking, state: str, abandoned: bool, charges: list[float], cancelled: int
) -> None:
    shown = {"status": state, "queue_position": 0, "request_id": "r", "logs": None}
    fakes.misbehave("answer", times=10_000, on="/status", status=202, body=json.dumps(shown))
    asking.context.abandoned = abandoned
    step = asyncio.ensure_future(asking.urls())
    while len(fakes.requests("/status", "GET")) < 2:
        assert not step.done()
        await asyncio.sleep(0)
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert asking.charges == charges
    assert asking.call.is_left_open is abandoned
    assert len(fakes.requests("/cancel", "PUT")) == cancelled
    assert not jobs._cancelling


async def test_cancelled_step_pays_for_a_request_whose_answer_is_lost(fakes: State, asking: Asking) -> None:
    held = fakes.misbehave("held", on="/flux/schnell")
    fakes.misbehave("lost", on="/flux/schnell")
    step = asyncio.ensure_future(asking.urls())
    while not fakes.predictions:
        assert not step.done()
        await asyncio.sleep(0)
    step.cancel()
    held.over.set()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert asking.charges == [0.5]
    assert not fakes.requests("/cancel", "PUT")


@pytest.mark.parametrize(("kind", "reason"), [("answer", "Unavailable"), ("slow", "TimeoutError")])
async def test_cancellation_that_fails_does_not_hold_up_the_step(
    fakes: State,
    asking: Asking,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    reason: str,
) -> None:
    if kind == "slow":
        monkeypatch.setattr(jobs, "_CANCEL_SECONDS", 0.1)
    caplog.set_level(logging.WARNING, logger="impasto.step")
    fakes.polls = None
    fakes.misbehave(kind, on="/cancel", status=500, body="{}")
    step = asyncio.ensure_future(asking.urls())
    while not fakes.requests("/status", "GET"):
        assert not step.done()
        await asyncio.sleep(0)
    step.cancel()
    async with asyncio.timeout(20):
        with pytest.raises(asyncio.CancelledError):
            await step
    assert asking.charges == [0.0]
    if kind == "answer":  # one without an answer may be given up before the service has read it
        assert len(fakes.requests("/cancel", "PUT")) == 1
    (request_id,) = fakes.predictions
    assert caplog.messages == [f"Failed to cancel request {request_id}: {reason}"]


async def test_cancelled_step_pays_for_a_result_that_it_has_not_read(fakes: State, asking: Asking) -> None:
    fakes.misbehave("answer", times=10_000, on="/requests/", after=1, status=503, body="{}")
    step = asyncio.ensure_future(asking.urls())
    while len(fakes.requests("/requests/", "GET")) < 2:
        assert not step.done()
        await asyncio.sleep(0)
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert asking.charges == [0.5]


async def test_lost_request_is_paid_beside_one_without_an_output(fakes: State, asking: Asking) -> None:
    fakes.output_shape = '{"images": []}'
    with pytest.raises(CorruptOutput):
        await asking.urls()
    fakes.misbehave("lost", on="/flux/schnell")
    with pytest.raises(ProviderError) as raised:
        await asking.urls()
    assert raised.value.code == "stream_dropped"
    assert asking.charges == [0.5, 0.5]
