"""A soft chord as background of a voice if there is no music; generated, so free of rights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impasto_nodes.media.audio.audio_file import RATE, faded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.floating[Any]]

_CHORDS = ((0, 7, 12, 16), (-3, 4, 9, 12), (-7, 0, 5, 9), (-5, 2, 7, 11))
"""Semitones from the key's note: the chords of a slow cadence."""
_BAR, _ROOT = 4.0, 130.81


def soft_bed(seconds: float, key: int = 0) -> Samples:
    """Return a pad of slowly changing chords; `key` moves it by semitones."""
    total = np.zeros((2, round(seconds * RATE)), np.float32)
    for number in range(math.ceil(seconds / _BAR)):
        start = round(number * _BAR * RATE)
        length = min(round(_BAR * 1.5 * RATE), total.shape[1] - start)
        time = np.arange(length, dtype=np.float32) / RATE
        for voice, step in enumerate(_CHORDS[number % len(_CHORDS)]):
            pitch = _ROOT * 2 ** ((step + key % 12) / 12)
            for side in (0, 1):
                drift = 1 + 0.0012 * (side - 0.5)
                tone = sum(
                    np.sin(2 * np.pi * pitch * drift * harmonic * time + voice + side) / harmonic**2
                    for harmonic in (1, 2, 3)
                )
                swell = np.sin(np.pi * np.arange(length, dtype=np.float32) / (_BAR * 1.5 * RATE)) ** 2
                total[side, start : start + length] += (0.05 * tone * swell).astype(np.float32)
    return faded(total, min(0.6, seconds / 8), min(1.5, seconds / 4))
