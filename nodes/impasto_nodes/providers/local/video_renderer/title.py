"""The title of a video: a shade and letters that fade in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    Frame: TypeAlias = NDArray[np.uint8]
    Layers: TypeAlias = tuple[Image, Image]


def title_layers(headline: str, brand_name: str, family: str, size: tuple[int, int]) -> Layers:
    """Return the title as two see-through images of the frame's size: a shade and the letters."""
    import numpy as np
    from PIL import Image

    from impasto_nodes.media.text import typeset
    from impasto_nodes.media.text.typeset import Face

    unit, margin = min(size), round(min(size) * 0.075)
    room = (size[0] - 2 * margin, round(size[1] * 0.3))
    block = typeset.fit(headline, Face(family, "light", -0.02, 1.04), room, largest=round(unit * 0.13))
    letters = Image.new("RGBA", size, (255, 253, 249, 0))
    top = size[1] - margin - block.height
    typeset.draw(letters, block, (margin, top), (255, 253, 249))
    if brand_name:
        small = typeset.fit(
            brand_name,
            Face("Manrope", "bold", 0.01, 1.0),
            (room[0], unit),
            largest=round(unit * 0.03),
        )
        typeset.draw(letters, small, (margin, top - round(unit * 0.03) - small.height), (255, 253, 249))
    rise = np.clip((np.arange(size[1]) - (top - unit * 0.3)) / (size[1] - top + unit * 0.3), 0, 1)
    alpha = (np.broadcast_to(rise[:, None], (size[1], size[0])) ** 1.3 * 200).astype(np.uint8)
    shade = Image.new("RGBA", size, (10, 8, 7, 0))
    shade.putalpha(Image.fromarray(alpha))
    return shade, letters


def with_title(frame: Frame, title: Layers, number: int, count: int, fps: float) -> Frame:
    """Return the frame with the title, which fades in during the first half second and out before the end."""
    import numpy as np
    from PIL import Image

    seconds, total = number / fps, count / fps
    share = min(1.0, max(0.0, (seconds - 0.2) / 0.6), max(0.0, (total - 0.25 - seconds) / 0.5))
    if share <= 0:
        return frame
    image = Image.fromarray(frame)
    eased = share * share * (3 - 2 * share)
    lift = round((1 - eased) * image.height * 0.02)
    for layer, drop in zip(title, (0, lift), strict=True):
        mask = layer.getchannel("A").point([round(value * eased) for value in range(256)])
        image.paste(layer.convert("RGB"), (0, drop), mask)
    return np.asarray(image)
