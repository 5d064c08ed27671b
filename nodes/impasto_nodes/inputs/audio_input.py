"""Audio: an audio file as input."""

from typing import Annotated

from impasto import SKIP, Audio, Setting, node


@node(
    id="audio_input",
    title="Audio",
    category="inputs",
    keywords=("upload audio", "music", "sound", "recording", "voice", "file"),
)
async def audio_input(
    *,
    audio: Annotated[Audio | None, Setting(title="Audio", widget="file", input=True, main=True)] = None,
) -> Audio:
    """An audio file from the user's files or library: music, a voice. Left empty, the port is closed."""
    return SKIP if audio is None else audio
