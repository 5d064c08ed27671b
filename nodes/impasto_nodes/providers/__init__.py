"""Providers of models: what a plugin declares, and the adapters of the built-in ones.

The names below are for authors of plugins; `spec` describes how to declare a provider.
"""

from impasto.sdk.providers import Variable
from impasto_nodes.media.captions.segmentation import Cue
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import (
    AudioResult,
    CaptionsProvider,
    CaptionsRequest,
    CaptionsResult,
    DialogueLine,
    DialogueProvider,
    DialogueRequest,
    ImageData,
    ImageProvider,
    ImageRequest,
    ImageResult,
    MusicProvider,
    MusicRequest,
    SoundEffectProvider,
    SoundEffectRequest,
    SpeechProvider,
    SpeechRequest,
    SpeechResult,
    TextDelta,
    TextPart,
    TextProvider,
    TextRequest,
    TextResult,
    VideoProvider,
    VideoRequest,
    VideoResult,
)
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

__all__ = [
    "AudioResult",
    "CaptionsProvider",
    "CaptionsRequest",
    "CaptionsResult",
    "CredentialField",
    "Cue",
    "DialogueLine",
    "DialogueProvider",
    "DialogueRequest",
    "ImageData",
    "ImageProvider",
    "ImageRequest",
    "ImageResult",
    "Model",
    "MusicProvider",
    "MusicRequest",
    "ProviderSpec",
    "SoundEffectProvider",
    "SoundEffectRequest",
    "SpeechProvider",
    "SpeechRequest",
    "SpeechResult",
    "TextDelta",
    "TextPart",
    "TextProvider",
    "TextRequest",
    "TextResult",
    "Variable",
    "VideoProvider",
    "VideoRequest",
    "VideoResult",
    "read_models",
]
