"""Mixing: music that makes room for a voice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impasto_nodes.media.audio.audio_file import RATE, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.floating[Any]]

_STEP = RATE // 100


def ducked(
    music: Samples, voice: Samples, depth_db: float, attack: float = 0.12, release: float = 0.6
) -> Samples:
    """Return the music lowered by `depth_db` while the voice speaks: fast early attack, slow release."""
    count = music.shape[1]
    speaking = _speaking(voice, count, attack)
    floor = 10 ** (-abs(depth_db) / 20)
    gain = np.empty(len(speaking))
    level = 1.0
    for index, now in enumerate(speaking):
        target, seconds = (floor, attack) if now else (1.0, release)
        level += (target - level) * min(1.0, 0.01 / seconds * 2.2)
        gain[index] = level
    curve = np.interp(np.arange(count), np.arange(len(gain)) * _STEP, gain)
    return music * curve.astype(np.float32)


def _speaking(voice: Samples, count: int, early: float) -> NDArray[np.bool_]:
    """Return, for every 10 ms of the music, whether there is voice now or within `early` seconds."""
    steps = -(-count // _STEP)
    power = (fitted(voice, steps / 100).reshape(2, steps, _STEP) ** 2).mean((0, 2))
    heard = power > max(1e-6, float(power.max()) * 1e-3)
    # Gaps between words are shorter than a third of a second; raising the music in them would pump audibly.
    ahead, behind = round(early * 100), 30
    spread = np.convolve(heard, np.ones(ahead + behind + 1), "full")[ahead : ahead + steps]
    return spread > 0.5


def looped(music: Samples, seconds: float) -> Samples:
    """Return music of at least this length, repeated with a crossfade of one second."""
    count = round(seconds * RATE)
    overlap = min(RATE, music.shape[1] // 4)
    if not overlap:
        return np.zeros((2, count), np.float32)
    out = music
    fade = np.sin(np.linspace(0, np.pi / 2, overlap, dtype=np.float32))
    while out.shape[1] < count:
        seam = out[:, -overlap:] * fade[::-1] + music[:, :overlap] * fade
        out = np.concatenate([out[:, :-overlap], seam, music[:, overlap:]], axis=1)
    return out[:, :count]
