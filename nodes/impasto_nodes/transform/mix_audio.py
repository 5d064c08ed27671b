"""Mix audio: a voice, music that makes room for it, and the loudness that platforms expect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from impasto import Audio, Context, Setting, node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Length = Literal["as long as the voice", "as long as the longer one"]

_HEARD = 0.3
"""A difference in loudness units that matters."""
_QUIETER = 6.0
"""How far chords without a tune are below music, in dB."""


@node(
    id="mix_audio",
    title="Mix audio",
    category="transform_assets",
    keywords=("music", "soundtrack", "background music", "duck", "volume", "sound"),
)
def mix_audio(
    voice: Audio,
    music: Audio | None = None,
    *,
    music_level: Annotated[
        float, Setting(title="Level of the music", ge=-40, le=6, step=1, unit="dB")
    ] = -6.0,
    ducking: Annotated[
        float,
        Setting(
            title="Ducking",
            widget="slider",
            ge=0,
            le=30,
            step=1,
            unit="dB",
            help="How far music steps back under the voice.",
            main=True,
        ),
    ] = 12.0,
    length: Annotated[Length, Setting(title="Length", widget="select")] = "as long as the voice",
    lead_in: Annotated[float, Setting(title="Music before the voice", ge=0, le=10, step=0.5, unit="s")] = 0.0,
    loudness: Annotated[
        float,
        Setting(
            title="Loudness",
            ge=-30,
            le=-8,
            step=0.5,
            unit="LUFS",
            help="-14 is what most platforms play at.",
            advanced=True,
        ),
    ] = -14.0,
    bed: Annotated[
        bool,
        Setting(title="Soft chords", help="Under the voice, where no music is connected.", advanced=True),
    ] = False,
    context: Context,
) -> Audio:
    """Lay a voice over music that steps back while the voice speaks, and bring the whole to one loudness.

    Without music the voice alone is levelled, or lies on soft chords that are made here. Short music is
    repeated, long music faded out. Loudness is measured after ITU-R BS.1770-4; peaks stay below -1 dBTP.
    """
    from impasto_nodes.media.audio import loudness as level
    from impasto_nodes.media.audio.audio_file import RATE, load, write
    from impasto_nodes.media.audio.bed import soft_bed

    with context.sync.open(voice) as path:
        spoken = load(path)
    context.progress(0.3)
    if music is not None:
        with context.sync.open(music) as path:
            under = load(path)
        spoken = mixed(spoken, under, music_level, ducking, lead_in, longer=length != "as long as the voice")
    elif bed:
        under = soft_bed(spoken.shape[1] / RATE, spoken.shape[1])
        spoken = mixed(spoken, under, music_level - _QUIETER, ducking, 0.0, longer=False)
    context.progress(0.6)
    out = context.temp_dir / "mix.m4a"
    final = level.levelled(spoken, loudness)
    write(out, final)
    kept = level.loudness(load(out))
    if kept > level.SILENCE and abs(kept - loudness) > _HEARD:
        # Encoding removes the highest frequencies, which lowers the loudness of noise: correct that once.
        write(out, level.levelled(final, loudness + max(-3.0, min(3.0, loudness - kept))))
    stored = context.sync.store(out, "audio/mp4", name="mix.m4a", seconds=final.shape[1] / RATE)
    assert isinstance(stored, Audio)
    return stored


def mixed(
    voice: NDArray[np.floating[Any]],
    music: NDArray[np.floating[Any]],
    level_db: float,
    ducking_db: float,
    lead_in: float,
    *,
    longer: bool,
) -> NDArray[np.floating[Any]]:
    """The voice, `lead_in` seconds in, over the ducked music; the music leaves slowly."""
    import numpy as np

    from impasto_nodes.media.audio.audio_file import RATE, faded, fitted
    from impasto_nodes.media.audio.ducking import ducked, looped
    from impasto_nodes.media.audio.loudness import levelled

    tail = 1.5 if lead_in else 0.0
    seconds = lead_in + voice.shape[1] / RATE + tail
    if longer:
        seconds = max(seconds, music.shape[1] / RATE)
    moved = fitted(np.pad(voice, ((0, 0), (round(lead_in * RATE), 0))), seconds)
    # Both start from the same loudness, so that the level setting means the same for every file.
    even_voice, even_music = levelled(moved, -16), levelled(looped(music, seconds), -16)
    under = ducked(even_music * np.float32(10 ** (level_db / 20)), even_voice, ducking_db)
    return even_voice + faded(under, min(0.4, seconds / 8), min(2.0, seconds / 4))
