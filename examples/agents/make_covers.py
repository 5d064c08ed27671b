"""Draw the covers of the built-in agents with the product's own renderer. Run it as a script."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from impasto_nodes.providers.local.image_renderer import RenderRequest, render_image

HERE = Path(__file__).parent
SIZE = (640, 320)
LIMIT = 60_000

# agent -> style, palette, what it shows, seed
COVERS: dict[str, tuple[str, str, str, int]] = {
    "product_launch_kit": (
        "impasto",
        "#f7e3c0 #f2a65a #e98b4a #b9571f #7c2d12 #2b1608",
        "meadow at sundown",
        2,
    ),
    "ad_variations": ("riso", "#ffe9e1 #de4f2a #f7a58b #5b1026", "citrus", 3),
    "brand_voice_writer": ("swiss", "#dfe7ff #5c7df0 #2f57e0 #1b2a7a", "type", 11),
    "reel_maker": ("orbit", "#efe6ff #8a63e6 #d65db1 #2a1460", "meadow at sundown", 3),
    "moodboard": ("cutout", "#fff6e6 #de4f2a #2f57e0 #f6c453 #11806a #7449d8", "flower leaf", 8),
    "packshot_studio": ("studio", "#f3f0ea #cfd6d3 #8fa19b #55706a #23302c", "bottle", 2),
    "podcast_teaser": ("aura", "#d5f3ea #2ea58a #0d6a58 #083d33", "voice", 6),
    "storyboard": ("sunset", "#fff2cc #f3c95f #d79b2b #8a5f14 #4a3208", "meadow at sundown", 4),
}


def cover(name: str) -> bytes:
    """One cover, as WebP below the limit."""
    style, palette, shown, seed = COVERS[name]
    request = RenderRequest(f"{shown}, no text", 1, "2:1", seed, tuple(palette.split()), style=style)
    image = Image.open(io.BytesIO(render_image(request))).resize(SIZE, Image.Resampling.LANCZOS)
    for quality in range(86, 30, -6):
        out = io.BytesIO()
        image.save(out, "WEBP", quality=quality, method=6)
        if out.tell() < LIMIT:
            break
    return out.getvalue()


def main() -> None:
    """Draw them all."""
    folder = HERE / "covers"
    folder.mkdir(exist_ok=True)
    for name in COVERS:
        (folder / f"{name}.webp").write_bytes(cover(name))


if __name__ == "__main__":
    main()
