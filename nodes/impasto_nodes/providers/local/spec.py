"""The machine that the server runs on: offline, without a key."""

from pathlib import Path
from typing import Any

from impasto import Context
from impasto.sdk.providers import Variable
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.local.downloads import LocalDownloads
from impasto_nodes.providers.local.model_store.hub import ADDRESS
from impasto_nodes.providers.protocols import (
    CaptionsProvider,
    ImageProvider,
    SpeechProvider,
    TextProvider,
    VideoProvider,
)
from impasto_nodes.providers.spec import Option, ProviderSpec


def _text() -> TextProvider:
    from impasto_nodes.providers.local.text import LocalText

    return LocalText()


def _image() -> ImageProvider:
    from impasto_nodes.providers.local.image import LocalImage

    return LocalImage()


def _video() -> VideoProvider:
    from impasto_nodes.providers.local.clip import LocalVideo

    return LocalVideo()


def _speech() -> SpeechProvider:
    from impasto_nodes.providers.local.speech import LocalSpeech

    return LocalSpeech()


def _captions() -> CaptionsProvider:
    from impasto_nodes.providers.local.captions import LocalCaptions

    return LocalCaptions()


async def _list_voices(context: Context | None) -> list[Option]:
    return [{"value": "heart", "label": "Heart", "group": SPEC.title, "provider": SPEC.id}]


_STYLES = (
    *("aura", "contour", "cutout", "framed", "impasto"),
    *("orbit", "riso", "staged", "studio", "sunset", "swiss"),
)
_IMAGE_SETTINGS: dict[str, dict[str, Any]] = {
    "headline": {
        "type": "string",
        "maxLength": 64,
        "description": "The words in large type, instead of those taken from the prompt",
    },
    "line": {"type": "string", "maxLength": 80, "description": "The line below, such as a call to action"},
    "style": {"type": "string", "enum": list(_STYLES), "description": "By default it follows the prompt"},
    "position": {"type": "integer", "minimum": 0, "description": "Which of the images of a seed to draw"},
}

SPEC = ProviderSpec(
    id="local",
    title="This machine",
    rank=1000,
    address="none",
    reads_brand=True,
    text=_text,
    image=_image,
    video=_video,
    speech=_speech,
    captions=_captions,
    list_voices=_list_voices,
    voices=("heart",),
    model_settings={"image": _IMAGE_SETTINGS},
    settings=(
        Variable(
            name="IMPASTO_LOCAL_MODEL",
            help="The language model to use: a GGUF file, or the name of a downloaded model.",
        ),
        Variable(
            name="IMPASTO_LOCAL_CAPTIONS_MODEL",
            help="The caption model to use, by its name; the largest downloaded one by default.",
        ),
        Variable(
            name="IMPASTO_LOCAL_DOWNLOAD",
            help="Whether models may be downloaded when an operator asks for it; 0 forbids it.",
            default="1",
        ),
        Variable(
            name="IMPASTO_LOCAL_THREADS",
            help="Threads of the language model and of the caption model; 0 uses every core.",
            default="0",
        ),
        Variable(
            name="IMPASTO_MODEL_HUB",
            help="The address of the model hub, or of a mirror.",
            default=ADDRESS,
        ),
        Variable(
            name="IMPASTO_MODELS_DIR",
            help="Folder of downloaded models; a folder in the user's cache by default.",
        ),
    ),
    downloads=LocalDownloads(),
    models=read_models(Path(__file__).with_name("models.json")),
)
