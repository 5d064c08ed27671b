"""The local renderer: exact sizes, the brand's colours, the same bytes for the same request."""

import io
import pickle
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.fixtures.briefs import CASES
from tests.fixtures.tables import diagonals

from impasto import NodeError
from impasto_nodes.media.image.color import difference, from_hex
from impasto_nodes.media.image.matting import clusters
from impasto_nodes.providers.local.image_renderer import (
    ASPECT_RATIOS,
    RenderRequest,
    motifs,
    palettes,
    render,
    render_image,
    render_images,
    size_of,
    style_of,
    undrawn_letters,
    words,
)
from impasto_nodes.providers.local.image_renderer import canvas as canvas_module
from impasto_nodes.providers.local.image_renderer.lettering import lay_out
from impasto_nodes.providers.local.image_renderer.scene import Scene, cover
from impasto_nodes.providers.local.image_renderer.styles import STYLES
from impasto_nodes.providers.local.image_renderer.styles.framed import (
    FIELD_DROP,
    image_box,
    title_setting,
)
from impasto_nodes.providers.local.image_renderer.styles.riso import planes_of
from impasto_nodes.providers.local.image_renderer.styles.riso import title_setting as riso_setting

PROMPT = "Launch visuals for our cold-brew can: late-summer light, condensation, a hand reaching in."
BRAND = ("#de8b3a", "#2b2018", "#f0d9b0", "#5c7a68")


