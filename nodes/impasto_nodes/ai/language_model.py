"""The language model node."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from impasto import SKIP, Brand, Context, Image, Json, Port, Setting, Text, node
from impasto_nodes.ai.answers import account, data_of
from impasto_nodes.ai.expected_tokens import expected_tokens
from impasto_nodes.ai.presets import NAMES, as_text, meaning_of, schema_for
from impasto_nodes.ai.prompt_template import LANGUAGES, in_language, render, with_brand_voice
from impasto_nodes.ai.vision import load_images
from impasto_nodes.providers.discovery import choose, model_options
from impasto_nodes.providers.protocols import SHORT_ANSWER_TOKENS, TextDelta, TextRequest
from impasto_nodes.providers.registry import provider_choices, text_provider
from impasto_nodes.providers.schemas.answers import require_schema, schema_problems
from impasto_nodes.providers.validation import expected_cost, expected_provider, problems_with

_WRITING_SECONDS = 20.0


def _meaning_of_text(settings: Mapping[str, Any]) -> str | None:
    return "post" if settings.get("reads_as") == "post" else None


class Written(NamedTuple):
    """The outputs of the language model node."""

    output: Annotated[Text, Port(title="Text", meaning=_meaning_of_text, text_of="data")]
    data: Annotated[
        Json,
        Port(title="Data", help="The answer as data, when an output schema is set.", meaning=meaning_of),
    ]


async def list_models(query: str, context: Context | None) -> list[dict[str, Any]]:
    """Return the language models to choose from."""
    return await model_options("text", query, context)


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems of the settings that are known before a run."""
    yield from problems_with("text", settings, configured)
    if settings.get("output_schema_preset") == "custom":
        yield from schema_problems(settings.get("schema") or {})
    if settings.get("output_schema_preset") == "custom" and not settings.get("schema"):
        yield {
            "code": "bad_setting",
            "message": "The output schema is custom, but has no fields.",
            "setting": "schema",
            "hint": "Add a field, or choose a preset.",
            "severity": "warning",
        }


def estimate(
    settings: Mapping[str, Any], inputs: Mapping[str, Any], configured: frozenset[str]
) -> dict[str, Any]:
    """Estimate the list price of the input and of the longest answer, 400 tokens if no limit is set."""
    tokens_in, tokens_out = expected_tokens(settings, inputs)
    local = (
        _expected_draft(settings, inputs)
        if expected_provider("text", settings, configured) == "local"
        else {}
    )

    def cost(tokens: int) -> dict[str, Any]:
        return expected_cost(
            "text",
            settings,
            configured,
            lambda model: (tokens_in * model.input_price_usd + tokens * model.price_usd) / 1000,
        )

    shortest = cost(min(tokens_out, SHORT_ANSWER_TOKENS))
    return {**cost(tokens_out), "at_least": shortest["usd"], "seconds": 4.0, **local}


def _expected_draft(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the local model will answer to a known prompt: its notices, and the text if it is plain.

    A downloaded model that follows instructions writes by itself, in the languages that it knows.
    """
    from impasto_nodes.providers.local.language_models.model_file import writes_by_itself
    from impasto_nodes.providers.local.notices import text_notices
    from impasto_nodes.providers.local.writing.arrange import text_of
    from impasto_nodes.providers.local.writing.brief import read

    prompt, task = inputs.get("prompt"), str(settings.get("system_prompt") or "")
    if not isinstance(prompt, str) or not prompt.strip():
        return {"seconds": 1.0}
    if writes_by_itself():
        return {"seconds": _WRITING_SECONDS}
    language = str(settings.get("language", LANGUAGES[0]))
    wanted = "" if language == LANGUAGES[0] else language
    expected: dict[str, Any] = {"seconds": 1.0, "notices": list(text_notices(prompt, task, wanted))}
    if settings.get("output_schema_preset", "none") == "none":
        expected["value"] = text_of(read(prompt), task)
    return expected


@node(
    id="language_model",
    title="Language model",
    category="ai_models",
    keywords=(
        "llm",
        "gpt",
        "chat",
        "write",
        "text",
        "translate",
        "translation",
        "summarize",
        "rewrite",
        "copy",
        "prompt",
        "caption",
    ),
    generative=True,
    retries=2,
    timeout=600,
    variables="system_prompt",
    check=find_problems,
    cost=estimate,
)
async def language_model(
    prompt: Annotated[Text, Port(help="What to write about.")],
    brand: Annotated[Brand | None, Port(help="How to sound.")] = None,
    pictures: Annotated[list[Image] | None, Port(title="Images", help="What the model looks at.")] = None,
    *,
    provider: Annotated[str, Setting(choices=provider_choices("text"), widget="select")] = "auto",
    model: Annotated[str, Setting(options="list_models", widget="select", placeholder="Best available")] = "",
    system_prompt: Annotated[
        str, Setting(widget="long_text", placeholder="What to write, and how. {{name}} makes an input.")
    ] = "",
    output_schema_preset: Annotated[
        str, Setting(choices=NAMES, widget="select", title="Output schema")
    ] = "none",
    schema: Annotated[
        dict[str, Any] | None,
        Setting(
            widget="schema",
            shown_if={"output_schema_preset": "custom"},
            title="Custom schema",
            help="The fields of the answer.",
        ),
    ] = None,
    temperature: Annotated[float | None, Setting(ge=0, le=2, step=0.1, advanced=True)] = None,
    max_tokens: Annotated[
        int | None, Setting(ge=1, le=32_000, advanced=True, title="Longest answer", unit="tokens")
    ] = None,
    language: Annotated[
        str,
        Setting(choices=LANGUAGES, widget="select"),
    ] = LANGUAGES[0],
    reads_as: Annotated[
        Literal["text", "post"],
        Setting(advanced=True, help="How results show a plain text: a post is set as it would look."),
    ] = "text",
    variables: dict[str, Text],
    context: Context,
) -> AsyncIterator[Written]:
    """Writes text from a prompt.

    Give it a task in the system prompt. Each `{{name}}` there becomes an input of its own. With an output
    schema the answer also comes as data, checked against it; an answer that does not fit is corrected once.
    """
    del reads_as  # read by the meaning of the output
    choice = await choose("text", provider, model, context)
    shape = schema_for(output_schema_preset, schema)
    await asyncio.to_thread(require_schema, shape or {})  # may take half a second
    request = TextRequest(
        model=choice.model,
        prompt=prompt,
        system=with_brand_voice(in_language(render(system_prompt, variables), language), brand),
        images=await load_images(pictures or [], context),
        schema=shape,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    context.record_generation(provider=choice.provider, model=choice.model, prompt=prompt)
    async for part in text_provider(choice.provider).stream(request, context):
        if isinstance(part, TextDelta):
            _show(part.text, shape, context)
        else:
            account(part, request, context)
            if shape is None:
                yield Written(part.text, SKIP)
            else:
                data = await data_of(part, request, shape, choice.provider, context)
                yield await asyncio.to_thread(_written_as_data, data)


def _show(text: str, shape: Mapping[str, Any] | None, context: Context) -> None:
    if shape is None:
        context.partial(text)
    else:
        context.progress(0.5, "Writing")


def _written_as_data(data: Any) -> Written:
    return Written(as_text(data), json.loads(json.dumps(data)))
