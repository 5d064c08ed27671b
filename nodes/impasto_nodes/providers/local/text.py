"""The local adapter for text: a language model on this machine, or the brief's own words by rules."""

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from impasto import Context
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.litellm.chat import Chat, stream_chat
from impasto_nodes.providers.litellm.lazy_import import library
from impasto_nodes.providers.litellm.text import messages_for, options_for
from impasto_nodes.providers.local.errors import ModelMissing
from impasto_nodes.providers.local.language_models.model_file import find_model
from impasto_nodes.providers.local.language_models.served import KEY, Served, serve
from impasto_nodes.providers.local.text_generation import vocabulary
from impasto_nodes.providers.local.text_generation.fields import FieldWriter, is_simple
from impasto_nodes.providers.local.text_generation.judgement import Task, faults, faults_of_data, is_shown
from impasto_nodes.providers.local.text_generation.prompts import ask_by_example, sampling
from impasto_nodes.providers.local.text_generation.quality_score import GOOD_ENOUGH, data_score, text_score
from impasto_nodes.providers.local.text_generation.schema_bounds import bounded
from impasto_nodes.providers.local.text_generation.stream_filter import SentenceGate, tidy_values
from impasto_nodes.providers.local.writing.arrange import text_of
from impasto_nodes.providers.local.writing.brief import read
from impasto_nodes.providers.protocols import TextDelta, TextPart, TextRequest, TextResult

_MAX_SENTENCES, _MAX_TOKENS, _MAX_DRAFTS = 3, 1024, 5
_SECONDS_FOR_DRAFTS = 5.0
_MAX_JUDGED_DRAFTS = 3
# A draft is judged by its beginning, so that the rest can be shown as it is written.
_JUDGED_CHARACTERS = 200
ARRANGER = "Arranged from the brief, without a language model (on this machine)"


class LocalText:
    """A `TextProvider` that needs no key and no network. Its texts end with a sentence."""

    async def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Yield the answer sentence by sentence; with a schema, as one JSON text.

        Each draft of a model is judged; one with faults is not shown. Without a draft that may be shown,
        and without a model that follows instructions, texts are arranged from the brief by rules, except
        answers to questions and data of an involved shape.
        """
        written = await _writing(request, context)
        async with aclosing(written):
            async for part in written:
                yield part


async def _writing(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    if await _can_write(context):
        return _judged_drafts(await _serve(context), request, context)
    if _can_arrange(request):
        return _without_model(request, context)
    return _best_draft(await _serve(context), request, context)


async def _can_write(context: Context) -> bool:
    try:
        model = await asyncio.to_thread(find_model, context.configuration)
    except ModelMissing:
        return False
    return model.family.follows_instructions


def _can_arrange(request: TextRequest) -> bool:
    """Return whether rules can answer without a model: data of a simple shape, and texts but for answers."""
    if request.schema is not None:
        return is_simple(request.schema)
    return not Task(request.prompt).is_question


def _without_model(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    return _arranged(request, context) if request.schema is None else _field_by_field(request, context)


async def _judged_drafts(
    served: Served, request: TextRequest, context: Context
) -> AsyncGenerator[TextPart, None]:
    """Yield the first draft without faults; if there is none, what rules make, or else the last draft."""
    task, can_arrange = Task(request.prompt, request.system), _can_arrange(request)
    await asyncio.to_thread(vocabulary.load, task.language)
    for attempt in range(_MAX_JUDGED_DRAFTS):
        context.progress(attempt / _MAX_JUDGED_DRAFTS, f"Draft {attempt + 1}")
        parts: list[TextPart] = []
        is_shown_anyway = attempt == _MAX_JUDGED_DRAFTS - 1 and not can_arrange
        async with aclosing(_draft(served, request, context, attempt)) as draft:
            try:
                found = await _judge_beginning(draft, parts, request, task)
            except CorruptOutput:
                if is_shown_anyway:
                    raise
                found = ["is not whole"]
            if not found or is_shown_anyway:
                for part in parts:
                    yield part
                async for part in draft:
                    yield part
                return
        context.log.info("a draft on this machine is not used: it %s", ", ".join(found))
    async with aclosing(_without_model(request, context)) as arranged:
        async for part in arranged:
            yield part


async def _judge_beginning(
    draft: AsyncGenerator[TextPart, None], parts: list[TextPart], request: TextRequest, task: Task
) -> list[str]:
    """Read as much of a draft as is judged into `parts`; return its faults. Data is read to its end."""
    written = ""
    async for part in draft:
        parts.append(part)
        written += part.text if isinstance(part, TextDelta) else ""
        if request.schema is None and len(written) >= _JUDGED_CHARACTERS:
            break
    return faults(written, task) if request.schema is None else faults_of_data(json.loads(written), task)


async def _best_draft(
    served: Served, request: TextRequest, context: Context
) -> AsyncGenerator[TextPart, None]:
    best: list[TextPart] = []
    made, loop = -math.inf, asyncio.get_running_loop()
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
        found = _score(parts[-1], request)
        if found > made:
            best, made = parts, found
        if made >= GOOD_ENOUGH or loop.time() > enough:
            break
    for part in best:
        yield part


def _opens_well(part: TextPart, request: TextRequest) -> bool:
    """Return whether a draft's first sentence is good enough to stream the rest of the draft."""
    return request.schema is None and text_score(part.text, request.prompt) >= GOOD_ENOUGH


