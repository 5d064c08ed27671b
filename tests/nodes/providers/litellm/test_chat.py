"""One streamed chat: its parts, its result, its charge, and its limit in a run with a budget."""

import asyncio
import json
from typing import Any

import pytest
from tests.fakes.reports import CountingContext, reserved, seen_by
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import (
    BudgetCut,
    CorruptOutput,
    EmptyAnswer,
    Moderated,
    ProviderError,
    RateLimited,
    Refused,
    StreamDropped,
)
from impasto_nodes.providers.litellm import chat as module
from impasto_nodes.providers.litellm.chat import Chat, stream_chat
from impasto_nodes.providers.litellm.chat_price import Bounds, bounds_of
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextResult

pytestmark = pytest.mark.anyio
MODEL = "gpt-5-mini"
PRICE_IN, PRICE_OUT = 0.25e-6, 2e-6
"""US dollars of a token of gpt-5-mini."""
MESSAGES: list[dict[str, Any]] = [{"role": "user", "content": "A can"}]


def chunk(content: str | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {"refusal": more.pop("refusal"), "role": "assistant"} if "refusal" in more else {}
    delta |= {} if content is None else {"content": content, "role": "assistant"}
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": MODEL,
        "choices": choices,
    } | more


def usage(tokens_in: int, tokens_out: int) -> dict[str, Any]:
    counted = {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
    return chunk(usage=counted) | {"choices": []}


def say(fakes: State, *chunks: dict[str, Any]) -> None:
    """Answer with these chunks, then the end of a stream."""
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in chunks) + "data: [DONE]\n\n"
    fakes.misbehave("answer", on="/chat/completions", status=200, body=body)


def asked(fakes: State, **facts: Any) -> Chat:
    given = {"key": GOOD_KEY, "address": f"{fakes.url}/openai/v1"} | facts
    return Chat("openai", MODEL, MESSAGES, **given)


def bounds(**options: Any) -> Bounds:
    found = bounds_of("openai", MODEL, MESSAGES, options)
    assert found is not None
    return found


async def parts_of(chat: Chat, context: FakeContext) -> list[TextPart]:
    return [part async for part in stream_chat(chat, seen_by(context))]


async def result_of(chat: Chat, context: FakeContext) -> TextResult:
    last = (await parts_of(chat, context))[-1]
    assert isinstance(last, TextResult)
    return last


async def test_deltas_come_before_the_result_which_is_charged_by_its_tokens(fakes: State) -> None:
    context = CountingContext()
    say(fakes, chunk("Cold "), chunk(""), chunk("brew."), chunk(finish="stop"), usage(100, 7))
    usd = 100 * PRICE_IN + 7 * PRICE_OUT
    assert await parts_of(asked(fakes), context) == [
        TextDelta("Cold "),
        TextDelta("brew."),
        TextResult(
            text="Cold brew.",
            provider="openai",
            model=MODEL,
            usd=pytest.approx(usd),  # type: ignore[arg-type]
            units={"tokens_in": 100, "tokens_out": 7},
            is_truncated=False,
            is_charged=True,
        ),
    ]
    assert context.spent == pytest.approx(usd)
    assert context.units == [{"tokens_in": 100, "tokens_out": 7}]
    assert context.calls == [("reserve", (bounds().max_usd, bounds().at_least, ""))]


async def test_request_streams_once_with_its_usage_and_without_retries(fakes: State) -> None:
    say(fakes, chunk("x", "stop"))
    await result_of(
        asked(fakes, options={"temperature": 1, "extra_headers": {"X-A": "b"}}), CountingContext()
    )
    (sent,) = fakes.requests("/chat/completions", "POST")
    assert sent.body == {
        "model": MODEL,
        "messages": MESSAGES,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 1,
    }
    assert (sent.headers["x-a"], sent.headers["authorization"]) == ("b", f"Bearer {GOOD_KEY}")


async def test_shown_name_is_that_of_the_result(fakes: State) -> None:
    say(fakes, chunk("x", "stop"))
    assert (await result_of(asked(fakes, shown="My model"), CountingContext())).model == "My model"


@pytest.mark.parametrize(
    ("finish", "is_truncated"), [("stop", False), ("length", True), ("tool_calls", False)]
)
async def test_answer_that_reached_its_limit_is_truncated(
    fakes: State, finish: str, is_truncated: bool
) -> None:
    say(fakes, chunk("x", finish))
    assert (await result_of(asked(fakes), CountingContext())).is_truncated is is_truncated


