"""Palette: the colours an image is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from impasto import Context, Image, Json, Port, Setting, Text, node
from impasto_nodes.transform.files import read_image

if TYPE_CHECKING:
    from PIL.Image import Image as Bitmap


class Colors(NamedTuple):
    """The colours as plain text, and with their shares."""

    colours: Annotated[
        list[Text], Port(title="Colours", help="Like #de4f2a, the most present first.", text_of="report")
    ]
    report: Annotated[
        Json,
        Port(
            title="Report",
            help="Each colour with its share, and which to write with.",
            meaning="palette",
        ),
    ]


@node(
    id="palette",
    title="Palette",
    category="transform_assets",
    keywords=("colors", "colours", "color scheme", "swatches"),
)
def palette(
    image: Image,
    *,
    count: Annotated[int, Setting(title="Number of colours", ge=2, le=12, main=True)] = 5,
    context: Context,
) -> Colors:
    """Find the colours that make an image, grouped as the eye does, small bright ones not forgotten."""
    found = colors_of(read_image(image, context), count)
    return Colors(
        [entry["hex"] for entry in found], {"colours": found, **_roles([entry["hex"] for entry in found])}
    )


def colors_of(bitmap: Bitmap, count: int) -> list[dict[str, Any]]:
    """`{"hex", "share"}` for each colour, the largest share first. See-through parts don't count."""
    import numpy as np
    from PIL import Image

    from impasto_nodes.media.image.color import difference, from_hex, from_oklab, to_hex, to_oklab
    from impasto_nodes.media.image.matting import clusters

    small = bitmap.convert("RGBA")
    small.thumbnail((72, 72), Image.Resampling.BOX)
    pixels = np.asarray(small).reshape(-1, 4)
    seen = pixels[pixels[:, 3] > 127] if (pixels[:, 3] > 127).any() else pixels
    labs = np.array([to_oklab((int(red), int(green), int(blue))) for red, green, blue, _ in seen], np.float32)
    # Colourful pixels weigh more, or a small red object on grey would be lost.
    weights = (0.35 + 6 * np.hypot(labs[:, 1], labs[:, 2])).astype(np.float32)
    centres, _ = clusters(labs, count * 2, weights)
    kept: list[str] = []
    for light, a, b in centres.tolist():
        colour = from_oklab((light, a, b))
        if len(kept) < count and all(difference(colour, from_hex(other)) > 4 for other in kept):
            kept.append(to_hex(colour))
    places = np.array([to_oklab(from_hex(text)) for text in kept], np.float32)
    nearest = ((labs[:, None] - places[None]) ** 2).sum(2).argmin(1)
    shares = np.bincount(nearest, minlength=len(kept)) / len(labs)
    entries = [
        {"hex": text, "share": round(float(share), 4)} for text, share in zip(kept, shares, strict=True)
    ]
    return sorted(entries, key=lambda entry: -float(entry["share"]))


def _roles(hexes: list[str]) -> dict[str, Any]:
    from impasto_nodes.media.image.color import chroma, contrast, from_hex, lightness

    light, dark = (
        max(hexes, key=lambda text: lightness(from_hex(text))),
        min(hexes, key=lambda text: lightness(from_hex(text))),
    )
    return {
        "lightest": light,
        "darkest": dark,
        "most_colourful": max(hexes, key=lambda text: chroma(from_hex(text))),
        "contrast": round(contrast(from_hex(light), from_hex(dark)), 2),
    }
