"""ElevenLabs: speech and transcripts."""

from impasto import Context
from impasto_nodes.providers.protocols import CaptionsProvider, Kind, SpeechProvider
from impasto_nodes.providers.spec import CredentialField, Model, Option, ProviderSpec


def _speech() -> SpeechProvider:
    from impasto_nodes.providers.elevenlabs.speech import ElevenLabsSpeech

    return ElevenLabsSpeech()


def _captions() -> CaptionsProvider:
    from impasto_nodes.providers.elevenlabs.captions import ElevenLabsCaptions

    return ElevenLabsCaptions()


async def _list_models(kind: Kind, context: Context) -> list[Option]:
    if kind != "speech":
        return []
    from impasto_nodes.providers.elevenlabs.voices import list_speech_models

    return await list_speech_models(context)


async def _list_voices(context: Context | None) -> list[Option]:
    if context is None:
        return []
    from impasto_nodes.providers.elevenlabs.voices import list_voices

    return await list_voices(context)


SPEC = ProviderSpec(
    id="elevenlabs",
    title="ElevenLabs",
    rank=100,
    credentials=(CredentialField(variable="ELEVENLABS_API_KEY"),),
    speech=_speech,
    captions=_captions,
    list_models=_list_models,
    list_voices=_list_voices,
    models=(
        Model("speech", "eleven_multilingual_v2", "Multilingual v2", 0.10),
        Model("speech", "eleven_turbo_v2_5", "Turbo v2.5", 0.05),
        Model("speech", "eleven_flash_v2_5", "Flash v2.5", 0.05),
        Model("captions", "scribe_v1", "Scribe", 0.0037),
    ),
)
