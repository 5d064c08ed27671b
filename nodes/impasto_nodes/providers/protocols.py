"""The kinds of work that a provider does: for each a request, a result and the adapter's protocol.

An adapter translates a request into calls of its provider, stores files through `context.store` and raises
only `ProviderError`s (and cancellation). It reserves and charges each paid call with `Context.reserve`, and
returns a result with `is_charged`; the node charges a result without.
"""

import mimetypes
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from impasto import Audio, Brand, Context, Image, Video
from impasto_nodes.media.captions.segmentation import Cue

Kind = Literal["text", "image", "video", "speech", "dialogue", "music", "sound_effects", "captions"]
KINDS: tuple[Kind, ...] = (
    "text", "image", "video", "speech", "dialogue", "music", "sound_effects", "captions",
)  # fmt: skip


SHORT_ANSWER_TOKENS = 256
"""With less than that left of a budget, a language model is not asked."""


# -- text --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ImageData:
    """An image for a language model to look at."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRequest:
    """One question to a language model. With `schema` the answer is JSON that follows it."""

    model: str
    prompt: str
    system: str = ""
    images: tuple[ImageData, ...] = ()
    schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next part of an answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextResult:
    """A complete answer, its author, its cost in US dollars and its counted units (tokens).

    `is_truncated`: the model reached its token limit.
    """

    text: str
    provider: str
    model: str
    usd: float = 0.0
    units: Mapping[str, float] = field(default_factory=dict)
    is_truncated: bool = False
    is_charged: bool = False


TextPart = TextDelta | TextResult


class TextProvider(Protocol):
    """Writes text."""

    def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Yield the answer's deltas, then exactly one `TextResult`."""
        ...


# -- image -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MaskedImage:
    """An image and the part of it to change: two PNG files of one size, at most 2,048 pixels a side.

    In `mask`, 8-bit grey, white is changed and black is kept; there is no grey.
    """

    picture: bytes
    mask: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRequest:
    """Images to generate, from a prompt or from `image`.

    `model_settings` are settings of the model's own, passed on as they are. `places` are the positions of
    the generated images in the node's list, for previews: on a partial regeneration some are taken already,
    by the images `beside`. `masked` is what a provider gets of `image` if only a part is to change; a
    provider that takes no mask gets the image alone.
    """

    model: str
    prompt: str
    n_images: int = 1
    aspect_ratio: str = "1:1"
    seed: int | None = None
    negative_prompt: str = ""
    image: Image | None = None
    brand: Brand | None = None
    model_settings: Mapping[str, Any] = field(default_factory=dict)
    places: Sequence[int] = range(64)
    beside: Sequence[Image] = ()
    masked: MaskedImage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageResult:
    """Stored images, their author and their cost in US dollars."""

    images: tuple[Image, ...]
    provider: str
    model: str
    usd: float = 0.0
    is_charged: bool = False


class ImageProvider(Protocol):
    """Generates images and stores each when it is complete."""

    async def generate(self, request: ImageRequest, context: Context) -> ImageResult:
        """Return `request.n_images` stored images."""
        ...


# -- video -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoRequest:
    """One clip to generate, `duration` seconds long; `image` is its first frame."""

    model: str
    prompt: str
    duration: float = 5.0
    aspect_ratio: str = "16:9"
    seed: int | None = None
    image: Image | None = None
    brand: Brand | None = None
    model_settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoResult:
    """A stored clip, its author and its cost in US dollars."""

    video: Video
    provider: str
    model: str
    usd: float = 0.0
    is_charged: bool = False


class VideoProvider(Protocol):
    """Generates clips."""

    async def generate(self, request: VideoRequest, context: Context) -> VideoResult:
        """Return one stored clip."""
        ...


# -- speech ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRequest:
    """A text to speak. A provider ignores the settings that it does not have."""

    model: str
    text: str
    voice: str
    stability: float = 0.5
    similarity_boost: float = 0.75
    style: float = 0.0
    speed: float = 1.0
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechResult:
    """Stored speech, its author and its cost in US dollars."""

    audio: Audio
    provider: str
    model: str
    voice: str
    usd: float = 0.0
    is_charged: bool = False


class SpeechProvider(Protocol):
    """Speaks text."""

    async def speak(self, request: SpeechRequest, context: Context) -> SpeechResult:
        """Return the stored speech."""
        ...


# -- dialogue, music and sound effects --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DialogueLine:
    """What one speaker says, and the name or id of the speaker's voice."""

    voice: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueRequest:
    """Lines to speak one after the other, as one recording. `stability` is from 0 (lively) to 1 (even)."""

    model: str
    lines: tuple[DialogueLine, ...]
    stability: float = 0.5
    seed: int | None = None

    @property
    def characters(self) -> int:
        """The number of characters to speak."""
        return sum(len(line.text) for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MusicRequest:
    """Music to compose, `seconds` long."""

    model: str
    prompt: str
    seconds: float = 30.0
    is_instrumental: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundEffectRequest:
    """A sound effect to generate. Without `seconds` the model chooses the length.

    `prompt_influence` is from 0 (free) to 1 (literal).
    """

    model: str
    prompt: str
    seconds: float | None = None
    is_loop: bool = False
    prompt_influence: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioResult:
    """Stored audio, its author and its cost in US dollars."""

    audio: Audio
    provider: str
    model: str
    usd: float = 0.0
    is_charged: bool = False


class DialogueProvider(Protocol):
    """Speaks dialogues."""

    async def speak(self, request: DialogueRequest, context: Context) -> AudioResult:
        """Return the stored dialogue."""
        ...


class MusicProvider(Protocol):
    """Composes music."""

    async def compose(self, request: MusicRequest, context: Context) -> AudioResult:
        """Return the stored music."""
        ...


class SoundEffectProvider(Protocol):
    """Generates sound effects."""

    async def generate(self, request: SoundEffectRequest, context: Context) -> AudioResult:
        """Return the stored sound effect."""
        ...


# -- captions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CaptionsRequest:
    """A recording to transcribe; `language` is a code such as 'en', empty for detection by the model."""

    model: str
    recording: Audio | Video
    language: str = ""

    @property
    def file_name(self) -> str:
        """A file name whose suffix tells the provider the format."""
        media_type = self.recording.media_type
        suffix = {"audio/mpeg": ".mp3", "audio/wav": ".wav"}.get(media_type)
        return f"recording{suffix or mimetypes.guess_extension(media_type) or '.mp4'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionsResult:
    """Timed text in order of time, its author and its cost in US dollars."""

    cues: tuple[Cue, ...]
    provider: str
    model: str
    usd: float = 0.0
    is_charged: bool = False


class CaptionsProvider(Protocol):
    """Transcribes recordings."""

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Return what is said in the recording."""
        ...
