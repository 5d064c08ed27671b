"""Interruptions between a request to Replicate and its answer: no paid prediction is lost or made twice."""

import asyncio
from typing import Any

import httpx
import pytest
from tests.fakes.running import flow_of, installed, run
from tests.fakes.state import GOOD_KEY, Prediction, State

from impasto import LeaseLost, MemoryJournal, MemoryStore, Run, compile, resume, start
from impasto_nodes.providers.replicate import connection, predictions
from impasto_nodes.providers.replicate.prediction_idempotency import PredictionRequest

pytestmark = pytest.mark.anyio
SOON = 0.01


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at predictions often: nothing here takes its time."""
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(SOON, SOON))


async def good(provider: str) -> str:
    return GOOD_KEY


async def wrong(provider: str) -> str:
    return "r8_wrongwrongwrong"


async def draw(**settings: object) -> Any:
    return await run("image_generation", {"prompt": "A can"}, **{"provider": "replicate"} | settings)


@pytest.fixture
def kept() -> dict[str, Any]:
    """Memos and tasks that outlive an abandoned run."""
    return {"journal": MemoryJournal(), "store": MemoryStore()}


async def drawing(kept: dict[str, Any]) -> Run:
    flow = flow_of("image_generation", {"provider": "replicate"}, {"prompt": "A can"})
    plan = compile(flow, installed())
    return await start(plan, {}, run_id="moved", credentials=good, **kept).begin()


async def go_on(kept: dict[str, Any], credentials: Any = good) -> Any:
    return await resume("moved", catalog=installed(), credentials=credentials, **kept)


async def asked_for(fakes: State) -> None:
    while not fakes.predictions:
        await asyncio.sleep(SOON)


async def load_images(fakes: State) -> None:
    while not fakes.requests("/v1/predictions/", "GET"):
        await asyncio.sleep(SOON)


async def test_run_cancelled_during_the_request_cancels_the_prediction(
    fakes: State, kept: dict[str, Any]
) -> None:
    """The prediction is made there, though its answer comes only when the run has long ended."""
    fakes.polls = None
    held = fakes.misbehave("held")
    live = await drawing(kept)
    await asked_for(fakes)
    assert (await live.cancel()).status == "cancelled"
    held.over.set()
    while [prediction.status for prediction in fakes.predictions.values()] != ["canceled"]:
        await asyncio.sleep(SOON)


async def test_timeout_of_the_request_creates_no_second_prediction(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_TIMEOUT", httpx.Timeout(2.0))
    fakes.misbehave("held")
    assert (await draw()).status == "finished"
    assert len(fakes.predictions) == 1


async def test_lost_answers_to_equal_prompts_are_distinguished(fakes: State) -> None:
    await draw(n_images=2)  # an earlier run's: they belong to it
    fakes.predictions["odd"] = Prediction("odd", "who/what", {}, None, status="aborted")
    fakes.misbehave("lost", times=2)
    assert (await draw(n_images=2)).status == "finished"
    assert len(fakes.requests("/predictions", "POST")) == 4
    assert len({seen.path for seen in fakes.requests("/outputs/")}) == 4


async def test_refused_repetition_does_not_lose_the_first_prediction(fakes: State) -> None:
    """The first is made, but not listed yet when it is looked for."""
    fakes.misbehave("lost")
    fakes.misbehave("unlisted")
    fakes.misbehave("rate_limit", after=1, retry_after=SOON, on="flux-1.1-pro/predictions")
    assert (await draw()).status == "finished"
    assert len(fakes.predictions) == 1


async def test_abandoned_run_continues_its_prediction_after_resume(
    fakes: State, kept: dict[str, Any]
) -> None:
    fakes.polls = None
    live = await drawing(kept)
    await load_images(fakes)
    await live.abandon()
    fakes.polls = 1
    assert (await go_on(kept)).status == "finished"
    assert [prediction.status for prediction in fakes.predictions.values()] == ["succeeded"]


async def abandon_during_the_request(fakes: State, kept: dict[str, Any]) -> None:
    """A request whose response never reaches the caller."""
    held = fakes.misbehave("held")
    live = await drawing(kept)
    await asked_for(fakes)
    await live.abandon()
    held.over.set()


async def test_refused_key_does_not_lose_the_prediction(fakes: State, kept: dict[str, Any]) -> None:
    await abandon_during_the_request(fakes, kept)
    error = (await go_on(kept, wrong)).steps["it"].error
    assert error.code == "wrong_credential"
    assert "r8_wrong" not in str(error.detail)
    assert (await go_on(kept)).status == "finished"
    assert len(fakes.predictions) == 1


async def test_gateway_that_lists_no_predictions_is_asked_for_another_one(fakes: State) -> None:
    fakes.misbehave("lost")
    fakes.misbehave("answer", on="/v1/predictions", status=404, body="{}")
    result = await draw()
    assert result.status == "finished", result.steps["it"].error
    assert len(fakes.predictions) == 2


@pytest.mark.parametrize("status", ["failed", "canceled", "aborted"])
async def test_failed_prediction_is_requested_again(fakes: State, kept: dict[str, Any], status: str) -> None:
    await abandon_during_the_request(fakes, kept)
    (first,) = fakes.predictions.values()
    first.status = status
    assert (await go_on(kept)).status == "finished"
    assert len(fakes.predictions) == 2


@pytest.mark.parametrize(
    ("status", "code"), [("succeeded", "corrupt_output"), ("aborted", "generation_failed")]
)
async def test_resumed_run_requests_again_what_ended_without_an_output(
    fakes: State, kept: dict[str, Any], status: str, code: str
) -> None:
    """Replicate keeps outputs for an hour."""
    fakes.polls = None
    live = await drawing(kept)
    await load_images(fakes)
    await live.abandon()
    (first,) = fakes.predictions.values()
    first.status, fakes.polls = status, 1
    assert (await go_on(kept)).steps["it"].error.code == code
    assert (await go_on(kept)).status == "finished"
    assert len(fakes.predictions) == 2


async def test_run_claimed_again_during_the_request_finds_its_prediction(
    fakes: State, kept: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = fakes.misbehave("held")
    lost = await drawing(kept)
    await asked_for(fakes)
    fakes.misbehave("unlisted", times=9)
    looked = asyncio.Event()
    existing = PredictionRequest.existing

    async def watched(request: PredictionRequest) -> Any:
        asyncio.get_running_loop().call_soon(looked.set)
        return await existing(request)

    monkeypatch.setattr(PredictionRequest, "existing", watched)
    async with asyncio.timeout(20):
        won_back = asyncio.create_task(go_on(kept))
        await looked.wait()
        held.over.set()
        assert (await won_back).status == "finished"
        with pytest.raises(LeaseLost):
            await lost.result()
    assert len(fakes.predictions) == 1
