"""The local image renderer: posters and generative compositions."""

from impasto_nodes.providers.local.image_renderer.render import (
    render_image,
    render_images,
    style_of,
    undrawn_letters,
    words_of,
)
from impasto_nodes.providers.local.image_renderer.request import ASPECT_RATIOS, LABEL, RenderRequest, size_of

__all__ = [
    "ASPECT_RATIOS",
    "LABEL",
    "RenderRequest",
    "render_image",
    "render_images",
    "size_of",
    "style_of",
    "undrawn_letters",
    "words_of",
]
