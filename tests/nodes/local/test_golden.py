"""Each style beside what it looked like when a person last approved it, in 48 by 48 spots.

Four scenes of each style, and what else some draw. They are drawn at a quarter of their width and height,
which the spots hardly show.

After a change that is meant: `IMPASTO_APPROVE=1 pytest tests/nodes/local/test_golden.py`, look, commit.
"""

import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from tests.fixtures.approved import is_rounding

from impasto_nodes.providers.local.image_renderer import RenderRequest, render, render_image, size_of
from impasto_nodes.providers.local.image_renderer.styles import STYLES

GOLDEN = Path(__file__).parent / "golden"


SCENES = {
    "": ("Late-summer light over a cold-brew can", "1:1", 11, ("#de8b3a", "#2b2018", "#f0d9b0", "#5c7a68")),
    "-wide": ("A bee above a mountain lake", "16:9", 4, ("#e8e4dc", "#16324f", "#d1495b", "#edae49")),
    "-tall": ("Our coffee cup", "9:16", 1, ("#1d3557", "#e63946", "#f1faee", "#a8dadc")),
    "-silent": ("A garden of tea leaves, no text", "4:5", 3, ("#2f5d50", "#f4efe6", "#c96f4a", "#e3c770")),
}

PRODUCTS = {
    f"-{thing}": (f"Our {thing}", "4:5", 2, ("#1d3557", "#e63946", "#f1faee", "#a8dadc"))
    for thing in ("can", "bottle", "jar", "tube")
}
"""Each product that the style "studio" sets on its table."""
MORE = {
    "-lines": (
        "Our coffee cup: roasted every morning in our own yard",
        "9:16",
        11,
        ("#1d3557", "#e63946", "#f1faee", "#a8dadc"),
    ),
    "-flowers": ("A bouquet of flowers, no text", "4:5", 3, ("#2f5d50", "#f4efe6", "#c96f4a", "#e3c770")),
}
"""What some styles draw of other words."""
KINDS = {
    ("framed", "-tall"): 5,
    ("staged", "-tall"): 7,
    ("staged", "-silent"): 6,
    ("staged", "-disc"): 5,
    ("staged", "-band"): 1,
    ("riso", "-photo"): 1,
}
"""Seeds by which a style draws each of its kinds."""
CASES = [
    *((style, scene) for style in STYLES for scene in SCENES),
    *(("studio", scene) for scene in PRODUCTS),
    ("staged", "-disc"),
    ("staged", "-band"),
    ("riso", "-photo"),
    ("swiss", "-lines"),
    ("impasto", "-flowers"),
]


def given_image(style, scene):
    """The image that a style starts from: a photo, or a subject on an even ground."""
    if style not in {"framed", "staged"} and scene != "-photo":
        return None
    image = Image.radial_gradient("L").convert("RGB")
    if style == "riso":
        ImageDraw.Draw(image).ellipse((60, 40, 150, 130), fill=(220, 120, 40))
    if style == "staged" and scene not in {"", "-wide"}:
        image = Image.new("RGB", (400, 300), (240, 240, 240))
        ImageDraw.Draw(image).ellipse((120, 60, 280, 240), fill=(40, 90, 160))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def spots(style, scene):
    prompt, ratio, seed, colors = (SCENES | PRODUCTS | MORE).get(scene, SCENES["-tall"])
    seed = KINDS.get((style, scene), seed)
    image = given_image(style, scene)
    request = RenderRequest(prompt, 1, ratio, seed, colors, "Northbound", image, style=style)
    return Image.open(io.BytesIO(render_image(request))).convert("RGB").resize((48, 48), Image.Resampling.BOX)


@pytest.mark.parametrize(("style", "scene"), CASES)
def test_a_style_looks_as_approved(style, scene, monkeypatch):
    monkeypatch.setattr(render, "size_of", lambda ratio: tuple(length // 4 for length in size_of(ratio)))
    path, now = GOLDEN / f"{style}{scene}.png", spots(style, scene)
    if os.environ.get("IMPASTO_APPROVE"):
        GOLDEN.mkdir(exist_ok=True)
        now.save(path)
    approved = np.asarray(Image.open(path).convert("RGB"), float)
    assert is_rounding(np.abs(np.asarray(now, float) - approved))
