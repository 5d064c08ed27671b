"""Checks request bodies against the providers' own SDKs and published schemas."""

import functools
import inspect
import re
import warnings
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
from anthropic.types import message_create_params
from anthropic.types.beta import message_create_params as beta_message_create_params
from elevenlabs import VoiceSettings
from elevenlabs.music.client import AsyncMusicClient
from elevenlabs.speech_to_text.client import AsyncSpeechToTextClient
from elevenlabs.text_to_dialogue.client import AsyncTextToDialogueClient
from elevenlabs.text_to_sound_effects.client import AsyncTextToSoundEffectsClient
from elevenlabs.text_to_speech.client import AsyncTextToSpeechClient
from elevenlabs.types import DialogueInput, ToDialogueSettingsResponseModel
from google.genai import types as genai
from google.genai.models import _GenerateVideosConfig_to_mldev
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from replicate.prediction import Predictions
from tests.fakes.openai_parameters import problem_of

_STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
# The names that Google's SDK writes into a body.
_VEO_PARAMETERS = frozenset(
    re.findall(r"'parameters', '(\w+)'", inspect.getsource(_GenerateVideosConfig_to_mldev))
)
_NOT_IN_A_BODY = {"self", "voice_id", "enable_logging", "optimize_streaming_latency", "output_format"}
_NOT_IN_A_BODY |= {"request_options"}
_V3_STABILITIES = (0.0, 0.5, 1.0)
MISTRAL_FIELDS = frozenset(
    {"model", "messages", "temperature", "top_p", "max_tokens", "stream", "stop", "random_seed", "metadata"}
    | {"response_format", "tools", "tool_choice", "presence_penalty", "frequency_penalty", "n", "prediction"}
    | {"parallel_tool_calls", "prompt_mode", "reasoning_effort", "safe_prompt"}
)
"""Of Mistral's published API."""
OLLAMA_FIELDS = frozenset(
    {"model", "messages", "tools", "think", "format", "options", "stream", "keep_alive"}
)
"""Of Ollama's published API."""


class _Message(message_create_params.MessageCreateParamsStreaming):
    __pydantic_config__ = _STRICT  # type: ignore[misc]  # a TypedDict's only place for its configuration


class _BetaMessage(beta_message_create_params.MessageCreateParamsStreaming):
    __pydantic_config__ = _STRICT  # type: ignore[misc]


class _GenerationConfig(genai.GenerationConfig):
    """With the field that the SDK declares beside it only."""

    image_config: genai.ImageConfig | None = None


class _GenerateContent(BaseModel):
    """The body of Gemini's `generateContent`, made of the parts that its SDK declares, in either spelling."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)

    contents: list[genai.Content]
    system_instruction: genai.Content | None = None
    generation_config: _GenerationConfig | None = None
    safety_settings: list[genai.SafetySetting] | None = None
    tools: list[genai.Tool] | None = None
    tool_config: genai.ToolConfig | None = None
    cached_content: str | None = None


def anthropic_problem(body: Mapping[str, Any], betas: str) -> str:
    """Return the problem of a body of Anthropic's messages; empty if there is none. `betas` is a header."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a field of the SDK's beta types shadows one of their base
        return problem_of(body, _BetaMessage if betas else _Message)


def gemini_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of Gemini's `generateContent`; empty if there is none."""
    try:
        _GenerateContent.model_validate(dict(body))
    except ValidationError as error:
        first = error.errors()[0]
        return f"Invalid JSON payload received. {'.'.join(map(str, first['loc']))}: {first['msg']}"
    return ""


def veo_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of Gemini's `predictLongRunning`; empty if there is none."""
    known = {"instances": {"prompt", "image"}, "parameters": _VEO_PARAMETERS}
    if unknown := sorted(set(body) - set(known)):
        return f'Invalid JSON payload received. Unknown name "{unknown[0]}"'
    (instance,) = body["instances"]
    for part, names in ((instance, known["instances"]), (body.get("parameters", {}), known["parameters"])):
        if unknown := sorted(set(part) - names):
            return f'Invalid JSON payload received. Unknown name "{unknown[0]}"'
    image = instance.get("image")
    if image is not None and set(image) != {"bytesBase64Encoded", "mimeType"}:
        return "Invalid value at 'instances[0].image'"
    seconds = body.get("parameters", {}).get("durationSeconds")
    return "" if type(seconds) is int else "Invalid value at 'parameters.durationSeconds'"