async def _field_by_field(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    tokens, name = 0.0, ARRANGER

    async def constrain(schema: Mapping[str, Any]) -> Any:
        nonlocal tokens, name
        served = await _serve(context)
        name = served.shown
        context.progress(0.5, "Writing")
        chat = _chat(served, replace(request, schema=schema), context, 0)
        last = [part async for part in stream_chat(chat, context)][-1]
        assert isinstance(last, TextResult)
        tokens += last.units["tokens_out"]
        return _data_of(last)

    assert request.schema is not None
    data = await FieldWriter(read(request.prompt, request.system), constrain).fill(request.schema)
    text = json.dumps(data, ensure_ascii=False)
    yield TextResult(text=text, provider="local", model=name, units={"tokens_out": tokens} if tokens else {})


async def _arranged(request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
    """Yield the brief's sentences as the text that the system prompt asks for."""
    context.progress(0.5, "Writing")
    text = text_of(read(request.prompt, request.system), request.system)
    if not text:
        raise CorruptOutput("local", "no text", "the brief holds no word")
    yield TextDelta(text)
    yield TextResult(text=text, provider="local", model=ARRANGER)


def _score(part: TextPart, request: TextRequest) -> float:
    """Return a draft's score for the request."""
    if request.schema is None:
        return text_score(part.text, request.prompt)
    return data_score(json.loads(part.text), request.prompt)


async def _serve(context: Context) -> Served:
    served, _ = await asyncio.gather(serve(context), library())
    return served


def _draft(
    served: Served, request: TextRequest, context: Context, attempt: int
) -> AsyncGenerator[TextPart, None]:
    parts = stream_chat(_chat(served, request, context, attempt), context)
    return _as_json(parts) if request.schema is not None else _as_sentences(parts, served, request)


def _chat(served: Served, request: TextRequest, context: Context, attempt: int) -> Chat:
    family = served.model.family
    schema = (
        None if request.schema is None else bounded(request.schema, plain=not family.follows_instructions)
    )
    seed = context.seed if request.seed is None else request.seed
    options = options_for(TextRequest(model="", prompt="", schema=schema))
    options |= sampling(family, request.temperature, seed, attempt)
    options["max_tokens"] = min(request.max_tokens or _MAX_TOKENS, _budget(served, schema is not None))
    if not family.follows_instructions:
        messages: list[dict[str, Any]] = list(ask_by_example(request.system, request.prompt, schema))
        options |= {} if schema is not None else {"stop": ["\n\n", "Brief:"]}
    elif family.takes_system:
        messages = messages_for(TextRequest(model="", prompt=request.prompt, system=request.system))
    else:
        whole = f"{request.system}\n\n{request.prompt}".strip()
        messages = messages_for(TextRequest(model="", prompt=whole))
    return Chat(
        "local", served.model.name, messages, KEY, served.address, served.shown, options, may_be_empty=True
    )


def _budget(served: Served, structured: bool) -> int:
    if structured:
        return _MAX_TOKENS
    return 400 if served.model.family.follows_instructions else 160


async def _as_sentences(
    parts: AsyncGenerator[TextPart, None], served: Served, request: TextRequest
) -> AsyncGenerator[TextPart, None]:
    gate = SentenceGate(_MAX_SENTENCES)
    if served.model.family.follows_instructions:
        task = Task(request.prompt, request.system)
        gate = SentenceGate(40, lambda sentence: is_shown(sentence, task))
    written = 0
    async with aclosing(parts):
        async for part in parts:
            if isinstance(part, TextDelta):
                written += 1
                if shown := gate.feed(part.text):
                    yield TextDelta(shown)
                if not gate.closed:
                    continue
                result = TextResult(
                    text="", provider="local", model=served.shown, units={"tokens_out": written}
                )
            else:
                result = part
            rest = gate.cut() if result.is_truncated else gate.finish()
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
    return json.dumps(tidy_values(_data_of(result)), ensure_ascii=False)


def _data_of(result: TextResult) -> Any:
    """Return the data of an answer. Raises `CorruptOutput` for an answer that was cut off."""
    try:
        return json.loads(result.text)
    except ValueError:
        raise CorruptOutput("local", "JSON", result.text) from None
