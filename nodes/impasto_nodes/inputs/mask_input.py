"""Mask: a painted part of an image as input."""

from typing import Annotated

from impasto import SKIP, Mask, Setting, node


@node(
    id="mask",
    title="Mask",
    category="inputs",
    keywords=("mask input", "inpaint", "paint", "brush", "selection", "area", "region"),
)
async def mask(
    *,
    mask: Annotated[Mask | None, Setting(title="Mask", widget="mask", input=True, main=True)] = None,
) -> Mask:
    """The part of an image that an edit may change: white is changed, black is kept.

    Left empty, the port is closed, and an edit may change the whole image.
    """
    return SKIP if mask is None else mask
