"""A prediction is remembered before it is requested, awaited while it is, and cancelled when it is left."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from replicate.exceptions import ReplicateError
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to
from tests.fakes.state import State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.replicate import connection
from impasto_nodes.providers.replicate import prediction_idempotency as module
from impasto_nodes.providers.replicate.connection import connected
from impasto_nodes.providers.replicate.prediction_idempotency import PredictionRequest

pytestmark = pytest.mark.anyio
MODEL = "black-forest-labs/flux-1.1-pro"
INPUTS = {"prompt": "A can"}
STARTING: dict[str, Any] = {
    "model": MODEL,
    "version": "v7",
    "status": "starting",
    "input": INPUTS,
    "output": None,
    "error": None,
    "logs": "",
    "source": "api",
    "created_at": "2026-01-01T00:00:00Z",
    "urls": {"get": "", "cancel": ""},
}


@pytest.fixture(autouse=True)
def none_is_owned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_owners", {})
    monkeypatch.setattr(module, "_in_flight", {})


@pytest.fixture
async def client(fakes: State) -> AsyncIterator[Any]:
    async with connected(access_to("replicate", fakes), MODEL) as client:
        yield client


@pytest.fixture
def asked(client: Any, context: FakeContext) -> PredictionRequest:
    return PredictionRequest(client, MODEL, INPUTS, "job", seen_by(context))


async def requested(fakes: State, creating: asyncio.Task[Any]) -> None:
    """Wait until the prediction exists."""
    while not fakes.predictions:
        assert not creating.done()
        await asyncio.sleep(0)


def statuses(fakes: State) -> list[str]:
    return [prediction.status for prediction in fakes.predictions.values()]


async def test_request_is_remembered_before_it_is_sent(
    fakes: State, asked: PredictionRequest, context: FakeContext
) -> None:
    held, before = fakes.misbehave("held"), time.time()
    creating = asyncio.create_task(asked.create({"webhook": "https://here.test/hook"}))
    await requested(fakes, creating)
    assert before <= context.memory["job"]["since"] <= time.time()
    held.over.set()
    (prediction,) = fakes.predictions.values()
    assert (await creating).id == prediction.id
    assert not module._in_flight
    assert (prediction.input, prediction.webhook) == (INPUTS, "https://here.test/hook")


async def test_created_prediction_belongs_to_its_request(
    client: Any, asked: PredictionRequest, context: FakeContext
) -> None:
    await asked.create({})
    context.memory["next"] = {"since": 0.0}
    assert await PredictionRequest(client, MODEL, INPUTS, "next", seen_by(context)).existing() is None


async def test_request_under_way_is_awaited_instead_of_sent_again(
    fakes: State, asked: PredictionRequest
) -> None:
    held = fakes.misbehave("held")
    creating = asyncio.create_task(asked.create({}))
    await requested(fakes, creating)
    looking = asyncio.create_task(asked.existing())
    await asyncio.sleep(0)
    held.over.set()
    found, made = await looking, await creating
    assert found is made
    assert not fakes.requests("/v1/predictions", "GET")


async def test_prediction_of_a_request_under_way_belongs_to_the_run_that_goes_on_with_it(
    fakes: State, client: Any, asked: PredictionRequest, context: FakeContext
) -> None:
    held = fakes.misbehave("held")
    context.abandoned = True
    creating = asyncio.create_task(asked.create({}))
    await requested(fakes, creating)
    looking = asyncio.create_task(asked.existing())
    await asyncio.sleep(0)
    creating.cancel()
    held.over.set()
    (name,) = fakes.predictions
    assert (await looking).id == name
    with pytest.raises(asyncio.CancelledError):
        await creating
    context.memory["next"] = {"since": 0.0}
    assert await PredictionRequest(client, MODEL, INPUTS, "next", seen_by(context)).existing() is None


async def test_request_under_way_that_failed_is_looked_up(fakes: State, asked: PredictionRequest) -> None:
    held = fakes.misbehave("held")
    fakes.misbehave("lost")
    creating = asyncio.create_task(asked.create({}))
    await requested(fakes, creating)
    looking = asyncio.create_task(asked.existing())
    await asyncio.sleep(0)
    held.over.set()
    (name,) = fakes.predictions
    assert (await looking).id == name
    with pytest.raises(Exception, match="peer closed connection"):
        await creating
    assert len(fakes.requests("/v1/predictions", "GET")) == 1


@pytest.mark.parametrize(
    ("earlier", "status", "is_kept"),
    [
        (None, 422, False),
        (None, 401, False),
        (None, 500, True),
        (None, 503, True),
        ({"since": 5.0}, 422, True),
    ],
)
async def test_refused_request_is_forgotten_unless_a_prediction_may_exist(
    fakes: State,
    asked: PredictionRequest,
    context: FakeContext,
    earlier: dict[str, float] | None,
    status: int,
    is_kept: bool,
) -> None:
    context.memory["job"] = earlier
    fakes.misbehave("answer", on="/predictions", status=status, body=f'{{"status": {status}}}')
    with pytest.raises((ProviderError, ReplicateError)):
        await asked.create({})
    assert (context.memory["job"] is not None) is is_kept
    if earlier is not None:
        assert context.memory["job"] == earlier


@pytest.mark.parametrize("is_abandoned", [False, True])
async def test_prediction_of_a_cancelled_request_is_cancelled_unless_another_process_goes_on(
    fakes: State, context: FakeContext, is_abandoned: bool
) -> None:
    held = fakes.misbehave("held")
    context.abandoned = is_abandoned
    async with connected(access_to("replicate", fakes), MODEL) as client:
        asked = PredictionRequest(client, MODEL, INPUTS, "job", seen_by(context))
        creating = asyncio.create_task(asked.create({}))
        await requested(fakes, creating)
        creating.cancel()
        await asyncio.sleep(0)
        held.over.set()
        with pytest.raises(asyncio.CancelledError):
            await creating
    (name,) = fakes.predictions
    if is_abandoned:
        assert (context.memory["job"], statuses(fakes)) == (name, ["starting"])
    else:
        assert statuses(fakes) == ["canceled"]


async def test_prediction_is_not_cancelled_by_an_abandoned_run(
    fakes: State, asked: PredictionRequest, context: FakeContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="impasto.step")
    made = await asked.create({})
    context.abandoned = True
    await asked.cancel(made.id)
    assert statuses(fakes) == ["starting"]
    context.abandoned = False
    fakes.misbehave("answer", on="/cancel", status=500, body="{}")
    await asked.cancel(made.id)
    assert statuses(fakes) == ["starting"]
    assert [text.partition(": ")[0] for text in caplog.messages] == [f"Failed to cancel prediction {made.id}"]
    await asked.cancel(made.id)
    assert statuses(fakes) == ["canceled"]


async def test_cancellation_without_an_answer_does_not_hold_up_the_step(
    fakes: State, asked: PredictionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_FINAL_REQUEST_SECONDS", 0.1)
    made = await asked.create({})
    fakes.misbehave("slow", on="/cancel")
    async with asyncio.timeout(20):
        await asked.cancel(made.id)
    assert statuses(fakes) == ["starting"]


async def test_version_of_a_model_is_requested_by_its_id(
    fakes: State, client: Any, context: FakeContext
) -> None:
    fakes.misbehave("answer", on="/predictions", status=201, body=json.dumps({"id": "p1"} | STARTING))
    asked = PredictionRequest(client, f"{MODEL}:v7", INPUTS, "job", seen_by(context))
    assert (await asked.create({"webhook": "https://here.test/hook"})).id == "p1"
    (sent,) = fakes.requests("/predictions", "POST")
    assert sent.path.endswith("/v1/predictions")
    assert sent.body == {"version": "v7", "input": INPUTS, "webhook": "https://here.test/hook"}


async def test_connection_closes_after_its_last_requests(fakes: State, context: FakeContext) -> None:
    fakes.polls = None
    block = connected(access_to("replicate", fakes), MODEL)
    client = await block.__aenter__()
    asked = PredictionRequest(client, MODEL, INPUTS, "job", seen_by(context))
    made = await asked.create({})
    cancelling = asyncio.create_task(asked.cancel(made.id))
    await asyncio.sleep(0)
    await block.__aexit__(None, None, None)
    assert statuses(fakes) == ["canceled"]
    await cancelling
