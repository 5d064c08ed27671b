"""Loudness as broadcasters measure it, and a limiter that keeps peaks below the ceiling.

Measured after Recommendation ITU-R BS.1770-4: K-weighting (annex 1), mean square over 400 ms blocks with 75 %
overlap, an absolute gate at -70 LUFS and a relative one 10 LU below. The filters' coefficients are those
that the Recommendation prints for 48 kHz. True peaks are read at four times the rate (annex 2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impasto_nodes.media.audio.audio_file import RATE, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.floating[Any]]

SILENCE = -70.0
# The filters ring for about half a second.
_BLOCK, _RING = 1 << 17, RATE // 2
_PIECE = 1 << 15
_SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
_HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))


@lru_cache(maxsize=1)
def _response() -> NDArray[np.complex64]:
    """The K-weighting of both stages at the frequencies of a real transform of one block."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(_BLOCK))
    total: NDArray[np.complex128] = np.ones_like(z)
    for forward, back in (_SHELF, _HIGH_PASS):
        total *= np.polyval(forward[::-1], z) / np.polyval(back[::-1], z)
    return total.astype(np.complex64)


def weighted(samples: Samples) -> Samples:
    """Yield the K-weighted samples block by block, each preceded by the samples that its filters need."""
    count, step = samples.shape[1], _BLOCK - _RING
    out = np.empty((samples.shape[0], count), np.float32)
    for start in range(0, count, step):
        block = np.zeros((samples.shape[0], _BLOCK), np.float32)
        part = samples[:, max(0, start - _RING) : start + step]
        offset = _RING - min(start, _RING)
        block[:, offset : offset + part.shape[1]] = part
        heard = np.fft.irfft(np.fft.rfft(block, axis=1) * _response(), _BLOCK, axis=1)
        out[:, start : start + step] = heard[:, _RING : _RING + min(step, count - start)]
    return out


def loudness(samples: Samples) -> float:
    """Integrated loudness in LUFS; -70 for silence."""
    block, hop = round(0.4 * RATE), round(0.1 * RATE)
    if samples.shape[1] < block:
        samples = fitted(samples, block / RATE)
    power = np.concatenate([[0.0], np.cumsum((weighted(samples).astype(np.float64) ** 2).sum(0))])
    starts = np.arange(0, samples.shape[1] - block + 1, hop)
    means = (power[starts + block] - power[starts]) / block
    loud = means[_lufs(means) > SILENCE]
    if not loud.size:
        return SILENCE
    gated = loud[_lufs(loud) > _lufs(loud.mean()) - 10]
    return float(_lufs(gated.mean()))


def _lufs(power: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-12))


def true_peak(samples: Samples) -> float:
    """The highest peak, between samples too, as a factor of full scale."""
    return float(_peaks(samples).max(initial=0.0))


def _peaks(samples: Samples) -> NDArray[np.float64]:
    """The true peak of every millisecond, read at four times the rate, in pieces of a fast length."""
    block, margin, found = RATE // 1000, RATE // 1000, []
    piece = (_PIECE - 2 * margin) // block * block
    for start in range(0, samples.shape[1], piece):
        begin = max(0, start - margin)
        part = samples[:, begin : start + piece + margin]
        dense = np.abs(np.fft.irfft(np.fft.rfft(part, _PIECE, axis=1), _PIECE * 4, axis=1) * 4).max(0)
        end = min(start + piece, samples.shape[1])
        inner = dense[(start - begin) * 4 : (end - begin) * 4]
        found.append(np.maximum.reduceat(inner, np.arange(len(inner), step=block * 4)))
    return np.concatenate(found) if found else np.zeros(0)


def limited(samples: Samples, ceiling_db: float = -1.0) -> Samples:
    """Limit peaks to the ceiling: 5 ms look-ahead, 80 ms release."""
    ceiling = 10 ** (ceiling_db / 20)
    peaks = _peaks(samples)
    if peaks.max(initial=0.0) <= ceiling:
        return samples
    wanted = np.minimum(1.0, ceiling / np.maximum(peaks, 1e-9))
    around = np.pad(wanted, (2, 5), constant_values=1.0)
    ahead = np.min([around[shift : shift + len(wanted)] for shift in range(8)], axis=0)
    places = (np.arange(len(wanted)) + 0.5) * (RATE // 1000)
    curve = np.interp(np.arange(samples.shape[1]), places, _released(ahead))
    held = samples * curve.astype(np.float32)
    # Between samples, a varying gain lets peaks pass the ceiling slightly: reduce all samples by that.
    return held * np.float32(min(1.0, ceiling / max(true_peak(held), 1e-9)))


def _released(wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    held = np.empty_like(wanted)
    gain = 1.0
    for index, target in enumerate(wanted.tolist()):
        gain = target if target < gain else min(target, gain + (1 - gain) / 80)
        held[index] = gain
    return held


def levelled(samples: Samples, target: float = -14.0, ceiling_db: float = -1.0) -> Samples:
    """Return the samples at the target loudness, with limited peaks; silence stays silence."""
    out = samples
    for _ in range(8):
        now = loudness(out)
        if now <= SILENCE or abs(now - target) < 0.1:
            break
        louder = out * np.float32(10 ** ((target - now) / 20))
        out = limited(louder, ceiling_db)
        if out is louder:
            break  # without a limiter the gain is the whole difference
    return out
