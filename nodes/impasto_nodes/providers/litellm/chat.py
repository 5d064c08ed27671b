"""One streamed chat completion through litellm."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from impasto_nodes.providers.errors import CorruptOutput, Moderated, StreamDropped
from impasto_nodes.providers.litellm.errors import map_exceptions
from impasto_nodes.providers.litellm.finish_reason import FinishReason
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextResult

MAX_CHARACTERS = 400_000
_TIMEOUT = 180.0


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat to send. `shown` is the model's name in results; `options` are passed to litellm as they are."""

    provider: str
    model: str
    messages: list[dict[str, Any]]
    key: str = field(default="", repr=False)
    address: str = ""
    shown: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


async def stream_chat(chat: Chat) -> AsyncGenerator[TextPart, None]:
    """Yield the answer's deltas, then the complete answer with its cost."""
    litellm = await library()
    pieces: list[str] = []
    async with map_exceptions(chat.provider, chat.model, chat.key):
        answer = await litellm.acompletion(**_arguments(chat))
        finish, usage = FinishReason(answer, chat.provider), None
        async with aclosing(_chunks(answer)) as chunks:
            async for chunk in chunks:
                usage = getattr(chunk, "usage", None) or usage
                text = _text(chunk)
                if text:
                    pieces.append(text)
                    yield TextDelta(text)
                if sum(map(len, pieces)) > MAX_CHARACTERS:
                    raise CorruptOutput(chat.provider, f"a text of more than {MAX_CHARACTERS} characters")
        yield _result(litellm, chat, "".join(pieces), usage, finish.reason)


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
        "api_key": chat.key or "none",
        **chat.options,
    }
    return arguments | ({"api_base": chat.address} if chat.address else {})


def _text(chunk: Any) -> str:
    choices = getattr(chunk, "choices", None)
    return (choices[0].delta.content or "") if choices else ""


def _result(litellm: Any, chat: Chat, text: str, usage: Any, finish: str | None) -> TextResult:
    if finish is None:
        raise StreamDropped(chat.provider, f"the stream ended after {len(text)} characters without a reason")
    if finish == "content_filter":
        raise Moderated(chat.provider, "the answer was withheld")
    tokens_in, tokens_out = (getattr(usage, name, 0) or 0 for name in ("prompt_tokens", "completion_tokens"))
    return TextResult(
        text=text,
        provider=chat.provider,
        model=chat.shown or chat.model,
        usd=_price(litellm, chat, usage, tokens_in, tokens_out),
        units={"tokens_in": tokens_in, "tokens_out": tokens_out},
        is_truncated=finish == "length",
    )


def _price(litellm: Any, chat: Chat, usage: Any, tokens_in: int, tokens_out: int) -> float:
    if chat.provider in {"local", "ollama"}:
        return 0.0
    charged = getattr(usage, "cost", None)  # OpenRouter reports what it charged
    if isinstance(charged, int | float):
        return float(charged)
    try:
        prices = litellm.cost_per_token(
            model=full_name(chat.provider, chat.model), prompt_tokens=tokens_in, completion_tokens=tokens_out
        )
    except Exception:  # noqa: BLE001 - litellm raises several types for a model without a price
        return 0.0
    return float(sum(prices))
