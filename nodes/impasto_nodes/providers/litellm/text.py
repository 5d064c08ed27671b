"""The litellm adapter for text."""

import base64
import hashlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import EmptyAnswer
from impasto_nodes.providers.litellm.chat import Chat, stream_chat
from impasto_nodes.providers.litellm.lazy_import import full_name, library
from impasto_nodes.providers.litellm.schema_examples import describe_examples
from impasto_nodes.providers.protocols import ImageData, TextPart, TextRequest


class LiteLLMText:
    """A `TextProvider` for any provider that litellm supports."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Yield the answer as it arrives. Retries share an idempotency key until an answer is empty."""
        access = await access_to(self.provider, context)
        digest = _digest(request)
        memo = f"empty answers {digest}"
        empty_answers = await context.recall(memo) or 0
        headers = {"Idempotency-Key": _idempotency_key(digest, empty_answers, context)}
        if request.temperature is not None and not await takes_temperature(self.provider, request):
            context.log.warning("%s ignores the temperature", request.model)
            context.progress(0.0, f"{request.model} has no temperature: the setting is ignored.")
        chat = Chat(
            self.provider,
            request.model,
            messages_for(request),
            key=access.key,
            address=access.address,
            credentials=access.more,
            secrets=access.secrets,
            options=options_for(request) | {"extra_headers": headers},
        )
        try:
            async for part in stream_chat(chat, context):
                yield part
        except EmptyAnswer:
            await context.remember(memo, empty_answers + 1)
            raise


def _digest(request: TextRequest) -> str:
    return hashlib.blake2b(request.prompt.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _idempotency_key(digest: str, empty_answers: int, context: Context) -> str:
    """Return a key for this question: a step that asks twice must not get the first answer again."""
    return ":".join([context.idempotency_key, digest, *([str(empty_answers)] if empty_answers else [])])


def messages_for(request: TextRequest) -> list[dict[str, Any]]:
    """Return the request as chat messages."""
    system = [{"role": "system", "content": request.system}] if request.system else []
    if not request.images:
        return [*system, {"role": "user", "content": request.prompt}]
    text = {"type": "text", "text": request.prompt}
    images = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in request.images]
    return [*system, {"role": "user", "content": [text, *images]}]


def options_for(request: TextRequest) -> dict[str, Any]:
    """Return the request's sampling settings and schema, if they are set, as litellm's arguments."""
    settings = {"temperature": request.temperature, "max_tokens": request.max_tokens, "seed": request.seed}
    options: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    if request.schema is not None:
        schema = describe_examples(request.schema)
        wanted = {"name": "answer", "schema": schema, "strict": is_closed(schema)}
        options["response_format"] = {"type": "json_schema", "json_schema": wanted}
    return options


async def takes_temperature(provider: str, request: TextRequest) -> bool:
    """Return whether litellm passes the temperature on; it leaves out what a model would refuse."""
    litellm = await library()
    litellm_provider, _, model = full_name(provider, request.model).partition("/")
    try:
        sent = litellm.utils.get_optional_params(
            model=model,
            custom_llm_provider=litellm_provider,
            temperature=request.temperature,
            drop_params=True,
        )
    except Exception:  # noqa: BLE001 - of a model that litellm does not know; the call itself says what is wrong
        return True
    return "temperature" in sent or "temperature" in (sent.get("options") or {})


def _data_url(image: ImageData) -> str:
    return f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"


def is_closed(schema: Any) -> bool:
    """Return whether every object in a schema lists all of its properties, as strict schemas must."""
    if isinstance(schema, list):
        return all(map(is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    names = schema.get("properties")
    is_object = schema.get("type") == "object" or names is not None
    if is_object and (
        schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names or ())
    ):
        return False
    return all(map(is_closed, schema.values()))
