"""A prediction whose answer was lost is found again in the account's list, and no other one is taken."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from replicate.exceptions import ReplicateError
from tests.fakes.reports import seen_by
from tests.fakes.running import access_to
from tests.fakes.state import Prediction, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import ProviderError
from impasto_nodes.providers.replicate import prediction_idempotency as module
from impasto_nodes.providers.replicate.connection import connected, map_exception
from impasto_nodes.providers.replicate.prediction_idempotency import PredictionRequest

pytestmark = pytest.mark.anyio
SINCE = 1_760_000_000.0
MODEL = "acme/painter"
INPUTS = {"prompt": "A can", "seed": 7}


@pytest.fixture(autouse=True)
def none_is_owned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_owners", {})


@pytest.fixture
async def client(fakes: State) -> AsyncIterator[Any]:
    access = access_to("replicate", fakes)
    async with connected(access, MODEL) as client:
        yield client


def request(client: Any, model: str = MODEL, memory: str = "job", **facts: Any) -> PredictionRequest:
    context = FakeContext()
    context.memory[memory] = facts.pop("memo", {"since": SINCE})
    context.idempotency_key = facts.pop("key", "step")
    return PredictionRequest(client, model, facts.pop("inputs", INPUTS), memory, seen_by(context))


def listed(fakes: State, name: str = "p1", seconds: float = 1.0, **facts: Any) -> None:
    made = datetime.fromtimestamp(SINCE + seconds, UTC).isoformat()
    given = {"model": MODEL, "input": INPUTS, "polls": None, "made": made} | facts
    fakes.predictions[name] = Prediction(name, **given)


async def found_by(asked: PredictionRequest) -> str | None:
    found = await asked.existing()
    return None if found is None else str(found.id)


@pytest.mark.parametrize(
    ("facts", "is_found"),
    [
        ({}, True),
        ({"status": "processing"}, True),
        ({"status": "succeeded"}, True),
        ({"status": "failed"}, False),
        ({"status": "canceled"}, False),
        ({"status": "aborted"}, False),
        ({"model": "acme/other"}, False),
        ({"input": INPUTS | {"seed": 8}}, False),
        ({"input": {"prompt": "A can"}}, False),
        ({"input": INPUTS | {"more": 1}}, False),
        ({"seconds": -119.0}, True),
        ({"seconds": -120.0}, False),
        ({"made": "yesterday"}, False),
    ],
)
async def test_prediction_is_found_by_its_model_inputs_and_time(
    fakes: State, client: Any, facts: dict[str, Any], is_found: bool
) -> None:
    listed(fakes, **facts)
    assert await found_by(request(client)) == ("p1" if is_found else None)


@pytest.mark.parametrize(
    ("sent", "kept", "is_found"),
    [
        ("data:image/png;base64,x", "https://replicate.delivery/x", True),
        (["data:image/png;base64,x"], ["https://replicate.delivery/x"], True),
        ("data", "https://replicate.delivery/x", False),
        ([], ["https://replicate.delivery/x"], False),
        (["a word"], ["https://replicate.delivery/x"], False),
    ],
)
async def test_file_is_not_compared_because_its_address_is_listed(
    fakes: State, client: Any, sent: Any, kept: Any, is_found: bool
) -> None:
    listed(fakes, input=INPUTS | {"image": kept})
    asked = request(client, inputs=INPUTS | {"image": sent})
    assert await found_by(asked) == ("p1" if is_found else None)


@pytest.mark.parametrize(("version", "is_found"), [("v1", True), ("v2", False)])
async def test_model_with_a_version_is_found_by_it(
    fakes: State, client: Any, version: str, is_found: bool
) -> None:
    listed(fakes, model="acme/renamed")
    assert await found_by(request(client, f"{MODEL}:{version}")) == ("p1" if is_found else None)


async def test_model_of_the_same_name_is_found_whatever_its_version(fakes: State, client: Any) -> None:
    listed(fakes)
    assert await found_by(request(client, f"{MODEL}:v2")) == "p1"


async def test_oldest_of_equal_predictions_is_taken_and_each_by_one_request_only(
    fakes: State, client: Any
) -> None:
    listed(fakes, "younger", 2.0)
    listed(fakes, "older", 1.0)
    assert await found_by(request(client)) == "older"
    assert await found_by(request(client, memory="next")) == "younger"
    assert await found_by(request(client, memory="third")) is None
    assert await found_by(request(client, key="another step")) is None
    assert await found_by(request(client)) == "older"


async def test_only_the_newest_owners_are_kept(
    fakes: State, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_OWNED", 1)
    listed(fakes, "p1", 1.0)
    listed(fakes, "p2", 2.0)
    assert await found_by(request(client)) == "p1"
    assert await found_by(request(client, memory="next")) == "p2"
    assert await found_by(request(client, memory="third")) == "p1"


async def test_remembered_prediction_is_read_by_its_id_and_belongs_to_its_request(
    fakes: State, client: Any
) -> None:
    listed(fakes, "p1", 1.0, input={"prompt": "else"})
    listed(fakes, "p2", 2.0)
    assert await found_by(request(client, memo="p1")) == "p1"
    assert await found_by(request(client, memo="p2")) == "p2"
    assert await found_by(request(client, memory="next")) is None


async def test_without_a_memo_nothing_was_requested(fakes: State, client: Any) -> None:
    listed(fakes)
    assert await found_by(request(client, memo=None)) is None
    assert not fakes.requests("/v1/predictions", "GET")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "wrong_credential"),
        (402, "no_credit"),
        (429, "rate_limited"),
        (500, "provider_unavailable"),
        (404, None),
        (405, None),
    ],
)
async def test_list_that_cannot_be_read_now_is_read_by_a_later_attempt(
    fakes: State, client: Any, status: int, code: str | None
) -> None:
    listed(fakes)
    fakes.misbehave("answer", on="/v1/predictions", status=status, body=f'{{"status": {status}}}')
    if code is None:
        assert await found_by(request(client)) is None
    else:
        with pytest.raises((ProviderError, ReplicateError)) as raised:
            await request(client).existing()
        error = raised.value
        found = error if isinstance(error, ProviderError) else map_exception(error, MODEL)
        assert found.code == code
