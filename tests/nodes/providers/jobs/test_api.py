"""Requests of a service's JSON API: each is sent once, and what cannot be read has its error."""

import json
from typing import Any

import httpx
import pytest
from tests.fakes.running import access_to
from tests.fakes.state import State

from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge, RateLimited, StreamDropped
from impasto_nodes.providers.jobs import api
from impasto_nodes.providers.jobs.api import Answer, connected

pytestmark = pytest.mark.anyio
KEY = "a-secret-key"


async def ask(fakes: State, status: int, body: str, method: str = "get") -> tuple[Any, list[Answer]]:
    """What the API returns for an answer, and the answers in which an error was looked for."""
    fakes.misbehave("answer", on="/thing", status=status, body=body)
    seen: list[Answer] = []

    def error_of(answer: Answer) -> RateLimited | None:
        seen.append(answer)
        return RateLimited("xai", answer.detail) if answer.status == 429 else None

    access = access_to("xai", fakes, KEY)
    async with connected(access, "http://127.0.0.1:9", error_of) as service:
        if method == "get":
            return await service.get("/thing", q="a b"), seen
        return await service.create("/thing", {"n": 1}), seen


async def test_answer_is_read_with_the_key_and_the_query(fakes: State) -> None:
    body, (answer,) = await ask(fakes, 200, '{"id": 7}')
    assert body == {"id": 7}
    assert (answer.status, answer.detail, answer.is_object) == (200, 'status 200 for /thing: {"id": 7}', True)
    (sent,) = fakes.requests("/thing", "GET")
    assert sent.query == {"q": "a b"}
    assert sent.headers["authorization"] == f"Bearer {KEY}"


async def test_body_is_sent_as_json(fakes: State) -> None:
    assert (await ask(fakes, 200, "{}", "create"))[0] == {}
    (sent,) = fakes.requests("/thing", "POST")
    assert sent.body == {"n": 1}


@pytest.mark.parametrize("text", ["[1]", "null", "", "<html>"])
async def test_answer_that_is_no_object_cannot_be_read(fakes: State, text: str) -> None:
    with pytest.raises(CorruptOutput) as raised:
        await ask(fakes, 200, text)
    assert raised.value.detail == f"status 200 for /thing: {text}"
    assert raised.value.message == "xAI returned an answer that cannot be read. Run again."


async def test_error_of_the_service_comes_before_one_of_the_format(fakes: State) -> None:
    with pytest.raises(RateLimited):
        await ask(fakes, 429, "<html>")


async def test_detail_is_the_beginning_of_the_answer_without_the_key(fakes: State) -> None:
    _, (answer,) = await ask(fakes, 200, json.dumps({"key": KEY, "long": "x" * 500}))
    assert KEY not in answer.detail
    with pytest.raises(RateLimited) as raised:
        await ask(fakes, 429, "y" * 501)
    assert raised.value.detail == f"status 429 for /thing: {'y' * 500}"


@pytest.mark.parametrize("status", [502, 504])
async def test_gateway_does_not_say_whether_a_paid_request_has_arrived(fakes: State, status: int) -> None:
    with pytest.raises(StreamDropped, match="to xAI was interrupted"):
        await ask(fakes, status, "{}", "create")
    assert (await ask(fakes, status, "{}"))[0] == {}
    assert (await ask(fakes, 503, "{}", "create"))[0] == {}


async def test_largest_answer_is_read_and_a_larger_one_is_refused(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "_MAX_ANSWER_BYTES", 20)
    assert (await ask(fakes, 200, '{"a": 1}'.ljust(20)))[0] == {"a": 1}
    with pytest.raises(OutputTooLarge, match=r"^xAI returned more than 0 MB"):
        await ask(fakes, 200, '{"a": 1}'.ljust(21))


async def test_without_an_address_of_the_operators_the_public_one_is_called(fakes: State) -> None:
    fakes.misbehave("answer", on="/thing", status=200, body='{"id": 1}')
    access = Access(provider="xai", key=KEY)
    async with connected(access, f"{fakes.url}/xai/v1", lambda answer: None) as service:
        assert await service.get("/thing") == {"id": 1}
        assert service.http.timeout == httpx.Timeout(60.0, connect=10.0)