def replicate_problem(body: Mapping[str, Any], schema: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Return the problem of a prediction's body, or its input for the model; empty if there is none."""
    known = {"version", "input", *Predictions.CreatePredictionParams.__annotations__}
    unknown = sorted(set(body) - known)
    if unknown:
        return f"- {unknown[0]}: Additional property {unknown[0]} is not allowed"
    shape = {**schema, "additionalProperties": False, "components": {"schemas": parts}}
    errors = jsonschema_rs.Draft202012Validator(shape).iter_errors(body.get("input"))
    first = next(errors, None)
    return "" if first is None else f"- input.{'.'.join(map(str, first.instance_path))}: {first.message}"


def fal_problem(body: Any, document: Mapping[str, Any]) -> str:
    """Return the problem of the input of one of fal's models, by its OpenAPI document; empty if none."""
    shape = {**document["components"]["schemas"]["Input"], "additionalProperties": False}
    shape["components"] = document["components"]
    first = next(jsonschema_rs.Draft202012Validator(shape).iter_errors(body), None)
    return "" if first is None else f"{'.'.join(map(str, first.instance_path))}: {first.message}"


def elevenlabs_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of ElevenLabs' speech; empty if there is none."""
    unknown = set(body) - _body_names(AsyncTextToSpeechClient.stream)
    unknown |= set(body.get("voice_settings") or {}) - set(VoiceSettings.model_fields)
    if unknown:
        return f"Extra inputs are not permitted: {sorted(unknown)}"
    try:
        settings = VoiceSettings.model_validate(body.get("voice_settings") or {})
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    if body.get("model_id") == "eleven_v3" and settings.stability not in _V3_STABILITIES:
        return "Invalid TTD stability value. Must be one of: [0.0, 0.5, 1.0]"
    return "" if isinstance(body.get("text"), str) and body["text"] else "text: Field required"


def dialogue_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of ElevenLabs' dialogue; empty if there is none."""
    unknown = set(body) - _body_names(AsyncTextToDialogueClient.convert)
    unknown |= set(body.get("settings") or {}) - set(ToDialogueSettingsResponseModel.model_fields)
    lines = body.get("inputs")
    for line in lines if isinstance(lines, list) else []:
        unknown |= set(line) - set(DialogueInput.model_fields)
    if unknown:
        return f"Extra inputs are not permitted: {sorted(unknown)}"
    if not lines or not all(line.get("text") and line.get("voice_id") for line in lines):
        return "inputs: Field required"
    if sum(len(line["text"]) for line in lines) > 2_000 or len({line["voice_id"] for line in lines}) > 10:
        return "inputs: too many characters or voices"
    is_known = (body.get("settings") or {}).get("stability") in {None, *_V3_STABILITIES}
    return "" if is_known else "Invalid TTD stability value. Must be one of: [0.0, 0.5, 1.0]"


def music_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of ElevenLabs' music; empty if there is none."""
    names = _body_names(AsyncMusicClient.compose) - {"sign_with_c_2_pa"} | {"sign_with_c2pa"}
    if unknown := set(body) - names:
        return f"Extra inputs are not permitted: {sorted(unknown)}"
    if not body.get("prompt") or "seed" in body:
        return "prompt: Field required, and not with a seed"
    milliseconds = body.get("music_length_ms")
    is_length = milliseconds is None or (type(milliseconds) is int and 3_000 <= milliseconds <= 600_000)
    return "" if is_length else "music_length_ms: must be from 3000 to 600000"


def sound_effect_problem(body: Mapping[str, Any]) -> str:
    """Return the problem of a body of ElevenLabs' sound effects; empty if there is none."""
    if unknown := set(body) - _body_names(AsyncTextToSoundEffectsClient.convert):
        return f"Extra inputs are not permitted: {sorted(unknown)}"
    seconds, influence = body.get("duration_seconds"), body.get("prompt_influence")
    if seconds is not None and not 0.5 <= seconds <= 30:
        return "duration_seconds: must be from 0.5 to 30"
    if influence is not None and not 0 <= influence <= 1:
        return "prompt_influence: must be from 0 to 1"
    return "" if body.get("text") else "text: Field required"


def transcription_problem(form: Mapping[str, Any]) -> str:
    """Return the problem of a form of ElevenLabs' transcription; empty if there is none."""
    unknown = set(form) - _body_names(AsyncSpeechToTextClient.convert)
    return f"Extra inputs are not permitted: {sorted(unknown)}" if unknown else ""


def unknown_names(body: Mapping[str, Any], known: frozenset[str]) -> str:
    """The first unknown field; empty if there is none."""
    return next((name for name in body if name not in known), "")


@functools.cache
def _body_names(method: Any) -> frozenset[str]:
    return frozenset(inspect.signature(method).parameters) - _NOT_IN_A_BODY
