"""The local adapter for text: a small model behind llama.cpp's server, called through litellm."""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from impasto import Configuration, Context
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.litellm.chat import Chat, stream_chat
from impasto_nodes.providers.litellm.lazy_import import library
from impasto_nodes.providers.litellm.text import messages_for, options_for
from impasto_nodes.providers.local.errors import BadConfiguration, ModelMissing
from impasto_nodes.providers.local.fields import FieldWriter, is_simple
from impasto_nodes.providers.local.model_file import ModelFile, find_model
from impasto_nodes.providers.local.process import WorkerProcess
from impasto_nodes.providers.local.prompts import TINY_BYTES, ask_by_example, cool_sampling
from impasto_nodes.providers.local.quality_score import GOOD_ENOUGH, sense, sense_of_data
from impasto_nodes.providers.local.schema_bounds import bounded
from impasto_nodes.providers.local.stream_filter import SentenceGate, tidy_values
from impasto_nodes.providers.local.writing.arrange import text_of
from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextRequest, TextResult

_MAX_SENTENCES, _MAX_TOKENS, _MAX_DRAFTS = 3, 1024, 5
_SECONDS_FOR_DRAFTS = 5.0
ARRANGER = "Arranged from the brief, without a language model (on this machine)"
_KEY = secrets.token_urlsafe(24)
_worker = WorkerProcess("impasto_nodes.providers.local.workers.llm:serve", memory_mb=12_000)


@dataclass(frozen=True, slots=True)
class _Served:
    model: ModelFile
    address: str
    tiny: bool

    @property
    def shown(self) -> str:
        keeping = ", keeping to the brief" if self.tiny else ""
        return f"{self.model.name}{keeping} (on this machine)"


class LocalText:
    """A `TextProvider` that needs no key and no network. Its texts are short and end with a sentence."""

    async def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Yield the answer sentence by sentence; with a schema, as one JSON text.

        A tiny model invents facts, so without a larger one texts are arranged from the brief by rules. A
        tiny model answers only questions freely: the best of several drafts is used.
        """
        written = await _writing(request, context)
        async with aclosing(written):
            async for part in written:
                yield part


async def _writing(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    is_field_by_field = request.schema is not None and is_simple(request.schema)
    is_plain = request.schema is None and not request.prompt.rstrip().endswith("?")
    if (is_field_by_field or is_plain) and await _has_no_capable_model(context):
        return _field_by_field(request, context) if is_field_by_field else _arranged(request, context)
    served = await _serve(context)
    return _best_draft(served, request, context) if served.tiny else _draft(served, request, context, 0)


async def _has_no_capable_model(context: Context) -> bool:
    try:
        model = await find_model(context.configuration, context.progress)
    except ModelMissing:
        return True
    return await asyncio.to_thread(_is_tiny, model)


def _is_tiny(model: ModelFile) -> bool:
    return model.path.stat().st_size < TINY_BYTES


async def _best_draft(
    served: _Served, request: TextRequest, context: Context
) -> AsyncGenerator[TextPart, None]:
    best: list[TextPart] = []
    made, loop = -1.0, asyncio.get_running_loop()
    enough = loop.time() + _SECONDS_FOR_DRAFTS
    for attempt in range(_MAX_DRAFTS):
        context.progress(attempt / _MAX_DRAFTS, f"Draft {attempt + 1}")
        parts: list[TextPart] = []
        async with aclosing(_draft(served, request, context, attempt)) as draft:
            async for part in draft:
                parts.append(part)
                if len(parts) == 1 and _opens_well(part, request):
                    yield part
                    async for later in draft:
                        yield later
                    return
        found = sense_of(parts[-1], request)
        if not best or found > made:
            best, made = parts, found
        if made >= GOOD_ENOUGH or loop.time() > enough:
            break
    for part in best:
        yield part


def _opens_well(part: TextPart, request: TextRequest) -> bool:
    """Return whether a draft's first sentence is good enough to stream the rest of the draft."""
    return request.schema is None and sense(part.text, request.prompt) >= GOOD_ENOUGH


