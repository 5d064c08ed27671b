"""ElevenLabs: speech, dialogue, music, sound effects and transcripts."""

from pathlib import Path

from impasto import Context
from impasto_nodes.providers.catalog import read_models
from impasto_nodes.providers.protocols import (
    CaptionsProvider,
    DialogueProvider,
    Kind,
    MusicProvider,
    SoundEffectProvider,
    SpeechProvider,
)
from impasto_nodes.providers.spec import CredentialField, Option, ProviderSpec


def _speech() -> SpeechProvider:
    from impasto_nodes.providers.elevenlabs.speech import ElevenLabsSpeech

    return ElevenLabsSpeech()


def _dialogue() -> DialogueProvider:
    from impasto_nodes.providers.elevenlabs.dialogue import ElevenLabsDialogue

    return ElevenLabsDialogue()


def _music() -> MusicProvider:
    from impasto_nodes.providers.elevenlabs.music import ElevenLabsMusic

    return ElevenLabsMusic()


def _sound_effects() -> SoundEffectProvider:
    from impasto_nodes.providers.elevenlabs.music import ElevenLabsSoundEffect

    return ElevenLabsSoundEffect()


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
    kind_ranks={"speech": 5},
    credentials=(CredentialField(variable="ELEVENLABS_API_KEY"),),
    speech=_speech,
    dialogue=_dialogue,
    music=_music,
    sound_effects=_sound_effects,
    captions=_captions,
    list_models=_list_models,
    list_voices=_list_voices,
    models=read_models(Path(__file__).with_name("models.json")),
)
