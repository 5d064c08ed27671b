"""Resize and crop: one image to the size asked for, or to every size of a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from impasto import Context, Image, Setting, node
from impasto_nodes.transform.channels import PACKS, Placement
from impasto_nodes.transform.files import read_image, save_image

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL.Image import Image as Bitmap

Sizes = Literal[
    "own size",
    "Instagram",
    "Facebook",
    "TikTok",
    "YouTube",
    "LinkedIn",
    "X",
    "Pinterest",
    "Display ads",
    "Website",
]
Fit = Literal["smart", "fill", "fit", "stretch"]

# If a crop keeps less of the saliency than this, the whole image is shown on a blurred ground instead.
_ENOUGH = 0.5


def _expected(settings: Mapping[str, object], _inputs: Mapping[str, object]) -> dict[str, float]:
    return {"usd": 0.0, "items": len(PACKS.get(str(settings["sizes"]), (None,)))}


@node(
    id="resize_crop",
    title="Resize and crop",
    category="transform_assets",
    keywords=("scale", "aspect ratio", "size", "format", "crop", "fit", "thumbnail"),
    cost=_expected,
)
def resize_crop(
    image: Image,
    *,
    sizes: Annotated[
        Sizes,
        Setting(
            title="Sizes",
            widget="select",
            help="Your own, or a pack with every size of a channel.",
            main=True,
        ),
    ] = "own size",
    width: Annotated[int, Setting(title="Width", ge=16, le=8_000, unit="px")] = 1080,
    height: Annotated[int, Setting(title="Height", ge=16, le=8_000, unit="px")] = 1080,
    fit: Annotated[
        Fit,
        Setting(
            title="Fit",
            widget="segmented",
            help="Smart cuts where least is lost; fill cuts around the middle; fit keeps all.",
        ),
    ] = "smart",
    context: Context,
) -> list[Image]:
    """Bring an image to other sizes.

    *Smart* looks for what draws the eye and keeps it inside the part that a channel's own buttons leave
    free. Where too much would be cut away it shows the whole image on a soft copy of itself.
    """
    bitmap = read_image(image, context)
    wanted = PACKS[sizes] if sizes in PACKS else (Placement("resized", width, height),)
    made = []
    for number, placement in enumerate(wanted):
        page = fitted(bitmap, placement, fit)
        name = f"{placement.name}-{placement.width}x{placement.height}"
        made.append(save_image(page, context, like=image, name=name))
        context.progress((number + 1) / len(wanted), placement.name)
    return made


def fitted(bitmap: Bitmap, placement: Placement, fit: Fit) -> Bitmap:
    """The image at exactly the placement's size."""
    from PIL import Image, ImageOps

    from impasto_nodes.media.image.framing import best_window, cropped, whole

    size = (placement.width, placement.height)
    if fit == "stretch":
        return bitmap.resize(size, Image.Resampling.LANCZOS)
    if fit == "fill":
        return ImageOps.fit(bitmap, size, Image.Resampling.LANCZOS)
    if fit == "fit":
        return whole(bitmap, size, placement.safe)
    window = best_window(bitmap, size, placement.safe)
    return cropped(bitmap, size, window) if window.kept >= _ENOUGH else whole(bitmap, size, placement.safe)
