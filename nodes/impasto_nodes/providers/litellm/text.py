"""Text through litellm."""

import base64
import hashlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.litellm.chat import Chat, stream_chat
from impasto_nodes.providers.text import Picture, TextPart, TextRequest


class LiteLLMText:
    """A TextProvider for any provider that litellm knows."""

    def __init__(self, provider: str) -> None:
        self.provider = provider

    async def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Answer piece by piece; a retry carries the same idempotency key, another question its own."""
        access = await access_to(self.provider, context)
        chat = Chat(
            self.provider,
            request.model,
            messages_for(request),
            key=access.key,
            address=access.address,
            options=options_for(request) | {"extra_headers": {"Idempotency-Key": _key(request, context)}},
        )
        async for part in stream_chat(chat):
            yield part


def _key(request: TextRequest, context: Context) -> str:
    """A step may ask more than once: who takes such keys gives the first answer to a second question."""
    asked = hashlib.blake2b(request.prompt.encode("utf-8", "surrogatepass"), digest_size=8)
    return f"{context.idempotency_key}:{asked.hexdigest()}"


def messages_for(request: TextRequest) -> list[dict[str, Any]]:
    """The request as chat messages."""
    system = [{"role": "system", "content": request.system}] if request.system else []
    if not request.pictures:
        return [*system, {"role": "user", "content": request.prompt}]
    words = {"type": "text", "text": request.prompt}
    pictures = [{"type": "image_url", "image_url": {"url": _inline(picture)}} for picture in request.pictures]
    return [*system, {"role": "user", "content": [words, *pictures]}]


def options_for(request: TextRequest) -> dict[str, Any]:
    """The dials that are set, as litellm names them."""
    dials = {"temperature": request.temperature, "max_tokens": request.max_tokens, "seed": request.seed}
    options: dict[str, Any] = {name: value for name, value in dials.items() if value is not None}
    if request.schema is not None:
        wanted = {"name": "answer", "schema": dict(request.schema), "strict": is_closed(request.schema)}
        options["response_format"] = {"type": "json_schema", "json_schema": wanted}
    return options


def _inline(picture: Picture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def is_closed(schema: Any) -> bool:
    """Whether every object in a schema lists all it may hold: what providers ask of a strict one."""
    if isinstance(schema, list):
        return all(map(is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    names = schema.get("properties")
    open_object = schema.get("type") == "object" or names is not None
    if open_object and (
        schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names or ())
    ):
        return False
    return all(map(is_closed, schema.values()))
