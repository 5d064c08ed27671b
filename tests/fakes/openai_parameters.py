"""Checks a request body against the parameter types of OpenAI's own SDK."""

from collections.abc import Mapping
from typing import Any

from openai.types import image_edit_params, image_generate_params
from openai.types.audio import speech_create_params, transcription_create_params
from openai.types.chat import completion_create_params
from pydantic import ConfigDict, TypeAdapter, ValidationError

_STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class Generation(image_generate_params.ImageGenerateParamsNonStreaming):
    __pydantic_config__ = _STRICT  # type: ignore[misc]  # a TypedDict's only place for its configuration


class Chat(completion_create_params.CompletionCreateParamsNonStreaming):
    __pydantic_config__ = _STRICT  # type: ignore[misc]


class StreamedChat(completion_create_params.CompletionCreateParamsStreaming):
    __pydantic_config__ = _STRICT  # type: ignore[misc]


class Speech(speech_create_params.SpeechCreateParams):
    __pydantic_config__ = _STRICT  # type: ignore[misc]


EDIT_FIELDS = frozenset(image_edit_params.ImageEditParamsNonStreaming.__annotations__)
EDIT_FIELDS |= frozenset(image_edit_params.ImageEditParamsBase.__annotations__) | {"image[]"}
TRANSCRIPTION_FIELDS = frozenset(
    transcription_create_params.TranscriptionCreateParamsBase.__annotations__
) | {
    "stream",
    "timestamp_granularities[]",
}
# What OpenRouter, which speaks the same protocol, adds to a chat's body.
OPENROUTER_FIELDS = frozenset({"usage"})


def problem_of(body: Mapping[str, Any], kind: type) -> str:
    """The service's sentence about the body's first wrong field; empty if there is none."""
    try:
        TypeAdapter(kind).validate_python(dict(body))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"][:1]))
        unknown = first["type"] == "extra_forbidden"
        return f"Unknown parameter: '{name}'." if unknown else f"Invalid value for '{name}': {first['msg']}"
    return ""


def unknown_field(fields: frozenset[str], sent: Mapping[str, Any]) -> str:
    """The service's sentence about the first unknown field of a form; empty if there is none."""
    return next((f"Unknown parameter: '{name}'." for name in sent if name not in fields), "")