async def _field_by_field(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    tokens, name = 0.0, ARRANGER

    async def constrain(schema: Mapping[str, Any]) -> Any:
        nonlocal tokens, name
        served = await _serve(context)
        name = served.shown
        context.progress(0.5, "Writing")
        chat = _chat(served, replace(request, schema=schema), context, 0)
        last = [part async for part in stream_chat(chat, context)][-1]
        tokens += last.units["tokens_out"] if isinstance(last, TextResult) else 0
        return json.loads(last.text)

    assert request.schema is not None
    data = await FieldWriter(read(request.prompt, request.system), constrain).fill(request.schema)
    text = json.dumps(data, ensure_ascii=False)
    yield TextResult(text, "local", name, units={"tokens_out": tokens} if tokens else {})


async def _arranged(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    """Yield the brief's sentences as the text that the system prompt asks for."""
    context.progress(0.5, "Writing")
    text = text_of(read(request.prompt, request.system), request.system)
    if not text:
        raise CorruptOutput("local", "no text", "the brief holds no word")
    yield TextDelta(text)
    yield TextResult(text, "local", ARRANGER)


def sense_of(part: TextPart, request: TextRequest) -> float:
    """Return a draft's score for the request."""
    if request.schema is None:
        return sense(part.text, request.prompt)
    return sense_of_data(json.loads(part.text), request.prompt)


def _draft(
    served: _Served, request: TextRequest, context: Context, attempt: int
) -> AsyncGenerator[TextPart, None]:
    parts = stream_chat(_chat(served, request, context, attempt), context)
    return _as_json(parts) if request.schema is not None else _as_sentences(parts, served)


async def _serve(context: Context) -> _Served:
    context.progress(0.0, "Preparing the language model on this machine")
    model, _ = await asyncio.gather(find_model(context.configuration, context.progress), library())
    task = {
        "model": str(model.path),
        "key": _KEY,
        "threads": _threads(context.configuration),
    }
    answer = await _worker.ask(task, context.progress)
    return _Served(model, f"{answer['address']}/v1", await asyncio.to_thread(_is_tiny, model))


def _threads(configuration: Configuration) -> int:
    """Return IMPASTO_LOCAL_THREADS; 0 means all cores. Raises `BadConfiguration` if it is not a number."""
    text = configuration.text("IMPASTO_LOCAL_THREADS", "0")
    if not text.isdecimal():
        raise BadConfiguration("IMPASTO_LOCAL_THREADS", "a whole number from 0", text)
    return int(text)


def _chat(served: _Served, request: TextRequest, context: Context, attempt: int) -> Chat:
    schema = None if request.schema is None else bounded(request.schema, plain=served.tiny)
    seed = context.seed if request.seed is None else request.seed
    options = options_for(TextRequest(model="", prompt="", schema=schema))
    options |= cool_sampling(request.temperature, seed, attempt)
    options["max_tokens"] = min(request.max_tokens or _MAX_TOKENS, _budget(served, schema is not None))
    if served.tiny:
        messages: list[dict[str, Any]] = list(ask_by_example(request.system, request.prompt, schema))
        options |= {} if schema is not None else {"stop": ["\n\n", "Brief:"]}
    else:
        messages = messages_for(TextRequest(model="", prompt=request.prompt, system=request.system))
    return Chat(
        "local", served.model.name, messages, _KEY, served.address, served.shown, options, may_be_empty=True
    )


def _budget(served: _Served, structured: bool) -> int:
    if structured:
        return _MAX_TOKENS
    return 160 if served.tiny else 400


async def _as_sentences(
    parts: AsyncGenerator[TextPart, None], served: _Served
) -> AsyncGenerator[TextPart, None]:
    gate = SentenceGate(_MAX_SENTENCES if served.tiny else 40)
    written = 0
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, TextDelta):
                written += 1
                if shown := gate.feed(part.text):
                    yield TextDelta(shown)
                if not gate.closed:
                    continue
                result = TextResult("", "local", served.shown, units={"tokens_out": written})
            else:
                result = part
            rest = gate.cut() if result.is_truncated or gate.closed else gate.finish()
            if rest:
                yield TextDelta(rest)
            yield replace(result, text=gate.passed.strip())
            return


async def _as_json(parts: AsyncGenerator[TextPart, None]) -> AsyncGenerator[TextPart, None]:
    async for part in parts:
        if isinstance(part, TextResult):
            text = _tidied(part)
            yield TextDelta(text)
            yield replace(part, text=text)


def _tidied(result: TextResult) -> str:
    try:
        return json.dumps(tidy_values(json.loads(result.text)), ensure_ascii=False)
    except ValueError:
        raise CorruptOutput("local", "JSON", result.text) from None
