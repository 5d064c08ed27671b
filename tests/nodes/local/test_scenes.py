"""The parts of a drawn image: its palette, its noise and gradients, its title; and the words it shows."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.fixtures.approved import assert_approved, plane_image, sheet_of

from impasto_nodes.media.image.color import to_hex
from impasto_nodes.providers.local.image_renderer import (
    RenderRequest,
    motifs,
    palettes,
    render,
    render_image,
    size_of,
    style_of,
    words,
    words_of,
)
from impasto_nodes.providers.local.image_renderer.lettering import (
    Setting,
    face,
    lay_out,
    signature,
    title,
)
from impasto_nodes.providers.local.image_renderer.palettes import Palette
from impasto_nodes.providers.local.image_renderer.scene import (
    Scene,
    blend,
    clouds,
    cover,
    grain,
    grained,
    grid,
    ramp,
    shifted,
    smooth,
)
from impasto_nodes.providers.local.image_renderer.styles.riso import title_setting
from impasto_nodes.providers.local.image_renderer.words import Words

APPROVED = Path(__file__).parent / "approved"
GREYS = Palette((250, 245, 235), (20, 20, 30), ((200, 60, 30), (60, 90, 160)))


def scene(
    width: int = 160,
    height: int = 100,
    headline: str = "Slow mornings",
    subline: str = "Linen and light",
    families: tuple[str, ...] = (),
    seed: int = 3,
) -> Scene:
    said = Words(headline, subline, frozenset())
    rng = np.random.default_rng(seed)
    return Scene(width, height, GREYS, said, "Northbound", families, rng)


def hexes(palette: Palette) -> list[str]:
    return [to_hex(color) for color in (palette.paper, palette.ink, *palette.accents)]


@pytest.mark.parametrize(
    ("brand", "paper", "ink", "accents"),
    [
        ("f7e3c0 2b1608 d8562a", "f7e3c0", "2b1608", "d8562a fa9b7d 8e1c00 ffc6b3"),
        ("de4f2a", "ffe7e0", "350801", "de4f2a ff987d 920f00 ffc4b2"),
        (
            "de4f2a de4f2b 2f57e0 0b6e4f a03080 f0c040",
            "e3efff",
            "081641",
            "2f57e0 de4f2a a03080 f0c040 0b6e4f",
        ),
        ("808080 888888 d8562a", "ffe8e0", "340b01", "d8562a 808080 fa9b7d 8e1c00"),
        ("808080 8a8a8a d8562a", "ffe8e0", "340b01", "d8562a 8a8a8a 808080 fa9b7d"),
        ("ffffff 000000", "ffffff", "000000", "ffffff b7b7b7 4d4d4d 868686"),
        ("808080 848484 909090", "eeeeee", "1b1b1b", "909090 808080 b7b7b7 4d4d4d"),
    ],
)
def test_colors_of_a_brand_get_roles_and_at_least_four_accents(
    brand: str, paper: str, ink: str, accents: str
) -> None:
    found = hexes(palettes.suited(frozenset({"ocean"}), tuple(f"#{color}" for color in brand.split()), 0))
    assert found == [f"#{color}" for color in (paper, ink, *accents.split())]


@pytest.mark.parametrize(
    ("said", "pick", "paper"),
    [
        ({"ocean", "sea"}, 0, "#e6edff"),
        ({"ocean", "matcha", "tea"}, 5, "#eef2df"),
        (set(), 0, "#f3f0ea"),
        (set(), 1, "#f6efdf"),
        (set(), 8, "#f4e6d6"),
        ({"night"}, 0, "#efe6ff"),
        ({"night"}, 3, "#f1e8d8"),
    ],
)
def test_words_choose_a_palette_and_the_number_breaks_ties(said: set[str], pick: int, paper: str) -> None:
    assert to_hex(palettes.suited(frozenset(said), (), pick).paper) == paper


def test_a_palette_is_read_by_light_and_by_number() -> None:
    assert GREYS.main == GREYS.accent(0) == GREYS.accent(2) == (200, 60, 30)
    assert GREYS.by_light == ((20, 20, 30), (60, 90, 160), (200, 60, 30), (250, 245, 235))


def test_a_scene_is_measured_by_its_short_side() -> None:
    assert (scene().unit, scene(80, 200).unit) == (100.0, 80.0)
    assert [scene(width, 100).wide for width in (114, 116)] == [False, True]
    x, y = grid(scene(20, 10))
    assert x.shape == y.shape == (10, 20)
    assert x[3].tolist() == pytest.approx([(n - 10) / 10 for n in range(20)])
    assert y[:, 3].tolist() == pytest.approx([(n - 5) / 10 for n in range(10)])
    dice = scene()
    assert all(2 <= dice.between(2, 3) < 3 for _ in range(50))
    assert (dice.chance(1.0), dice.chance(0.0)) == (True, False)


def test_noise_and_gradients_are_as_approved() -> None:
    planes = [clouds(scene(60, 40), 3), clouds(scene(40, 60), 2, 1), clouds(scene(60, 40), 4, 4, 0.8)]
    for number, plane in enumerate(planes):
        assert (float(plane.min()), float(plane.max())) == pytest.approx((0, 1))
        assert_approved(plane_image(plane), APPROVED / f"clouds-{number}.png")
    level = np.tile(np.linspace(-0.1, 1.1, 120, dtype=np.float32), (20, 1))
    colors = [(222, 79, 42), (240, 230, 200), (30, 60, 140)]
    stripes = np.concatenate([ramp(level, colors), ramp(level, colors, (0, 0.2, 1))])
    assert_approved(Image.fromarray(stripes.astype(np.uint8)), APPROVED / "ramps.png")


def test_grain_is_even_noise_of_its_strength() -> None:
    flat = np.full((100, 160, 3), 128, np.float32)
    assert np.asarray(grain(scene(), flat))[0, :8, 0].tolist() == [140, 131, 119, 127, 128, 131, 121, 130]
    noise = np.asarray(grain(scene(), flat), float) - 127.5
    assert noise.mean() == pytest.approx(0, abs=0.2)
    assert noise.std() == pytest.approx(9 * np.hypot(0.6, 0.4), rel=0.03)
    assert (noise[..., 0] == noise[..., 2]).all()
    rows = noise[1:, 1:, 0] * noise[:-1, :-1, 0]
    assert rows.mean() / noise.std() ** 2 == pytest.approx(0.24 / 0.52, abs=0.04)
    image = Image.new("L", (160, 100), 128)
    assert np.asarray(grained(scene(), image), float).std() == pytest.approx(7 * 0.721, rel=0.04)


def test_planes_are_blended_stepped_and_shifted() -> None:
    under, mask = np.zeros((1, 3, 3), np.float32), np.array([[0, 0.5, 1]], np.float32)
    assert blend(under, (100, 200, 50), mask)[0].tolist() == [[0, 0, 0], [50, 100, 25], [100, 200, 50]]
    steps = smooth(np.array([0, 2, 2.5, 3, 4, 9.0]), 2, 4)
    assert steps.tolist() == pytest.approx([0, 0, 0.15625, 0.5, 1, 1])
    plane = np.arange(12).reshape(3, 4)
    assert shifted(plane, 1, 2).tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [4, 4, 4, 5]]
    assert shifted(plane, -1, -1).tolist() == [[5, 6, 7, 7], [9, 10, 11, 11], [9, 10, 11, 11]]


def test_an_image_covers_a_size_by_a_crop_or_whole() -> None:
    image = Image.new("RGB", (300, 100), (20, 20, 20))
    image.paste((230, 60, 30), (130, 30, 170, 70))
    assert cover(image, (100, 100)).getpixel((50, 50)) == (230, 60, 30)
    image.paste((230, 60, 30), (10, 30, 40, 70))
    image.paste((60, 230, 30), (260, 30, 290, 70))
    assert cover(image, (100, 100)).getpixel((50, 5))[0] < 60, "the whole image on a ground"
    near = (0.43, 0.3, 0.57, 0.7)
    shown = np.asarray(cover(image, (100, 100), near))
    assert (shown[..., 0] > 200).sum() == pytest.approx(1600, rel=0.1)
    close = np.asarray(cover(image, (100, 100), near, closer=0.6))
    assert (close[..., 0] > 200).sum() == pytest.approx(1600 / 0.36, rel=0.1)
    too_close = np.asarray(cover(image, (100, 100), near, closer=0.3))
    assert (too_close == shown).all()
    assert cover(image, (100, 100), (0.0, 0.0, 1.0, 1.0)).getpixel((50, 5))[0] < 60


SETTINGS = (
    Setting(),
    Setting("serif", "top", "center", measure=0.6),
    Setting("poster", "bottom", "right", upper=True, largest=0.3),
    Setting("hand", "top", "left", signed="beside"),
    Setting("italic", "bottom", "left", share=0.1, signed="beside"),
)


def test_titles_are_drawn_as_approved() -> None:
    ground = Image.linear_gradient("L").resize((160, 100)).convert("RGB")
    images = [title(scene(), ground.copy(), setting) for setting in SETTINGS]
    images += [title(scene(subline=""), ground.copy(), SETTINGS[1], (200, 30, 30))]
    images += [title(scene(families=("Fredoka One",)), ground.copy(), SETTINGS[3])]
    images += [title(scene(100, 160), ground.resize((100, 160)), SETTINGS[0])]
    assert_approved(sheet_of(images, 320).convert("RGB"), APPROVED / "titles.png")
    assert title(scene(headline=""), ground, SETTINGS[0]) is ground


def test_a_title_is_laid_out_at_its_edge() -> None:
    found = lay_out(scene(400, 300), Setting())
    assert (found.left, found.box[0], found.box[3]) == (21, 21, 279)
    assert found.box == (21, found.top, 21 + max(found.headline.width, found.subline.width), 279)
    gap = round(found.headline.size * 0.34)
    assert found.subline_top == found.top + found.headline.height + gap
    assert found.subline.size == min(round(300 * 0.036), found.headline.size // 3)
    centred = lay_out(scene(400, 300, subline=""), Setting(align="center", edge="top"))
    assert (centred.left, centred.top, centred.subline) == (200, 21, None)
    assert centred.box[0] == 200 - round(centred.headline.width / 2)
    assert centred.box[3] == 21 + centred.headline.height
    assert lay_out(scene(400, 300), Setting(align="right")).box[2] == 379


def test_a_line_below_a_title_is_as_wide_as_the_measure_between_the_margins() -> None:
    """179 of 400 pixels: the first text is 185 wide, the second one 168."""
    half = Setting(measure=0.5)
    wrapped = lay_out(scene(400, 300, subline="Linen, light and slow warm mornings"), half)
    assert wrapped.subline.lines == ("Linen, light and slow", "warm mornings")
    whole = lay_out(scene(400, 300, subline="Linen and light for slow mornings"), half)
    assert len(whole.subline.lines) == 1


def test_a_risograph_sets_up_to_seventeen_letters_in_capitals() -> None:
    assert [title_setting(scene(headline="n" * count)).upper for count in (17, 18)] == [True, False]


def test_a_brands_font_takes_the_place_of_a_face() -> None:
    own = face(scene(families=("Inter", "Other")), "poster")
    assert (own.family, own.weight, own.tracking, own.leading) == ("Inter", "black", -0.015, 1.0)
    assert face(scene(families=("Inter",)), "plain").leading == 1.04
    assert face(scene(), "hand").family == "Amatic SC"


def test_the_name_of_a_brand_is_signed_in_a_corner() -> None:
    images = []
    for edge, align in (("top", "left"), ("bottom", "right")):
        image = Image.new("RGB", (400, 300), (240, 230, 220))
        signature(scene(400, 300), image, edge, (200, 30, 30), align)  # type: ignore[arg-type]
        images.append(image)
    assert_approved(sheet_of(images, 400).convert("RGB"), APPROVED / "signatures.png")
    nameless = scene(400, 300)
    blank = Image.new("RGB", (400, 300))
    signature(Scene(**{**vars(nameless), "brand_name": ""}), blank, "top")
    assert blank.getbbox() is None


@pytest.mark.parametrize(
    ("prompt", "headline", "subline", "thing"),
    [
        ('Poster "Night  Blossoms" for a jazz festival', "Night Blossoms", "A jazz festival", "blossoms"),
        ("Title: open now.", "Open now", "", "title"),
        ("« Nuit blanche »", "Nuit blanche", "", ""),
        ("A tea shop in Leeds", "A tea shop in Leeds", "", "shop"),
        ("A bicycle shop in Leeds, no text", "", "", "shop"),
        ("Our mug, clean plate", "", "", "mug"),
        (
            "Our ceramic mug: warm light on the old wooden kitchen table, cups",
            "Our ceramic mug",
            "Warm light on the old wooden kitchen table, cups",
            "mug",
        ),
        (
            "Our ceramic mug: warm light on the old wooden kitchen table, linen",
            "Our ceramic mug",
            "Warm light on the old wooden kitchen table",
            "mug",
        ),
    ],
)
def test_words_of_an_image_are_found_in_its_prompt(
    prompt: str, headline: str, subline: str, thing: str
) -> None:
    found = words.read(prompt)
    assert (found.headline, found.subline, found.thing) == (headline, subline, thing)


def test_a_headline_has_at_most_64_characters() -> None:
    assert words.read("", "n" * 64).headline == "N" + "n" * 63
    assert words.read("", "n" * 65).headline == ""


@pytest.mark.usefixtures("system_fonts")
def test_words_may_be_given_in_place_of_those_of_the_prompt() -> None:
    request = RenderRequest("Our cold-brew can: late light", headline=" Own  words ", line="")
    assert (words_of(request).headline, words_of(request).subline) == ("Own words", "")
    assert words_of(RenderRequest("x", headline="ភាសា", line="Line")).silent
    assert words_of(RenderRequest("x", headline="Head", line="ភាសា")) == Words(
        "Head", "", frozenset("x"), "x"
    )


def test_any_other_ratio_has_about_a_megapixel() -> None:
    assert size_of("1:64") == (132, 8448)
    assert size_of("64:1") == (8448, 132)
    assert size_of("7:5") == (1246, 890)
    for wrong in ("65:1", "1:65", "0:3", "3:0"):
        with pytest.raises(ValueError, match="not an aspect ratio"):
            size_of(wrong)


def test_a_seed_a_brand_or_a_number_gives_another_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "size_of", lambda ratio: (64, 64))
    plain = RenderRequest("no text", style="aura")
    drawn = {render_image(plain), render_image(plain, 1)}
    drawn |= {render_image(RenderRequest("no text", seed=1, style="aura"))}
    drawn |= {render_image(RenderRequest("no text", brand_name="A", style="aura"))}
    assert len(drawn) == 4


def test_the_prompt_and_the_seed_choose_colors_where_a_brand_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(render, "size_of", lambda ratio: (64, 64))
    requests = [RenderRequest("no text", seed=seed, style="aura") for seed in range(6)]
    requests += [RenderRequest("The sea, no text", style="aura")]
    images = [Image.open(io.BytesIO(render_image(request))) for request in requests]
    assert_approved(sheet_of(images, 128).convert("RGB"), APPROVED / "chosen-colors.png")


@pytest.mark.usefixtures("system_fonts")
def test_fonts_of_a_brand_are_used_if_they_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "size_of", lambda ratio: (128, 128))
    plain, unknown, known = (
        render_image(RenderRequest("Cold brew", style="swiss", fonts=fonts))
        for fonts in ((), ("Nowhere Sans",), ("Nowhere Sans", "Amatic SC"))
    )
    assert plain == unknown
    assert known != plain


def test_a_style_that_is_asked_for_is_used() -> None:
    assert style_of(RenderRequest("no text", style="orbit")) == "orbit"
    assert style_of(RenderRequest("no text", style="staged", image=PHOTO)) == "staged"


@pytest.mark.parametrize("name", ["framed", "nowhere", None])
def test_style_that_needs_an_image_or_is_unknown_is_not_used(name: str | None) -> None:
    assert style_of(RenderRequest("A bakery in Leeds", style=name)) == "aura"


PHOTO = saved(Image.radial_gradient("L"))


@pytest.mark.parametrize(
    ("request_", "styles"),
    [
        (RenderRequest("A bakery in Leeds"), "aura cutout swiss riso aura"),
        (RenderRequest("A bakery in Leeds", seed=7), "cutout swiss riso aura cutout"),
        (RenderRequest("Our studio in Leeds"), "cutout swiss riso aura cutout"),
        (RenderRequest("A swiss poster of a bold sale"), "swiss riso aura cutout swiss"),
        (RenderRequest("A planet for a podcast"), "orbit riso aura cutout swiss"),
        (RenderRequest("A framed print, no text"), "riso aura cutout swiss riso"),
        (RenderRequest("Our jar of cream, a packshot"), "studio studio studio studio studio"),
        (RenderRequest("Packshot on a bold poster with a grid"), "swiss studio aura cutout riso"),
        (RenderRequest("A coffee mug"), "studio cutout swiss riso aura"),
        (RenderRequest("A funeral home in York"), "aura swiss aura swiss aura"),
        (RenderRequest("Riso print, no text", image=PHOTO), "riso staged framed staged staged"),
        (RenderRequest("Studio light, no text", image=PHOTO), "staged staged framed staged staged"),
        (RenderRequest("Soft light", image=PHOTO), "framed framed framed framed framed"),
    ],
    ids=[
        *("any", "seed", "place", "named", "words", "silent", "packshot", "poster", "product", "solemn"),
        *("print of a photo", "photo", "photo with a title"),
    ],
)
def test_images_of_a_request_take_styles_in_turn(request_: RenderRequest, styles: str) -> None:
    assert [style_of(request_, index) for index in range(5)] == styles.split()


@pytest.mark.parametrize(("noun", "name"), [("mugs", "cup"), ("lemons", "citrus"), ("teapot", ""), ("", "")])
def test_nouns_name_their_drawings(noun: str, name: str) -> None:
    assert motifs.named(noun) == name
