"""ElevenLabs: speech and transcripts."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.protocols import CaptionsProvider, Kind, SpeechProvider
from impasto_nodes.providers.spec import CredentialField, Option, ProviderSpec


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
    models=read_models(Path(__file__).with_name("models.json")),
)
