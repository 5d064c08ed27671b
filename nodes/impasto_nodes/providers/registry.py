"""From a provider's id to its adapter; the SDK behind it is imported when first asked for."""

from impasto_nodes.providers.captions import CaptionsProvider
from impasto_nodes.providers.image import ImageProvider
from impasto_nodes.providers.speech import SpeechProvider
from impasto_nodes.providers.text import TextProvider
from impasto_nodes.providers.video import VideoProvider


def text_provider(provider: str) -> TextProvider:
    """Who writes."""
    if provider == "local":
        from impasto_nodes.providers.local.text import LocalText

        return LocalText()
    from impasto_nodes.providers.litellm.text import LiteLLMText

    return LiteLLMText(provider)


def image_provider(provider: str) -> ImageProvider:
    """Who makes pictures."""
    if provider == "local":
        from impasto_nodes.providers.local.image import LocalImage

        return LocalImage()
    if provider == "replicate":
        from impasto_nodes.providers.replicate.image import ReplicateImage

        return ReplicateImage()
    from impasto_nodes.providers.litellm.image import LiteLLMImage

    return LiteLLMImage(provider)


def video_provider(provider: str) -> VideoProvider:
    """Who makes clips."""
    if provider == "local":
        from impasto_nodes.providers.local.clip import LocalVideo

        return LocalVideo()
    from impasto_nodes.providers.replicate.video import ReplicateVideo

    return ReplicateVideo()


def speech_provider(provider: str) -> SpeechProvider:
    """Who speaks."""
    if provider == "local":
        from impasto_nodes.providers.local.speech import LocalSpeech

        return LocalSpeech()
    from impasto_nodes.providers.elevenlabs.speech import ElevenLabsSpeech

    return ElevenLabsSpeech()


def captions_provider(provider: str) -> CaptionsProvider:
    """Who writes down what is said."""
    if provider == "elevenlabs":
        from impasto_nodes.providers.elevenlabs.captions import ElevenLabsCaptions

        return ElevenLabsCaptions()
    from impasto_nodes.providers.litellm.captions import LiteLLMCaptions

    return LiteLLMCaptions(provider)
