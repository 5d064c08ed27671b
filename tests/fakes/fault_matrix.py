"""What each fault of a service becomes: the one source of the table in docs/guides/providers.md.

`tests/nodes/providers/test_fault_matrix.py` plays every cell back, and compares the table with the page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes import azure, vertex
from tests.fakes.state import GOOD_KEY, POOR_KEY

WRONG_KEY = "wrong-key-999999"


@dataclass(frozen=True, slots=True)
class Service:
    """One service as a node calls it.

    `path` is a part of the paid request's address, `files` of that of its files. `media` is what the node
    gets beside its texts: "audio", "image", or "mask" for an image with a mask. `lacks` are faults that the
    service does not know.
    """

    node: str
    provider: str
    model: str
    path: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: str = ""
    media: str = ""
    lacks: frozenset[str] = frozenset()

    def path_of(self, fault: str) -> str:
        """A part of the address at which a fault is played back: of the file, if that is elsewhere."""
        return self.files if fault == "damaged" and self.files else self.path


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault as the fakes play it back; without a `kind`, the key is what is wrong."""

    title: str
    kind: str = ""
    key: str = GOOD_KEY


SERVICES = {
    "OpenAI text": Service("language_model", "openai", "gpt-5-mini", "/chat"),
    "OpenAI images": Service("image_generation", "openai", "gpt-image-2", "/generations"),
    "OpenAI edits inside a mask": Service("image_edit", "openai", "gpt-image-2", "/edits", media="mask"),
    "OpenAI speech": Service("text_to_speech", "openai", "gpt-4o-mini-tts", "/audio/speech"),
    "Anthropic text": Service("language_model", "anthropic", "claude-sonnet-5", "/messages"),
    "Gemini text": Service("language_model", "gemini", "gemini-2.5-flash", "Generate"),
    "Gemini images": Service("image_generation", "gemini", "gemini-3.1-flash-image", "generateContent"),
    "Gemini speech": Service("text_to_speech", "gemini", "gemini-3.8-flash-tts", "generateContent"),
    "Mistral text": Service("language_model", "mistral", "mistral-small-latest", "/chat"),
    "Groq text": Service("language_model", "groq", "openai/gpt-oss-120b", "/chat"),
    "xAI text": Service("language_model", "xai", "grok-4.7", "/chat"),
    "DeepSeek text": Service("language_model", "deepseek", "deepseek-v4-flash", "/chat"),
    "OpenRouter text": Service("language_model", "openrouter", "openai/gpt-5-mini", "/chat"),
    "Azure OpenAI text": Service("language_model", "azure", "gpt-5-mini", "/chat"),
    "Bedrock text": Service(
        "language_model", "bedrock", "global.anthropic.claude-sonnet-5", "/converse-stream"
    ),
    "Vertex AI text": Service("language_model", "vertex_ai", "gemini-3.8-flash", "GenerateContent"),
    "Ollama text": Service(
        "language_model", "ollama", "llama3.2", "/api/chat", lacks=frozenset({"rules", "key", "credit"})
    ),
    "Gemini video": Service(
        "video_generation", "gemini", "veo-3.1-fast-generate-001", "LongRunning", {"duration": 8}, "/files/"
    ),
    "Runway video": Service("video_generation", "runwayml", "gen4.5", "_to_video", files="/outputs/"),
    "xAI video": Service(
        "video_generation", "xai", "grok-imagine-video", "/videos/generations", files="/outputs/"
    ),
    "MiniMax video": Service(
        "video_generation",
        "minimax",
        "MiniMax-Hailuo-2.3",
        "/v1/video_generation",
        {"duration": 6},
        "/outputs/",
    ),
    "Replicate images": Service(
        "image_generation",
        "replicate",
        "black-forest-labs/flux-1.1-pro",
        "/flux-1.1-pro/predictions",
        files="/outputs/",
    ),
    "Replicate edits inside a mask": Service(
        "image_edit",
        "replicate",
        "black-forest-labs/flux-fill-pro",
        "/flux-fill-pro/predictions",
        files="/outputs/",
        media="mask",
    ),
    "Replicate video": Service(
        "video_generation",
        "replicate",
        "kwaivgi/kling-v2.1",
        "/kling-v2.1/predictions",
        {"duration": 5},
        files="/outputs/",
        media="image",
    ),
    "fal images": Service("image_generation", "fal", "fal-ai/flux/schnell", "/fal-ai/flux"),
    "fal edits inside a mask": Service(
        "image_edit", "fal", "fal-ai/flux-pro/v1/fill", "/fal-ai/flux-pro", media="mask"
    ),
    "fal video": Service("video_generation", "fal", "kling/v4/text-to-video", "/kling/v4"),
    "ElevenLabs speech": Service("text_to_speech", "elevenlabs", "eleven_flash_v2_5", "/text-to-speech"),
    "ElevenLabs dialogue": Service("dialogue", "elevenlabs", "eleven_v3", "/text-to-dialogue"),
    "ElevenLabs music": Service("music_generation", "elevenlabs", "music_v2_5", "/v1/music"),
    "ElevenLabs sound effects": Service(
        "sound_effects", "elevenlabs", "eleven_text_to_sound_v2", "/sound-generation"
    ),
    "OpenAI captions": Service(
        "captions", "openai", "whisper-1", "/transcriptions", media="audio", lacks=frozenset({"rules"})
    ),
    "Groq captions": Service(
        "captions", "groq", "whisper-large-v3", "/transcriptions", media="audio", lacks=frozenset({"rules"})
    ),
    "ElevenLabs captions": Service(
        "captions", "elevenlabs", "scribe_v2", "/speech-to-text", media="audio", lacks=frozenset({"rules"})
    ),
}
FAULTS = {
    "limit": Fault("429", "rate_limit"),
    "down": Fault("503", "unavailable"),
    "lost": Fault("connection lost in the answer", "hang_up"),
    "rules": Fault("content rules", "moderation"),
    "mask": Fault("mask refused", "mask"),
    "damaged": Fault("damaged file", "corrupt"),
    "key": Fault("wrong key", key=WRONG_KEY),
    "credit": Fault("no credit", key=POOR_KEY),
}
_TEXT_FAULTS = [name for name in FAULTS if name != "damaged"]
_TEXT_NODES = {"language_model", "captions"}
CODES = {
    "limit": "rate_limited",
    "down": "provider_unavailable",
    "lost": "stream_dropped",
    "rules": "moderated",
    "mask": "mask_refused",
    "damaged": "corrupt_output",
    "key": "wrong_credential",
    "credit": "no_credit",
}
CELLS = {
    (service, fault): CODES[fault]
    for service, called in SERVICES.items()
    for fault in (_TEXT_FAULTS if called.node in _TEXT_NODES else FAULTS)
    if fault not in called.lacks and (fault != "mask" or called.media == "mask")
}
"""The code that a step fails with, where it can occur: a file may be damaged, a mask be refused."""


def operator_variables(url: str, key: str) -> dict[str, str]:
    """The variables of providers whose credentials an operator sets, with a key that is right or not."""
    return {
        "AZURE_API_BASE": f"{url}/azure",
        "AZURE_API_VERSION": azure.VERSION,
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": "a-secret-of-amazon",
        "AWS_REGION_NAME": "eu-central-1",
        "IMPASTO_BEDROCK_BASE_URL": f"{url}/bedrock",
        "VERTEXAI_CREDENTIALS": vertex.service_account(url, key),
        "VERTEXAI_PROJECT": vertex.PROJECT,
        "VERTEXAI_LOCATION": vertex.LOCATION,
        "IMPASTO_VERTEX_AI_BASE_URL": f"{url}/v1",
        "IMPASTO_OLLAMA_BASE_URL": f"{url}/ollama",
    }


def table() -> str:
    """Return the table as Markdown, a row for each service."""
    head = ["service", *(fault.title for fault in FAULTS.values())]
    rows = [head, ["---"] * len(head)]
    for service in SERVICES:
        codes = [CELLS.get((service, fault), "") for fault in FAULTS]
        rows.append([service, *(f"`{code}`" if code else "" for code in codes)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows).replace("|  |", "| |")
