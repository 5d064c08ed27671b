"""One prediction: its outputs, what it costs, and what becomes of one that cannot be followed."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to
from tests.fakes.state import State

from impasto import PaidCall
from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.jobs.bill import Bill
from impasto_nodes.providers.replicate import predictions
from impasto_nodes.providers.replicate.connection import connected
from impasto_nodes.providers.replicate.predictions import predict

pytestmark = pytest.mark.anyio
MODEL = "black-forest-labs/flux-1.1-pro"
Predict = Callable[..., Coroutine[Any, Any, list[str]]]


@pytest.fixture
def charges() -> list[float]:
    return []


@pytest.fixture
def ask(fakes: State, context: FakeContext, charges: list[float], monkeypatch: pytest.MonkeyPatch) -> Predict:
    """Make one prediction, or go on with that of an earlier call."""
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.0, 0.0))

    async def ask(price_usd: float | None = 0.5) -> list[str]:
        call = PaidCall(None, lambda usd, units, is_assumed: charges.append(usd))
        access = access_to("replicate", fakes)
        async with connected(access, MODEL) as client:
            bill = Bill(call, price_usd, seen_by(context))
            return await predict(client, MODEL, {"prompt": "A can"}, "job", bill, seen_by(context))

    return ask


@pytest.mark.parametrize(
    ("shape", "number"),
    [
        ('"URL"', 1),
        ('["URL", "URL"]', 2),
        ('{"images": ["URL", {"url": "URL"}]}', 2),
        ('{"video": "URL", "seed": 7}', 1),
        ('"data:image/png;base64,x"', 1),
    ],
)
async def test_outputs_are_read_in_every_shape(
    fakes: State, ask: Predict, charges: list[float], shape: str, number: int
) -> None:
    fakes.output_shape = shape
    assert len(await ask()) == number
    assert charges == [0.5]


@pytest.mark.parametrize(
    "shape", ["null", "[]", "{}", '{"seed": 7}', '"words"', '["URL", 7]', '["URL", null]']
)
async def test_output_without_files_cannot_be_read_is_paid_and_asked_for_again(
    fakes: State, ask: Predict, charges: list[float], shape: str
) -> None:
    fakes.output_shape = shape
    with pytest.raises(ProviderError) as raised:
        await ask()
    assert (raised.value.code, raised.value.provider) == ("corrupt_output", "replicate")
    assert charges == [0.5]
    fakes.output_shape = None
    await ask()
    assert len(fakes.predictions) == 2
    assert charges == [0.5, 0.5]


@pytest.mark.parametrize(
    ("reason", "code"),
    [("CUDA error", "generation_failed"), ("NSFW content", "moderated"), ("Violated (E005)", "moderated")],
)
async def test_failed_prediction_is_free_and_another_one_may_follow(
    fakes: State, ask: Predict, charges: list[float], reason: str, code: str
) -> None:
    fakes.fails_with = reason
    with pytest.raises(ProviderError) as raised:
        await ask()
    assert (raised.value.code, raised.value.detail) == (code, reason)
    assert raised.value.provider == "replicate"
    assert (MODEL in raised.value.message) is (code == "generation_failed")
    assert charges == []
    fakes.fails_with = None
    await ask()
    assert len(fakes.predictions) == 2


async def test_model_without_a_price_is_charged_by_its_seconds(ask: Predict, charges: list[float]) -> None:
    await ask(None)
    assert charges == [pytest.approx(4.2 * 0.001525)]


@pytest.mark.parametrize(
    ("metrics", "seconds"),
    [({"predict_time": 2, "total_time": 3}, 2), ({"total_time": 3}, 3), ({}, 0), (None, 0)],
)
async def test_seconds_are_those_of_the_model_else_the_whole_ones(
    fakes: State, ask: Predict, charges: list[float], metrics: Any, seconds: float
) -> None:
    shown = {"id": "p", "model": MODEL, "version": "v", "status": "succeeded", "input": {}, "error": None}
    shown |= {"output": "http://x/y.png", "logs": "", "metrics": metrics}
    fakes.misbehave("answer", on="/predictions", status=201, body=json.dumps(shown))
    await ask(None)
    assert charges == [pytest.approx(seconds * 0.001525)]


async def test_poll_that_fails_in_passing_is_repeated_four_times_in_a_row(fakes: State, ask: Predict) -> None:
    fakes.polls = 2
    fakes.misbehave("answer", times=4, on="/v1/predictions/", status=200, body="<html>")
    fakes.misbehave("answer", times=4, on="/v1/predictions/", status=500, body="{}", after=1)
    await ask()
    assert len(fakes.requests("/v1/predictions/", "GET")) == 10


async def test_prediction_that_cannot_be_followed_is_charged_once_and_continued(
    fakes: State, ask: Predict, charges: list[float]
) -> None:
    fakes.misbehave("answer", times=5, on="/v1/predictions/", status=500, body="{}")
    with pytest.raises(ProviderError) as raised:
        await ask()
    assert raised.value.code == "provider_unavailable"
    assert len(fakes.requests("/v1/predictions/", "GET")) == 5
    await ask()
    assert charges == [0.5]
    assert len(fakes.predictions) == 1


async def test_poll_that_is_refused_is_not_repeated(fakes: State, ask: Predict, charges: list[float]) -> None:
    fakes.misbehave("answer", times=9, on="/v1/predictions/", status=401, body='{"status": 401}')
    with pytest.raises(ProviderError) as raised:
        await ask()
    assert raised.value.code == "wrong_credential"
    assert len(fakes.requests("/v1/predictions/", "GET")) == 1
    assert charges == [0.5]


@pytest.mark.parametrize(
    ("status", "body", "charged"),
    [(422, '{"status": 422, "detail": "no"}', []), (503, "{}", []), (201, "<html>", [0.5])],
)
async def test_request_counts_as_paid_only_if_a_prediction_may_exist(
    fakes: State, ask: Predict, charges: list[float], status: int, body: str, charged: list[float]
) -> None:
    fakes.misbehave("answer", on="/predictions", status=status, body=body)
    with pytest.raises(ProviderError):
        await ask()
    assert charges == charged


async def test_lost_request_is_paid_beside_one_without_an_output(
    fakes: State, ask: Predict, charges: list[float]
) -> None:
    fakes.output_shape = "[]"
    with pytest.raises(ProviderError):
        await ask()
    fakes.misbehave("lost")
    with pytest.raises(ProviderError, match="interrupted"):
        await ask()
    assert charges == [0.5, 0.5]


async def test_beginning_of_an_output_that_cannot_be_read_is_the_detail(fakes: State, ask: Predict) -> None:
    fakes.output_shape = json.dumps("x" * 201)
    with pytest.raises(ProviderError) as raised:
        await ask()
    assert raised.value.detail == f"output: {'x' * 200}"


async def test_prediction_of_a_cancelled_step_is_free(
    fakes: State, ask: Predict, charges: list[float]
) -> None:
    fakes.polls = None
    step = asyncio.create_task(ask())
    async with asyncio.timeout(20):
        while not fakes.requests("/v1/predictions/", "GET"):
            assert not step.done()
            await asyncio.sleep(0)
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert charges == [0.0]
    assert [prediction.status for prediction in fakes.predictions.values()] == ["canceled"]


async def test_prediction_is_polled_less_and_less_often(
    fakes: State, ask: Predict, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.5, 2.0))
    fakes.polls = 6
    await ask()
    assert pauses == [0.5, 0.75, 1.125, 1.6875, 2.0, 2.0]
