"""Providers of models: what a plugin declares, and the adapters of the built-in ones.

The names below are for authors of plugins; `spec` describes how to declare a provider.
"""

from impasto.sdk.providers import Variable
from impasto_nodes.media.captions.segmentation import Cue
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import (
    CaptionsProvider,
    CaptionsRequest,
    CaptionsResult,
    ImageData,
    ImageProvider,
    ImageRequest,
    ImageResult,
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
    "CaptionsProvider",
    "CaptionsRequest",
    "CaptionsResult",
    "CredentialField",
    "Cue",
    "ImageData",
    "ImageProvider",
    "ImageRequest",
    "ImageResult",
    "Model",
    "ProviderSpec",
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
