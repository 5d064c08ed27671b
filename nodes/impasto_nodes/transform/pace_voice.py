"""Pace voice: speech over the length that a brief asks for."""

from __future__ import annotations

from typing import Annotated

from impasto import Audio, Context, Port, Setting, Text, node

_NEAR = 2.0


@node(
    id="pace_voice",
    title="Pace voice",
    category="transform_assets",
    keywords=("length", "duration", "seconds", "pause", "timing", "teaser"),
)
def pace_voice(
    voice: Audio,
    brief: Annotated[
        Text, Port(title="Brief", help="If it names a length, as in 30-second teaser, that length is kept.")
    ] = "",
    *,
    seconds: Annotated[
        float,
        Setting(
            title="Length",
            ge=0,
            le=120,
            step=1,
            unit="s",
            help="Used if the brief states no length. 0: as long as the voice.",
            main=True,
        ),
    ] = 0.0,
    context: Context,
) -> Audio:
    """Spread speech over a length: its pauses become wider, and no word is changed or cut.

    The brief's length counts first, up to two minutes. A voice that is longer stays as it is.
    """
    from impasto_nodes.media.asked_length import asked_length
    from impasto_nodes.media.audio.audio_file import RATE, load, write
    from impasto_nodes.media.audio.loudness import levelled
    from impasto_nodes.media.audio.pacing import paced

    asked = asked_length(brief) or seconds
    if not asked:
        return voice
    with context.sync.open(voice) as path:
        spoken = load(path)
    own = spoken.shape[1] / RATE
    if own > asked + _NEAR:
        context.progress(1.0, f"The voice lasts {own:.0f} s, longer than {asked:g} s: no word is cut.")
    if own >= asked:
        return voice
    spread = levelled(paced(spoken, asked), -16)
    out = context.temp_dir / "paced.wav"
    write(out, spread)
    stored = context.sync.store(out, "audio/wav", name="paced.wav", seconds=spread.shape[1] / RATE)
    assert isinstance(stored, Audio)
    return stored
