"""Each style beside what it looked like when a person last approved it, in 48 by 48 spots.

Four scenes of each style, and what else some draw: other proportions, colors, names and images. They are
drawn at a quarter of their width and height, which the spots hardly show.

After a change that is meant: `IMPASTO_APPROVE=1 pytest tests/nodes/local/test_golden.py`, look, commit.
"""

import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from tests.fakes.media import saved
from tests.fixtures.approved import is_rounding

from impasto_nodes.providers.local.image_renderer import RenderRequest, render, render_image, size_of
from impasto_nodes.providers.local.image_renderer.styles import STYLES

GOLDEN = Path(__file__).parent / "golden"
BLUE = ("#1d3557", "#e63946", "#f1faee", "#a8dadc")
WARM = ("#de8b3a", "#2b2018", "#f0d9b0", "#5c7a68")
PALE = ("#ffffff", "#fff3c8", "#e9f2ff", "#ffe6ee", "#e4fbe6", "#f3e6ff")
DARK = ("#1a1a2e", "#16213e", "#0f3460")
LINES = "Our coffee cup: roasted every morning in our own yard"
COMPANY = "The Northbound Coffee Roasting Company"

SCENES = {
    "": ("Late-summer light over a cold-brew can", "1:1", 11, WARM),
    "-wide": ("A bee above a mountain lake", "16:9", 4, ("#e8e4dc", "#16324f", "#d1495b", "#edae49")),
    "-tall": ("Our coffee cup", "9:16", 1, BLUE),
    "-silent": ("A garden of tea leaves, no text", "4:5", 3, ("#2f5d50", "#f4efe6", "#c96f4a", "#e3c770")),
}

PRODUCTS = {f"-{thing}": (f"Our {thing}", "4:5", 2, BLUE) for thing in ("can", "bottle", "jar", "tube")}
"""Each product that the style "studio" sets on its table."""
MORE = {
    "-lines": (LINES, "9:16", 11, BLUE),
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


def photo(subject=None):
    """A photo, with a subject within these bounds."""
    image = Image.radial_gradient("L").convert("RGB")
    if subject is not None:
        ImageDraw.Draw(image).ellipse(subject, fill=(220, 120, 40))
    return saved(image)


def slim():
    """A slim subject on a transparent ground."""
    image = Image.new("RGBA", (300, 400))
    ImageDraw.Draw(image).ellipse((120, 20, 190, 380), fill=(40, 90, 160, 255))
    return saved(image)


PHOTO = photo((60, 40, 150, 130))
CORNERED = photo((4, 4, 90, 80))
"""A photo of a subject near a corner, which a round frame would cut off."""
PLAIN = saved(Image.linear_gradient("L"))
"""A photo from which nothing stands out."""


def given_image(style, scene):
    """The image that a style starts from: a photo, or a subject on an even ground."""
    if scene == "-photo":
        return PHOTO
    if style not in {"framed", "staged"}:
        return None
    if style == "framed" or scene in {"", "-wide"}:
        return photo()
    image = Image.new("RGB", (400, 300), (240, 240, 240))
    ImageDraw.Draw(image).ellipse((120, 60, 280, 240), fill=(40, 90, 160))
    return saved(image)


def spots(style, scene):
    prompt, ratio, seed, colors = (SCENES | PRODUCTS | MORE).get(scene, SCENES["-tall"])
    seed = KINDS.get((style, scene), seed)
    image = given_image(style, scene)
    request = RenderRequest(prompt, 1, ratio, seed, colors, "Northbound", image, style=style)
    return drawn(request)


def drawn(request):
    return Image.open(io.BytesIO(render_image(request))).convert("RGB").resize((48, 48), Image.Resampling.BOX)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(render, "size_of", lambda ratio: tuple(length // 4 for length in size_of(ratio)))


def assert_golden(now, name):
    path = GOLDEN / f"{name}.png"
    if os.environ.get("IMPASTO_APPROVE"):
        GOLDEN.mkdir(exist_ok=True)
        now.save(path)
    approved = np.asarray(Image.open(path).convert("RGB"), float)
    assert is_rounding(np.abs(np.asarray(now, float) - approved))


@pytest.mark.parametrize(("style", "scene"), CASES)
def test_a_style_looks_as_approved(style, scene):
    assert_golden(spots(style, scene), f"{style}{scene}")


REQUESTS = {
    "cutout-upright": RenderRequest("Our bread", 1, "20:23", 1, BLUE, "Acme"),
    "cutout-portrait": RenderRequest("Our bread", 1, "10:13", 2, DARK, "Acme"),
    "framed-arch": RenderRequest(LINES, 1, "4:5", 4, BLUE, COMPANY, CORNERED),
    "framed-disc": RenderRequest(LINES, 1, "4:5", 2, WARM, COMPANY, CORNERED),
    "framed-low": RenderRequest("A desk, no text", 1, "2:1", 4, BLUE, image=CORNERED),
    "riso-pale": RenderRequest("A tea shop in Leeds", 1, "4:5", 1, PALE, "Northbound"),
    "riso-line": RenderRequest(
        "A bicycle shop that opens every morning at six in our own yard", 1, "2:1", 3, BLUE, COMPANY
    ),
    "staged-photo": RenderRequest(LINES, 1, "4:5", 3, BLUE, COMPANY, PHOTO),
    "staged-plain": RenderRequest("no text", 1, "4:5", 3, BLUE, image=PLAIN),
    "staged-plain-closer": RenderRequest("no text", 1, "4:5", 2, BLUE, image=PLAIN),
    "staged-slim": RenderRequest(LINES, 1, "16:9", 2, WARM, COMPANY, slim()),
    "staged-slim-silent": RenderRequest("no text", 1, "1:1", 4, BLUE, COMPANY, slim()),
    "studio-font": RenderRequest("Our coffee can", 1, "4:5", 1, WARM, "Ö", fonts=("Fredoka One",)),
    "studio-pale": RenderRequest("Our jar", 1, "1:1", 1, PALE, COMPANY),
    "studio-dark": RenderRequest("Our bread", 1, "1:1", 1, DARK),
    "studio-nameless": RenderRequest("Our can", 1, "4:3", 7, WARM, headline="Fifteen letters"),
    "swiss-word": RenderRequest("Tea", 1, "1:1", 2, WARM, COMPANY),
    "swiss-wide-lines": RenderRequest(LINES, 1, "16:9", 3, BLUE, COMPANY, fonts=("Fredoka One",)),
}
"""Other proportions, colors, names and images, by style."""


@pytest.mark.parametrize("name", REQUESTS)
def test_a_style_looks_as_approved_in_other_proportions_and_colors(name):
    style = name.partition("-")[0]
    assert_golden(drawn(replace(REQUESTS[name], style=style)), name)
