"""Overlay text: how a text is drawn, in which color and size, and where it stands by itself."""

import numpy as np
import pytest
from PIL import Image as Pillow
from tests.nodes.transform.test_images import photo

from impasto import NodeError
from impasto_nodes.media.image.legibility import worst_contrast
from impasto_nodes.transform import overlay_text
from impasto_nodes.transform.overlay_text import Style, lettered

pytestmark = pytest.mark.anyio

LONG, SHORT = "HH " * 200, "HH\nHH\nHH"


async def test_words_are_drawn_and_can_be_read(desk):
    before = photo()
    done = await desk.run(
        overlay_text, {"image": await desk.image(before), "text": "Out now"}, {"position": "bottom"}
    )
    after = await desk.open(done.output)
    assert after.size == before.size
    assert (done.output.width, done.output.height) == before.size
    changed = np.abs(np.asarray(after, int) - np.asarray(before, int)).max(2) > 40
    rows, columns = np.nonzero(changed)
    assert rows.min() > 480 * 0.7
    assert columns.min() > 640 * 0.05
    letters = np.asarray(after)[changed].mean()
    assert letters > 200 or letters < 60


async def test_text_has_the_color_that_is_asked_for_where_it_can_be_read(desk):
    inputs = {"image": await desk.image(Pillow.new("RGB", (300, 200), "white")), "text": "HHH"}
    done = await desk.run(overlay_text, inputs, {"colour": "#a01010", "position": "centre", "size": 0.3})
    colors = dict(map(reversed, (await desk.open(done.output)).convert("RGB").getcolors(60_000)))
    assert colors[160, 16, 16] > 500


@pytest.mark.parametrize("colour", ["", "#808080", "#ffffff"])
async def test_text_on_noise_has_enough_contrast(desk, colour):
    noisy = Pillow.effect_noise((400, 400), 120).convert("RGB")
    inputs = {"image": await desk.image(noisy), "text": "HHHHHHHH"}
    done = await desk.run(overlay_text, inputs, {"colour": colour, "position": "centre", "size": 0.2})
    image = await desk.open(done.output)
    band = np.asarray(image.convert("L"), int)[180:220, 60:340]
    assert np.percentile(band, 97) - np.percentile(band, 3) > 120


async def test_color_without_enough_contrast_is_corrected(desk):
    plain = Pillow.new("RGB", (400, 400), (150, 140, 130))
    inputs = {"image": await desk.image(plain), "text": "M"}
    done = await desk.run(overlay_text, inputs, {"position": "centre", "colour": "#9a9a9a", "size": 0.3})
    image = await desk.open(done.output)
    darkest = tuple(int(part) for part in np.asarray(image).reshape(-1, 3).min(0))
    lightest = tuple(int(part) for part in np.asarray(image).reshape(-1, 3).max(0))
    ground = image.crop((0, 0, 40, 40))
    assert max(worst_contrast(ground, (0, 0, 40, 40), ink) for ink in (darkest, lightest)) >= 4.5


async def test_an_empty_text_leaves_the_image_alone(desk):
    image = await desk.image(photo())
    assert (await desk.run(overlay_text, {"image": image, "text": "  "})).output == image


async def test_long_text_shrinks_and_stays_inside(desk):
    before = photo((300, 200))
    text = "A sentence far too long for so small a picture, and longer still, " * 6
    done = await desk.run(
        overlay_text, {"image": await desk.image(before), "text": text}, {"position": "centre"}
    )
    changed = np.abs(np.asarray(await desk.open(done.output), int) - np.asarray(before, int)).max(2) > 90
    rows, columns = np.nonzero(changed)
    assert rows.min() >= 10
    assert rows.max() < 192
    assert columns.max() < 292


async def test_text_may_be_set_in_capitals_and_a_blank_color_is_chosen(desk):
    image = await desk.image(photo((120, 90)))

    async def drawn(text, **settings):
        return (await desk.run(overlay_text, {"image": image, "text": text}, settings)).output.sha256

    capitals = await drawn("GO")
    assert await drawn(" go ", upper_case=True, colour=" ") == capitals
    assert await drawn("go") != capitals


async def test_an_invalid_color_is_refused(desk):
    with pytest.raises(NodeError, match="'reddish' is not a colour"):
        await desk.run(overlay_text, {"image": await desk.image(photo()), "text": "x"}, {"colour": "reddish"})


