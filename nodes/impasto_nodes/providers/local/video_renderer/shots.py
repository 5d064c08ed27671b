"""The shots of a video, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from impasto_nodes.media.video.motion import Mover

    Frame: TypeAlias = NDArray[np.uint8]

_FADE_SECONDS = 0.6


def frames_of(shots: Sequence[Mover], count: int, fps: float) -> Iterator[Frame]:
    """Yield `count` frames of shots of the same length, with cross-fades."""
    length = count / len(shots)
    fade = min(_FADE_SECONDS * fps, length * 0.45) if len(shots) > 1 else 0.0
    for number in range(count):
        index = min(len(shots) - 1, int(number / length))
        inside = number - index * length
        # A shot starts while the previous one fades out, so it lasts for its length and one cross-fade.
        frame = shots[index].frame((inside + (fade if index else 0.0)) / (length + fade))
        left = length - inside
        if index + 1 < len(shots) and left < fade:
            share = 1 - left / fade
            frame = _blended(frame, shots[index + 1].frame((fade - left) / (length + fade)), share)
        yield frame


def _blended(one: Frame, other: Frame, share: float) -> Frame:
    import numpy as np
    from PIL import Image

    smooth = share * share * (3 - 2 * share)
    return np.asarray(Image.blend(Image.fromarray(one), Image.fromarray(other), smooth))
