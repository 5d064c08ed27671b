"""One streamed chat completion through litellm."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import (
    BudgetCut,
    CorruptOutput,
    EmptyAnswer,
    Moderated,
    ProviderError,
    Refused,
    StreamDropped,
)
from impasto_nodes.providers.litellm.chat_price import bounds_of, charge_unfinished, price_of
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.finish_reason import FinishReason
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.litellm.own_server import client_for_own_server
from impasto_nodes.providers.paid_calls import MAY_BE_BILLED, free_call, is_free
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextResult

MAX_CHARACTERS = 400_000
_TIMEOUT = 180.0


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat to send.

    `shown` is the model's name in results; `options` and `credentials`, those besides the key by litellm's
    names, are passed to litellm as they are. `secrets` are kept out of errors. `may_be_empty`: an answer
    without text is a result.
    """

    provider: str
    model: str
    messages: list[dict[str, Any]]
    key: str = field(default="", repr=False)
    address: str = ""
    shown: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    may_be_empty: bool = False
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


class _Answer:
    """The received part of an answer."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.pieces: list[str] = []
        self.size = 0
        self.refusal = ""
        self.usage: Any = None
        self.finish: str | None = None
        self.has_begun = False

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def add(self, chunk: Any) -> str:
        """Add a chunk and return its text. Raises CorruptOutput for an answer that is too long."""
        self.has_begun = True
        self.usage = getattr(chunk, "usage", None) or self.usage
        delta = chunk.choices[0].delta if getattr(chunk, "choices", None) else None
        self.refusal += _refusal(delta)
        text = str(getattr(delta, "content", None) or "")
        self.pieces.append(text)
        self.size += len(text)
        if self.size > MAX_CHARACTERS:
            raise CorruptOutput(self.chat.provider, f"a text of more than {MAX_CHARACTERS} characters")
        return text


async def stream_chat(chat: Chat, context: Context) -> AsyncGenerator[TextPart, None]:
    """Yield the answer's deltas, then the complete answer with its cost, which is charged unless it is free.

    In a run with a budget the answer is limited to the tokens that the budget pays. An answer that is
    refused, empty or interrupted is charged, too.
    """
    bounds = bounds_of(chat.provider, chat.model, chat.messages, chat.options)
    reserved, at_least = (bounds.max_usd, bounds.at_least) if bounds is not None else (None, None)
    litellm = await library()
    answer = _Answer(chat)
    async with (
        free_call() if is_free(chat.provider) else context.reserve(reserved, at_least=at_least)
    ) as call:
        max_tokens = None
        if bounds is not None and bounds.max_usd > 0 and call.max_usd is not None:
            max_tokens = bounds.tokens_within(call.max_usd)
        try:
            async with map_exceptions(chat.provider, chat.model, chat.key, *chat.secrets):
                async for text in _texts(litellm, chat, max_tokens, answer):
                    yield TextDelta(text)
                result = _result(litellm, chat, answer)
        except BaseException as error:
            if answer.has_begun or not isinstance(error, ProviderError) or error.code in MAY_BE_BILLED:
                charge_unfinished(call, bounds, answer.text)
            raise
        call.charge(result.usd, **result.units)
        is_cut = bounds is not None and max_tokens is not None and max_tokens < bounds.tokens_out
        _require_answer(chat, answer, result, max_tokens if is_cut else None)
    yield result


async def _texts(
    litellm: Any, chat: Chat, max_tokens: int | None, answer: _Answer
) -> AsyncGenerator[str, None]:
    """Send the chat and yield the parts of its text."""
    arguments = _arguments(chat) | ({} if max_tokens is None else {"max_tokens": max_tokens})
    own = client_for_own_server(litellm, chat.provider, chat.address, chat.key, _TIMEOUT)
    async with own as client:
        stream = await litellm.acompletion(**arguments, **client)
        finish = FinishReason(stream, chat.provider)
        async with aclosing(_chunks(stream)) as chunks:
            async for chunk in chunks:
                text = answer.add(chunk)
                if text:
                    yield text
    answer.finish = finish.reason


def _require_answer(chat: Chat, answer: _Answer, result: TextResult, max_tokens: int | None) -> None:
    """Raise if the answer is none; `max_tokens` is the limit that the budget has set."""
    model = chat.shown or chat.model
    is_withheld = answer.finish == "content_filter"
    if is_withheld and chat.provider != "anthropic":
        raise Moderated(chat.provider, "the answer was withheld")
    if is_withheld or (answer.refusal and not result.text.strip()):
        raise Refused(chat.provider, model, answer.refusal)
    if result.is_truncated and max_tokens is not None:
        raise BudgetCut(chat.provider, max_tokens)
    if not result.text.strip() and not chat.may_be_empty:
        detail = f"it ended with {answer.finish}"
        raise EmptyAnswer(chat.provider, model, detail, is_truncated=result.is_truncated)


def _refusal(delta: Any) -> str:
    own = getattr(delta, "refusal", None)
    others = getattr(delta, "provider_specific_fields", None) or {}
    return str(own or others.get("refusal") or "")


async def _chunks(answer: Any) -> AsyncGenerator[Any, None]:
    """Yield the chunks and close the connection in any case: that is what stops a cancelled answer."""
    try:
        while True:
            async with asyncio.timeout(_TIMEOUT):  # not every client in litellm applies its own timeout
                chunk = await anext(answer, None)
            if chunk is None:
                return
            yield chunk
    finally:
        stream = getattr(answer, "completion_stream", None)
        close = getattr(stream, "aclose", None) or getattr(stream, "close", None)
        closing = close() if close is not None else None
        if inspect.isawaitable(closing):  # some streams close synchronously
            await closing


def _arguments(chat: Chat) -> dict[str, Any]:
    arguments = {
        "model": full_name(chat.provider, chat.model),
        "messages": chat.messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        "num_retries": 0,
        "max_retries": 0,
        "timeout": _TIMEOUT,
        **({} if chat.credentials and not chat.key else {"api_key": chat.key or "none"}),
        **chat.credentials,
        **chat.options,
    }
    return arguments | ({"api_base": chat.address} if chat.address else {})


def _result(litellm: Any, chat: Chat, answer: _Answer) -> TextResult:
    text, usage = answer.text, answer.usage
    if answer.finish is None:
        raise StreamDropped(chat.provider, f"the stream ended after {len(text)} characters without a reason")
    tokens_in, tokens_out = (getattr(usage, name, 0) for name in ("prompt_tokens", "completion_tokens"))
    return TextResult(
        text=text,
        provider=chat.provider,
        model=chat.shown or chat.model,
        usd=_price(litellm, chat, usage, tokens_in, tokens_out),
        units={"tokens_in": tokens_in, "tokens_out": tokens_out},
        is_truncated=answer.finish == "length",
        is_charged=not is_free(chat.provider),
    )


def _price(litellm: Any, chat: Chat, usage: Any, tokens_in: int, tokens_out: int) -> float:
    if is_free(chat.provider):
        return 0.0
    charged = getattr(usage, "cost", None)  # OpenRouter reports what it charged
    if isinstance(charged, int | float):
        return float(charged)
    try:
        prices = litellm.cost_per_token(
            model=full_name(chat.provider, chat.model), prompt_tokens=tokens_in, completion_tokens=tokens_out
        )
    except Exception:  # noqa: BLE001 - litellm raises several types for a model without a price
        known = price_of(chat.provider, chat.model)
        return known.usd(tokens_in, tokens_out) if known is not None else 0.0
    return float(sum(prices))