# -- budgets -----------------------------------------------------------------------------------


def limit_of(fakes: State) -> int | None:
    body = fakes.requests("/chat/completions", "POST")[-1].body
    found = body.get("max_completion_tokens", body.get("max_tokens"))
    return None if found is None else int(found)


async def test_answer_is_as_long_as_the_budget_pays(fakes: State) -> None:
    whole = bounds(max_tokens=500).max_usd
    for budget, limit in ((whole, 500), (whole - 100 * PRICE_OUT, 400), (None, 500)):
        say(fakes, chunk("x", "stop"))
        await result_of(asked(fakes, options={"max_tokens": 500}), CountingContext(budget))
        assert limit_of(fakes) == limit
    say(fakes, chunk("x", "stop"))
    await result_of(asked(fakes), CountingContext())
    assert limit_of(fakes) is None


@pytest.mark.parametrize(("missing", "is_cut"), [(0, False), (1, True)])
async def test_answer_that_the_budget_cut_is_no_result(fakes: State, missing: int, is_cut: bool) -> None:
    context = CountingContext(bounds(max_tokens=500).max_usd - missing * PRICE_OUT)
    say(fakes, chunk("x", "length"), usage(10, 500 - missing))
    if is_cut:
        with pytest.raises(BudgetCut, match="after 499 tokens"):
            await result_of(asked(fakes, options={"max_tokens": 500}), context)
    else:
        assert (await result_of(asked(fakes, options={"max_tokens": 500}), context)).is_truncated
    assert context.spent == pytest.approx(10 * PRICE_IN + (500 - missing) * PRICE_OUT)


async def test_answer_that_ended_by_itself_is_a_result_however_small_the_budget(fakes: State) -> None:
    say(fakes, chunk("x", "stop"))
    result = await result_of(
        asked(fakes, options={"max_tokens": 500}), CountingContext(bounds(max_tokens=500).max_usd / 2)
    )
    assert result.text == "x"


# -- answers that are none ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chunks", "error", "detail"),
    [
        ([chunk(refusal="I can't help."), chunk(finish="stop")], Refused, "I can't help."),
        ([chunk(refusal="No."), chunk("  ", "stop")], Refused, "No."),
        ([chunk("x"), chunk(finish="content_filter")], Moderated, "the answer was withheld"),
        ([chunk(finish="stop")], EmptyAnswer, "it ended with stop"),
        ([chunk(" \n", "length")], EmptyAnswer, "it ended with length"),
    ],
)
async def test_answer_without_text_has_its_error_and_is_charged(
    fakes: State, chunks: list[dict[str, Any]], error: type[ProviderError], detail: str
) -> None:
    context = CountingContext()
    say(fakes, *chunks, usage(100, 7))
    with pytest.raises(error) as raised:
        await result_of(asked(fakes, shown="My model"), context)
    assert (raised.value.detail, raised.value.provider) == (detail, "openai")
    assert "My model" in raised.value.message or error is Moderated
    assert context.spent == pytest.approx(100 * PRICE_IN + 7 * PRICE_OUT)
    if isinstance(raised.value, EmptyAnswer):
        assert raised.value.retryable is (detail == "it ended with stop")


async def test_refusal_beside_a_text_leaves_the_text(fakes: State) -> None:
    say(fakes, chunk(refusal="No."), chunk("Here: ", "stop"))
    assert (await result_of(asked(fakes), CountingContext())).text == "Here: "


async def test_empty_answer_is_a_result_where_it_may_be(fakes: State) -> None:
    context = CountingContext()
    say(fakes, chunk(finish="stop"), usage(100, 0))
    assert (await result_of(asked(fakes, may_be_empty=True), context)).text == ""
    assert context.units == [{"tokens_in": 100, "tokens_out": 0}]


async def test_stream_without_a_reason_was_interrupted_and_is_charged_by_its_text(fakes: State) -> None:
    context = CountingContext()
    say(fakes, chunk("abcd"), chunk("efgh"))
    with pytest.raises(StreamDropped) as raised:
        await result_of(asked(fakes), context)
    assert raised.value.detail == "the stream ended after 8 characters without a reason"
    assert context.units == [{"tokens_in": 7, "tokens_out": 3}]
    assert context.spent == pytest.approx(7 * PRICE_IN + 3 * PRICE_OUT)


