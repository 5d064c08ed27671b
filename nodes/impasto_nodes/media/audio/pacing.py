"""Speech over a longer time: its pauses are widened, and nothing of it is changed or cut."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impasto_nodes.media.audio.audio_file import RATE, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.floating[Any]]

_STEP = RATE // 100
_MIN_PAUSE, _MAX_PAUSE, _LEAD, _TAIL = 0.16, 4.0, 0.8, 1.2
_LONG = 0.6
"""A pause at least this share of the longest one ends a sentence."""


def speech_parts(samples: Samples, pause: float = _MIN_PAUSE) -> list[tuple[float, float]]:
    """Return when something is heard, as start and end in seconds; gaps shorter than `pause` do not count."""
    steps = samples.shape[1] // _STEP
    if not steps:
        return []
    power = (samples[:, : steps * _STEP].reshape(samples.shape[0], steps, _STEP) ** 2).mean((0, 2))
    heard = np.flatnonzero(power > max(1e-7, float(power.max()) * 1e-4))
    if not heard.size:
        return []
    breaks = np.flatnonzero(np.diff(heard) > pause * 100)
    starts, ends = heard[np.r_[0, breaks + 1]], heard[np.r_[breaks, heard.size - 1]] + 1
    return [(float(start) / 100, float(end) / 100) for start, end in zip(starts, ends, strict=True)]


def paced(samples: Samples, seconds: float) -> Samples:
    """Return the speech over exactly `seconds`: a short lead, wider pauses, the rest of the time at the end.

    Speech that is longer stays as it is; silence is made longer.
    """
    spare = seconds - samples.shape[1] / RATE
    if spare <= 0:
        return samples
    parts = speech_parts(samples)
    gaps = [(end, start) for (_, end), (start, _) in pairwise(parts)]
    longest = max((start - end for end, start in gaps), default=0.0)
    wide = [(end, start) for end, start in gaps if start - end >= longest * _LONG]
    lead = min(_LEAD, spare / 4)
    inner = max(0.0, spare - lead - min(_TAIL, spare / 4))
    more = min(inner / len(wide), _MAX_PAUSE - longest) if wide else 0.0
    cuts = [round((end + start) / 2 * RATE) for end, start in wide]
    pieces = [np.zeros((2, round(lead * RATE)), np.float32)]
    for begin, stop in zip([0, *cuts], [*cuts, samples.shape[1]], strict=True):
        pieces += [samples[:, begin:stop], np.zeros((2, round(max(0.0, more) * RATE)), np.float32)]
    return fitted(np.concatenate(pieces[:-1], axis=1), seconds)