def opened(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def source():
    out = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def small(monkeypatch):
    """Draw a sixteenth of the area, for what does not depend on it."""
    monkeypatch.setattr(render, "size_of", lambda ratio: tuple(length // 4 for length in size_of(ratio)))


@pytest.mark.parametrize("ratio", ASPECT_RATIOS)
def test_sizes_are_exact_in_ratio_and_about_a_megapixel(ratio):
    width, height = size_of(ratio)
    across, down = map(int, ratio.split(":"))
    assert width * down == height * across
    assert 0.6e6 < width * height < 1.5e6
    assert width % 2 == height % 2 == 0


@given(st.integers(1, 32), st.integers(1, 32))
def test_any_ratio_is_met_exactly(across, down):
    width, height = size_of(f"{across}:{down}")
    assert width * down == height * across


@pytest.mark.parametrize("ratio", ["", "wide", "0:1", "1:0", "1:2:3", "-1:2", "999:1"])
def test_invalid_ratio_is_refused(ratio):
    with pytest.raises(ValueError, match="not an aspect ratio"):
        size_of(ratio)


@pytest.mark.parametrize(("style", "ratio"), diagonals(product(STYLES, ["9:16", "16:9"]), 2))
def test_every_style_draws_every_shape(style, ratio, small):
    request = RenderRequest(
        PROMPT, 1, ratio, 3, BRAND, "Northbound", source() if style == "framed" else None, style=style
    )
    image = opened(render_image(request))
    assert image.size == render.size_of(ratio)
    assert np.asarray(image, float).std() > 12


@pytest.mark.parametrize("ratio", ASPECT_RATIOS)
@pytest.mark.parametrize("headline", ["Cold brew", "A long headline that needs several lines of a poster"])
def test_a_risograph_keeps_its_figure_and_its_large_dots_above_the_title(ratio, headline):
    width, height = (length // 2 for length in size_of(ratio))
    said = words.Words(headline, "Condensation on the can, and a hand reaching in.", frozenset())
    palette = palettes.suited(frozenset(), BRAND, 0)
    scene = Scene(width, height, palette, said, "Northbound", (), np.random.default_rng(0))
    back, third, front = planes_of(scene)
    top = lay_out(scene, riso_setting(scene)).box[1]
    assert front[:top].max() > 0.5
    assert front[top:].max() < 0.05
    assert max(back[top:].max(), third[top:].max()) < 0.15, "dots that small type can stand on"


def test_fonts_that_are_not_here_are_passed_over(small):
    def drawn(*families):
        return render_image(RenderRequest(PROMPT, 1, "4:5", 3, BRAND, "Acme", style="swiss", fonts=families))

    own = drawn("Fredoka One")
    assert drawn("No Such Family", "Fredoka One") == own != drawn("No Such Family")


@pytest.mark.parametrize("ratio", ASPECT_RATIOS)
@pytest.mark.parametrize("headline", ["Cold brew", "A long headline that needs several lines of a poster"])
def test_framed_image_and_its_title_do_not_overlap(ratio, headline):
    width, height = size_of(ratio)
    said = words.Words(headline, "Condensation on the can, and a hand reaching in.", frozenset())
    palette = palettes.suited(frozenset(), BRAND, 0)
    scene = Scene(width, height, palette, said, "Northbound", (), np.random.default_rng(0))
    setting = title_setting(scene, "serif")
    left, top, right, bottom = image_box(scene, setting)
    title_left, title_top, title_right, title_bottom = lay_out(scene, setting).box
    assert right - left > width * 0.4
    assert bottom - top > height * 0.4
    assert title_left >= 0
    assert title_right <= width
    assert title_bottom <= height
    # The field of colour behind the image reaches further down than the image.
    assert bottom + FIELD_DROP * scene.unit < title_top or title_right < left


@pytest.mark.parametrize("style", STYLES)
def test_the_same_sample_gives_the_same_bytes_and_another_seed_another_image(style, small):
    image = source() if style == "framed" else None
    one = RenderRequest("Wild flowers, no text", 1, "1:1", 5, (), "", image, style=style)
    other = RenderRequest("Wild flowers, no text", 1, "1:1", 6, (), "", image, style=style)
    first = render_image(one)
    assert render_image(pickle.loads(pickle.dumps(one))) == first
    assert render_image(other) != first


@pytest.mark.parametrize("style", [style for style in STYLES if style != "framed"])
def test_image_uses_the_brand_colors(style, small):
    image = opened(render_image(RenderRequest("no text", 1, "1:1", 2, BRAND, "", style=style)))
    small = np.asarray(image.resize((64, 64), Image.Resampling.BOX), np.float32).reshape(-1, 3)
    centres, shares = clusters(small, 6, np.ones(len(small), np.float32))
    brand = [from_hex(color) for color in BRAND]
    nearest = [
        min(difference(tuple(int(part) for part in centre), color) for color in brand) for centre in centres
    ]
    assert sum(share for share, distance in zip(shares, nearest, strict=True) if distance < 20) > 0.7
    assert min(nearest) < 9


def test_images_of_one_sample_differ_in_style(small):
    request = RenderRequest(PROMPT, 4)
    assert len({style_of(request, index) for index in range(4)}) == 4
    assert len({bytes(data) for data in render_images(RenderRequest("Sea, no text", 3))}) == 3


@pytest.mark.parametrize(
    ("prompt", "style"),
    [
        ("A product packshot of our can", "studio"),
        ("Typographic poster, swiss", "swiss"),
        ("Impasto painting of flowers", "impasto"),
        ("A planet in orbit", "orbit"),
        ("Riso print for a jazz festival", "riso"),
        ("Sunset over desert hills", "sunset"),
    ],
)
def test_prompt_words_select_the_style(prompt, style):
    assert style_of(RenderRequest(prompt)) == style


def test_a_product_is_shown_as_often_as_it_can_be():
    request = RenderRequest(PROMPT, 4)
    shown = [style_of(request, index) for index in range(4)]
    assert sorted(shown) == ["cutout", "riso", "studio", "swiss"]
    assert shown[0] == "studio"
    packshots = RenderRequest("Our serum, product packshot in a studio, no text", 3)
    assert {style_of(packshots, index) for index in range(3)} == {"studio"}


def test_a_given_image_is_used(small):
    data = source()
    for index in range(3):
        request = RenderRequest("Soft light, no text", 3, "1:1", 1, image=data)
        assert style_of(request, index) == ("staged", "staged", "framed")[index]
    image = opened(render_image(RenderRequest("no text", 1, "1:1", 1, image=data, style="impasto"))).convert(
        "L"
    )
    middle = np.asarray(image, float)[112:144, 112:144].mean()
    corner = np.asarray(image, float)[:32, :32].mean()
    assert corner - middle > 90


def test_a_damaged_image_is_refused():
    with pytest.raises(NodeError) as caught:
        render_image(RenderRequest("x", image=source()[:300]))
    assert caught.value.code == "damaged_picture"


def test_without_skia_pillow_draws_nearly_the_same(monkeypatch, small):
    request = RenderRequest("Flowers, no text", 1, "1:1", 8, BRAND, style="cutout")
    by_skia = np.asarray(opened(render_image(request)), float)
    monkeypatch.setattr(canvas_module, "_skia", lambda: None)
    by_pillow = np.asarray(opened(render_image(request)), float)
    assert np.abs(by_skia - by_pillow).mean() < 1.5


@pytest.mark.thorough
def test_the_richest_image_takes_little_longer_than_a_plain_one():
    """On a fast machine a second and a half, and a half."""

    def drawing(style):
        start = time.process_time()
        render_image(RenderRequest(PROMPT, style=style))
        return time.process_time() - start

    drawing("sunset")
    assert drawing("impasto") < 10 * drawing("sunset")


@pytest.mark.parametrize("style", [style for style in STYLES if style != "framed"])
def test_title_is_drawn_unless_turned_off(style):
    said = RenderRequest(f"{PROMPT}", 1, "4:5", 4, BRAND, style=style)
    assert not words.read(said.prompt).silent
    assert words.read(said.prompt + " No text.").silent


@pytest.mark.parametrize(
    ("prompt", "headline", "subline"),
    [
        (PROMPT, "Our cold-brew can", "Late-summer light, condensation"),
        (
            'A poster for a jazz festival in Lisbon, "Night Blossoms"',
            "Night Blossoms",
            "A jazz festival in Lisbon",
        ),
        ("Headline: Slow mornings. Linen and light", "Slow mornings", None),
        ("Create an image of a lighthouse at dusk", "A lighthouse at dusk", None),
        ("Big summer sale on all sneakers", "Big summer sale on all sneakers", ""),
        ("a picture without text", "", ""),
        ("", "", ""),
        ("of the and with", "", ""),
    ],
)
def test_headline_comes_from_the_prompt(prompt, headline, subline):
    found = words.read(prompt)
    assert found.headline == headline
    assert subline is None or found.subline == subline


def test_empty_prompt_shows_the_brand_name():
    assert words.read("", "Northbound").headline == "Northbound"


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_any_prompt_is_parsed(prompt):
    found = words.read(prompt)
    assert len(found.headline) <= 64
    assert "\n" not in found.headline


@pytest.mark.parametrize(
    "prompt", ["写真展 東京", "🎉🎉🎉", "Ünïcödé façade", "مرحبا", "x" * 4000, "\x00\x07"]
)
def test_any_prompt_is_drawn(prompt, small):
    assert opened(
        render_image(RenderRequest(prompt, 1, "1:1", 1, BRAND, prompt[:60], style="swiss"))
    ).size == (256, 256)


@pytest.mark.parametrize(
    "palette",
    [(), ("#808080",), ("#000000",), ("#ffffff", "#fffffe"), ("nonsense", "#de4f2a"), ("#de4f2a",) * 9],
)
def test_any_palette_is_drawn(palette, small):
    image = opened(render_image(RenderRequest("Sea, no text", 1, "1:1", 1, palette, style="aura")))
    assert np.asarray(image, float).std() > 8


@pytest.mark.usefixtures("system_fonts")
def test_words_without_a_font_are_reported_and_left_out() -> None:
    sample = RenderRequest("ភាសាខ្មែរ", 1, "1:1", seed=5)
    assert undrawn_letters(sample)
    silent = words.drawn(words.read(sample.prompt))
    assert silent.silent

    for drawn in (
        "قهوة باردة",
        "回家路上的冷萃咖啡",
        "새로운 치과 진료",
        "京都の歯科医院",
        "दंत चिकित्सा क्लिनिक",
    ):
        assert undrawn_letters(RenderRequest(drawn, 1, "1:1")) == ""


@pytest.mark.parametrize(("language", "brief"), CASES)
def test_subject_without_a_motif_is_drawn_as_text(language, brief):
    said = words.read(brief)
    assert said.headline or "no text" in brief
    assert not motifs.named(said.thing) or said.thing == "can"
    styles = {style_of(RenderRequest(brief, 4), index) for index in range(4)}
    assert not styles & {"orbit", "sunset", "contour", "impasto"}
    assert "studio" not in styles or said.thing == "can"
    assert undrawn_letters(RenderRequest(brief)) == ""


@pytest.mark.parametrize(
    ("prompt", "motif"),
    [
        ("A ceramic mug for our café", "cup"),
        ("A teapot beside a cup", ""),
        ("Families can ride in any weather", ""),
        ("A shelf for books", ""),
        ("Payroll software for mobile teams", ""),
    ],
)
def test_only_the_subject_itself_is_drawn(prompt, motif):
    assert motifs.named(words.read(prompt).thing) == motif


def test_a_given_product_is_the_subject_of_every_image_and_is_not_cut():
    request = RenderRequest("Studio packshot, swiss poster", 3, "9:16", image=source())
    assert {style_of(request, index) for index in range(6)} == {"framed"}
    wide = Image.new("RGB", (1600, 400), (240, 240, 240))
    wide.paste((200, 30, 30), (100, 150, 1500, 250))
    shown = np.asarray(cover(wide, (400, 400)).convert("RGB"), int)
    red = (shown[..., 0] - shown[..., 1] > 100).any(0)
    assert red.mean() == pytest.approx(1400 / 1600, abs=0.05)


def test_a_product_on_an_even_ground_is_cut_out_and_stands_on_the_palette(small):
    photo, out = Image.new("RGB", (600, 500), (250, 250, 248)), io.BytesIO()
    photo.paste((200, 30, 30), (150, 150, 450, 380))
    photo.save(out, "PNG")
    for index in range(4):
        request = RenderRequest(
            "no text", 4, "4:5", 2, ("#0b6e4f", "#f4e9cd", "#14213d"), image=out.getvalue()
        )
        assert style_of(request, index) == "staged"
        shown = np.asarray(opened(render_image(request, index)).convert("RGB"), int)
        red = (shown[..., 0] > 150) & (shown[..., 1] < 80)
        columns = np.nonzero(red)[1]
        assert 0.08 < red.mean() < 0.3, "the product is there, in its own color"
        assert columns.min() > shown.shape[1] * 0.15
        assert columns.max() < shown.shape[1] * 0.85
        corner = shown[:10, :10].reshape(-1, 3).mean(0)
        assert np.abs(corner - (250, 250, 248)).max() > 4, "the ground of the photo is gone"


def test_solemn_prompt_gets_quiet_shapes():
    request = RenderRequest("Bestattungshaus Ahrens in Kiel: Abschied in Würde.", 4)
    assert {style_of(request, index) for index in range(4)} == {"aura", "swiss"}