async def test_longest_answer_is_a_result_and_a_longer_one_is_refused(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CHARACTERS", 8)
    say(fakes, chunk("abcd"), chunk("efgh", "stop"))
    assert (await result_of(asked(fakes), CountingContext())).text == "abcdefgh"
    context = CountingContext()
    say(fakes, chunk("abcd"), chunk("efghi", "stop"))
    with pytest.raises(CorruptOutput):
        await result_of(asked(fakes), context)
    assert context.units == [{"tokens_in": 7, "tokens_out": 3}]


async def test_request_that_was_refused_is_not_charged(fakes: State) -> None:
    context = CountingContext()
    fakes.misbehave("rate_limit")
    with pytest.raises(RateLimited):
        await result_of(asked(fakes), context)
    assert (context.spent, context.units) == (0, [])


async def test_request_whose_answer_was_lost_is_charged_for_its_input(fakes: State) -> None:
    context = CountingContext()
    fakes.misbehave("hang_up")
    with pytest.raises(ProviderError) as raised:
        await result_of(asked(fakes), context)
    assert raised.value.code == "stream_dropped"
    assert context.units == [{"tokens_in": 7, "tokens_out": 0}]


async def test_reader_that_stops_early_is_charged_for_what_has_arrived(fakes: State) -> None:
    context = CountingContext()
    say(fakes, chunk("abcd"), chunk("efgh", "stop"))
    stream = stream_chat(asked(fakes), seen_by(context))
    assert await anext(stream) == TextDelta("abcd")
    await stream.aclose()
    assert context.units == [{"tokens_in": 7, "tokens_out": 2}]


async def test_model_without_a_price_reserves_an_unknown_amount_and_costs_nothing(fakes: State) -> None:
    context = CountingContext()
    say(fakes, *(each | {"model": "gpt-unheard-of"} for each in (chunk("x", "stop"), usage(100, 7))))
    chat = Chat("openai", "gpt-unheard-of", MESSAGES, key=GOOD_KEY, address=f"{fakes.url}/openai/v1")
    result = await result_of(chat, context)
    assert (result.usd, context.spent, reserved(context)) == (0, 0, [None])


async def test_what_openrouter_says_that_it_charged_is_charged(fakes: State) -> None:
    context = CountingContext()
    counted = usage(100, 7)
    counted["usage"]["cost"] = 0.5
    say(fakes, chunk("x", "stop"), counted)
    chat = Chat("openrouter", "openai/gpt-5-mini", MESSAGES, key=GOOD_KEY, address=f"{fakes.url}/openai/v1")
    assert (await result_of(chat, context)).usd == context.spent == 0.5


async def test_answer_of_an_own_server_is_free_and_reserves_nothing(fakes: State) -> None:
    context = CountingContext()
    say(fakes, chunk("x", "stop"), usage(100, 7))
    chat = Chat("openai_compatible", "own", MESSAGES, address=f"{fakes.url}/openai/v1")
    result = await result_of(chat, context)
    assert (result.usd, result.is_charged, context.calls) == (0, False, [])
    (sent,) = fakes.requests("/chat/completions", "POST")
    assert sent.headers["authorization"] == "Bearer none"


async def test_model_that_litellm_does_not_list_costs_what_the_catalog_says(fakes: State) -> None:
    context = CountingContext()
    say(fakes, *(each | {"model": "openrouter/auto"} for each in (chunk("x", "stop"), usage(100, 7))))
    chat = Chat("openrouter", "openrouter/auto", MESSAGES, key=GOOD_KEY, address=f"{fakes.url}/openai/v1")
    assert (await result_of(chat, context)).usd == pytest.approx(100 * 1e-6 + 7 * 5e-6)


async def test_connection_of_a_reader_that_stops_early_is_closed() -> None:
    closed = asyncio.Event()

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        writer.write(head + f"data: {json.dumps(chunk('abcd'))}\n\n".encode())
        while await reader.read(1 << 16):
            pass
        closed.set()
        writer.close()

    async with await asyncio.start_server(stream, "127.0.0.1", 0) as server, asyncio.timeout(20):
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        parts = stream_chat(
            Chat("openai", MODEL, MESSAGES, key=GOOD_KEY, address=address), seen_by(CountingContext())
        )
        assert await anext(parts) == TextDelta("abcd")
        await parts.aclose()
        await closed.wait()
