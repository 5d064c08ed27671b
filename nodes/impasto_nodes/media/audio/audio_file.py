"""Audio as numbers: any file in, stereo float samples at 48 kHz out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impasto_nodes.media.errors import DamagedMedia, EmptyFile, NoAudioStream, NotMedia
from impasto_nodes.media.probe import moving

if TYPE_CHECKING:
    from av import AudioFrame
    from av.container import InputContainer
    from av.stream import Stream
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.floating[Any]]

RATE = 48_000
# Ten minutes of stereo floats are 230 MB: longer audio is refused before it fills the memory.
MAX_SECONDS = 600.0


def load(path: Path) -> Samples:
    """Samples of shape (2, n) at 48 kHz; mono is heard from both sides, surround is folded down.

    The audio of a video begins with its first frame. Raises NoAudioStream also for audio without length.
    """
    import av

    if not path.stat().st_size:
        raise EmptyFile
    try:
        with av.open(str(path)) as container:
            if not container.streams.audio:
                raise NoAudioStream
            resampler = av.AudioResampler(format="fltp", layout="stereo", rate=RATE)
            parts = [np.zeros((2, _lateness(container)), np.float32)]
            count = parts[0].shape[1]
            for frame in container.decode(audio=0):
                for resampled in resampler.resample(frame):
                    parts.append(_array(resampled))
                    count += resampled.samples
                if count > MAX_SECONDS * RATE:
                    raise DamagedMedia(f"more than {MAX_SECONDS:.0f} seconds of audio")
            parts += [_array(frame) for frame in resampler.resample(None)]
    except av.error.InvalidDataError as error:
        raise NotMedia(str(error)) from error
    except (av.error.FFmpegError, OSError) as error:
        raise DamagedMedia(str(error)) from error
    if not any(part.shape[1] for part in parts[1:]):
        raise NoAudioStream
    return np.concatenate(parts, axis=1)


def _lateness(container: InputContainer) -> int:
    """Return by how many samples the audio of a video begins after its first frame."""
    audio, images = _begins(container.streams.audio[0]), moving(container)
    seen = _begins(images[0]) if images else None
    late = 0 if audio is None or seen is None else round((audio - seen) * RATE)
    return late if RATE // 50 < late < MAX_SECONDS * RATE else 0


def _begins(stream: Stream) -> float | None:
    if stream.start_time is None or stream.time_base is None:
        return None
    return float(stream.start_time * stream.time_base)


def _array(frame: AudioFrame) -> Samples:
    """Return the samples of a frame; NaN and infinite values become silence."""
    return np.nan_to_num(np.asarray(frame.to_ndarray(), np.float32), posinf=1.0, neginf=-1.0)


def fitted(samples: Samples, seconds: float) -> Samples:
    """Return samples of exactly this length: cut, or padded with silence."""
    count = round(seconds * RATE)
    if samples.shape[1] >= count:
        return samples[:, :count]
    return np.pad(samples, ((0, 0), (0, count - samples.shape[1])))


def faded(samples: Samples, fade_in: float = 0.0, fade_out: float = 0.0) -> Samples:
    """Return the samples faded in and out over these seconds."""
    out = samples.copy()
    count = out.shape[1]
    rise, fall = min(count, round(fade_in * RATE)), min(count, round(fade_out * RATE))
    if rise:
        out[:, :rise] *= np.sin(np.linspace(0, np.pi / 2, rise, dtype=np.float32)) ** 2
    if fall:
        out[:, count - fall :] *= np.cos(np.linspace(0, np.pi / 2, fall, dtype=np.float32)) ** 2
    return out


_CODECS = {".wav": ("pcm_s16le", "wav"), ".m4a": ("aac", "mp4"), ".mp3": ("libmp3lame", "mp3")}


def write(path: Path, samples: Samples) -> None:
    """Write samples in the format that the name ends in (.m4a, .mp3, .wav); on failure nothing is left."""
    import av

    codec, container_format = _CODECS[path.suffix]
    half = path.with_suffix(f".part{path.suffix}")
    options = {"movflags": "+faststart"} if container_format == "mp4" else {}
    try:
        with av.open(str(half), "w", format=container_format, options=options) as container:
            stream = container.add_stream(codec, rate=RATE, layout="stereo")
            if codec != "pcm_s16le":
                stream.bit_rate = 192_000
            for frame in frames(samples):
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def frames(samples: Samples) -> Iterator[AudioFrame]:
    """Yield the samples as frames for an encoder."""
    import av

    for start in range(0, samples.shape[1], 1024):
        chunk = np.ascontiguousarray(np.clip(samples[:, start : start + 1024], -1, 1))
        frame = av.AudioFrame.from_ndarray(chunk, format="fltp", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        yield frame