async def test_letters_without_a_font_are_reported(desk):
    with pytest.raises(NodeError, match="No font here") as caught:
        await desk.run(overlay_text, {"image": await desk.image(photo()), "text": "\U00010a60\U00010a61"})
    assert caught.value.code == "no_font"


async def test_transparency_is_kept_around_the_text(desk):
    empty = Pillow.new("RGBA", (300, 200), (0, 0, 0, 0))
    done = await desk.run(
        overlay_text, {"image": await desk.image(empty), "text": "Hello"}, {"position": "centre"}
    )
    alpha = np.asarray((await desk.open(done.output)).getchannel("A"))
    assert alpha[5, 5] == 0
    assert alpha[80:120].max() == 255


async def test_jpeg_stays_jpeg(desk):
    done = await desk.run(overlay_text, {"image": await desk.image(photo(), "JPEG"), "text": "Hi"})
    assert done.output.media_type == "image/jpeg"


@pytest.mark.parametrize(
    ("text", "size", "share", "line"),
    [
        (LONG, (160, 140), 0.1, 10),
        (LONG, (120, 96), 0.1, 8),
        (LONG, (60, 20), 0.1, 4),
        (SHORT, (200, 24), 0.02, 6),
        (SHORT, (400, 200), 0.1, 20),
        (SHORT, (400, 200), 0.3, 61),
    ],
    ids=["ten pixels", "a twelfth", "four pixels", "six pixels", "its share", "a large share"],
)
def test_text_shrinks_to_ten_pixels_or_a_twelfth_of_the_short_side(
    text: str, size: tuple[int, int], share: float, line: int
) -> None:
    style = Style("left", share, "Manrope", "black", (0, 0, 0), False, 0.0, 1.0)
    drawn = lettered(Pillow.new("RGB", size, "white"), text, style)
    dark = (np.asarray(drawn.convert("L")) < 128).any(1)
    starts = np.flatnonzero(dark[1:] & ~dark[:-1])
    assert set(np.diff(starts)) == {line}


def test_an_image_of_one_pixel_may_have_a_text() -> None:
    assert lettered(Pillow.new("RGB", (1, 1), "white"), LONG, Style("left", 0.1, "Manrope")).size == (1, 1)


def test_calmest_place_is_found_for_a_text_that_is_higher_than_its_image() -> None:
    """A mean of no rows would be NaN with a warning, which fails the test."""
    drawn = lettered(Pillow.new("RGB", (4, 4), "white"), "Hi", Style("auto", 0.1, "Manrope", margin=0.2))
    assert drawn.size == (4, 4)


@pytest.mark.parametrize("text", ["🎉", "\u200b"], ids=["an emoji", "a space without width"])
def test_text_without_anything_to_draw_leaves_the_image_as_it_is(text: str) -> None:
    image = Pillow.effect_noise((120, 80), 90).convert("RGB")
    assert lettered(image, text, Style("auto", 0.1, "Manrope", margin=0.0)).tobytes() == image.tobytes()


@pytest.mark.parametrize(
    ("size", "busy", "side"),
    [
        ((192, 192), (13, 150, 85, 180), "top"),
        ((192, 192), (104, 140, 192, 192), "bottom"),
        ((192, 192), (0, 140, 8, 192), "bottom"),
        ((192, 192), (0, 20, 192, 140), "bottom"),
        ((2400, 60), (0, 46, 2400, 60), "top"),
        ((2400, 60), (0, 0, 2400, 14), "bottom"),
    ],
    ids=["under it", "right of it", "left of it", "above it", "low in a strip", "high in a strip"],
)
def test_text_leaves_the_bottom_only_for_detail_where_it_would_stand(
    size: tuple[int, int], busy: tuple[int, int, int, int], side: str
) -> None:
    image = Pillow.new("RGB", size, (40, 60, 80))
    for left in range(busy[0], busy[2], 8):
        image.paste((180, 170, 160), (left, busy[1], left + 4, busy[3]))
    style = Style("auto", 0.1, "Manrope", "black", (255, 255, 255))
    drawn = np.asarray(lettered(image, "Calm", style))
    rows = (drawn > 240).all(2).any(1)
    middle = np.flatnonzero(rows).mean() / size[1]
    assert ("top" if middle < 0.4 else "bottom" if middle > 0.6 else "middle") == side
