"""Pictures made on this machine: posters and generative compositions, drawn, not dreamt."""

from impasto_nodes.providers.local.image_renderer.render import (
    render_picture,
    render_pictures,
    style_of,
    undrawn_letters,
)
from impasto_nodes.providers.local.image_renderer.request import ASPECT_RATIOS, LABEL, PictureRequest, size_of

__all__ = [
    "ASPECT_RATIOS",
    "LABEL",
    "PictureRequest",
    "render_picture",
    "render_pictures",
    "size_of",
    "style_of",
    "undrawn_letters",
]
