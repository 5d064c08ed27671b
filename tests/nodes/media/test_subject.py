"""The subject of a photo with a busy background: found, and whole in every crop, ad and image of it."""

import io
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFilter

from impasto_nodes.media.ad.colors import colors_for
from impasto_nodes.media.ad.drawing import draw_ad, subject_of
from impasto_nodes.media.ad.format import Format
from impasto_nodes.media.ad.layout import DESIGNS, AdTexts, Design, lay_out
from impasto_nodes.media.image.subject import SubjectBox, subject_box, tightened, window_around
from impasto_nodes.providers.local.image_renderer import RenderRequest, render_image
from impasto_nodes.transform.channels import PACKS

BOTTLE: SubjectBox = (0.27, 0.08, 0.40, 0.92)
CAP, FOOT = (255, 0, 255), (0, 0, 255)


def photo(width: int = 600, height: int = 400) -> Image.Image:
    """A red bottle in front of a pattern of many colors; its top and its foot have a color of their own."""
    cells = np.random.default_rng(3).integers(80, 130, (height // 10, width // 10, 3)).astype(np.uint8)
    image = Image.fromarray(cells).resize((width, height), Image.Resampling.BICUBIC)
    image = image.filter(ImageFilter.GaussianBlur(4))
    left, top, right, bottom = (
        round(edge * (width, height)[number % 2]) for number, edge in enumerate(BOTTLE)
    )
    pen, middle = ImageDraw.Draw(image), (left + right) // 2
    pen.rectangle((left, top + (bottom - top) // 3, right, bottom), fill=(150, 20, 20))
    pen.rectangle((middle - 12, top, middle + 12, top + (bottom - top) // 3), fill=(150, 20, 20))
    pen.rectangle((middle - 12, top, middle + 12, top + 10), fill=CAP)
    pen.rectangle((left, bottom - 10, right, bottom), fill=FOOT)
    return image


def count(image: Image.Image, color: tuple[int, int, int]) -> int:
    pixels = np.asarray(image.convert("RGB")).astype(int)
    return int((np.abs(pixels - color).max(2) < 70).sum())


def regions(image: Image.Image, color: tuple[int, int, int]) -> int:
    """How many separate rows of the image have the color, with a gap between them."""
    pixels = np.asarray(image.convert("RGB")).astype(int)
    rows = (np.abs(pixels - color).max(2) < 70).sum(1) > 2
    return int((rows[1:] & ~rows[:-1]).sum() + rows[0])


def test_the_subject_is_found_by_the_network_and_by_colors() -> None:
    for with_network in (True, False):
        found = subject_box(photo(), with_network=with_network)
        assert found == pytest.approx(BOTTLE, abs=0.05)


@pytest.mark.parametrize(
    "image",
    [
        Image.new("RGB", (3, 900), "red"),
        Image.new("RGB", (1, 1)),
        Image.fromarray(np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)),
    ],
    ids=["a line", "a pixel", "noise"],
)
def test_where_nothing_stands_out_no_subject_is_claimed(image: Image.Image) -> None:
    found = subject_box(image, with_network=False)
    assert found is None or (found[2] - found[0]) * (found[3] - found[1]) < 1


def test_a_large_photo_takes_no_more_memory_than_a_small_one() -> None:
    large = photo().resize((6000, 4000))
    tracemalloc.start()
    assert subject_box(large, with_network=False) == pytest.approx(BOTTLE, abs=0.05)
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()


shares = st.floats(0.02, 0.9)


@given(
    left=shares,
    top=shares,
    wide=shares,
    high=shares,
    size=st.tuples(st.integers(50, 2000), st.integers(50, 2000)),
    inset=st.floats(0, 0.3),
)
@example(left=0.7015326619281542, top=0.5, wide=0.5, high=0.5, size=(50, 102), inset=0.0)
def test_a_crop_around_a_subject_is_inside_the_image_and_holds_it(
    left: float, top: float, wide: float, high: float, size: tuple[int, int], inset: float
) -> None:
    subject = (left, top, min(1.0, left + wide), min(1.0, top + high))
    image = (900, 600)
    inner = (subject[0] * 900, subject[1] * 600, subject[2] * 900, subject[3] * 600)
    found = window_around(subject, image, size, (inset, inset, inset, inset))
    if found is not None:
        box = found.box
        assert box[0] > -1e-6
        assert box[1] > -1e-6
        assert box[2] < 900 + 1e-6
        assert box[3] < 600 + 1e-6
        across, down = (box[2] - box[0]) * inset, (box[3] - box[1]) * inset
        assert box[0] + across < inner[0] + 1e-6
        assert box[1] + down < inner[1] + 1e-6
        assert inner[2] < box[2] - across + 1e-6
        assert inner[3] < box[3] - down + 1e-6
    part = tightened(subject, image, size[0] / size[1])
    assert 0 <= part[0] <= inner[0] + 1e-6
    assert 0 <= part[1] <= inner[1] + 1e-6
    assert inner[2] - 1e-6 <= part[2] <= 900 + 1e-6
    assert inner[3] - 1e-6 <= part[3] <= 600 + 1e-6


@pytest.mark.parametrize("design", DESIGNS)
def test_no_ad_cuts_the_subject_of_a_photo(design: Design) -> None:
    image = photo()
    subject = subject_of(image)
    assert subject == pytest.approx(BOTTLE, abs=0.05)
    colors = colors_for([(20, 90, 80), (240, 236, 228)], design)
    for placement in (*PACKS["Instagram"][1:], *PACKS["Display ads"][:2]):
        page = Format(placement.width // 2, placement.height // 2, placement.safe)
        layout = lay_out(AdTexts("Wine", "Until Sunday", "Try it"), page, design, "Manrope")
        ad = draw_ad(layout, image, colors, None, subject)
        assert count(ad, CAP), (design, placement.name)
        assert count(ad, FOOT), (design, placement.name)


@pytest.mark.parametrize("ratio", ["4:5", "16:9"])
def test_an_image_made_from_a_photo_shows_its_subject_whole_and_once(ratio: str) -> None:
    data = io.BytesIO()
    photo().save(data, "PNG")
    for index in (0, 2):
        request = RenderRequest(prompt="Red wine, no text", image=data.getvalue(), aspect_ratio=ratio)
        made = Image.open(io.BytesIO(render_image(request, index)))
        assert regions(made, CAP) == 1
        assert count(made, FOOT)


@pytest.mark.parametrize(
    ("subject", "size", "insets", "box"),
    [
        ((0.2, 0.2, 0.5, 0.6), (300, 300), (0, 0, 0, 0), (15, 0, 615, 600)),
        ((0.7, 0.1, 1.0, 0.9), (300, 300), (0, 0, 0, 0), (300, 0, 900, 600)),
        ((0.4, 0.4, 0.6, 0.6), (300, 300), (0.2, 0.1, 0.1, 0.3), (120, 0, 720, 600)),
        ((0.3, 0.05, 0.5, 0.2), (900, 300), (0.1, 0, 0.1, 0.2), (0, 0, 900, 300)),
        ((0.2, 0.2, 0.5, 0.6), (300, 300), (0.1, 0.2, 0.05, 0), None),
        ((0.0, 0.0, 0.9, 0.3), (300, 300), (0, 0, 0, 0), None),
    ],
)
def test_a_crop_stands_as_near_to_the_middle_of_its_safe_part_as_it_can(
    subject: SubjectBox,
    size: tuple[int, int],
    insets: tuple[float, float, float, float],
    box: tuple[float, float, float, float] | None,
) -> None:
    found = window_around(subject, (900, 600), size, insets)
    assert (found and found.box) == (box and pytest.approx(box))
    assert found is None or found.kept == 1


def test_a_closer_crop_is_smaller_around_the_same_middle() -> None:
    found = window_around((0.4, 0.4, 0.6, 0.6), (900, 600), (300, 300), closer=0.5)
    assert found is not None
    assert found.box == pytest.approx((300, 150, 600, 450))


@pytest.mark.parametrize(
    ("subject", "ratio", "part"),
    [
        ((0.2, 0.2, 0.5, 0.6), 0.5, (153, 0, 477, 600)),
        ((0.2, 0.2, 0.5, 0.6), 3.0, (0, 90, 900, 390)),
        ((0.8, 0.2, 1.0, 0.6), 0.5, (600, 0, 900, 600)),
        ((0.1, 0.8, 0.2, 1.0), 3.0, (0, 300, 900, 600)),
        ((0.0, 0.0, 0.9, 0.2), 0.5, (0, 0, 837, 600)),
        ((0.2, 0.1, 0.3, 0.9), 9.0, (0, 42, 900, 558)),
        ((0.2, 0.2, 0.5, 0.6), 1.5, (0, 0, 900, 600)),
    ],
)
def test_the_part_around_a_subject_is_as_near_to_a_ratio_as_the_subject_allows(
    subject: SubjectBox, ratio: float, part: tuple[float, float, float, float]
) -> None:
    assert tightened(subject, (900, 600), ratio) == pytest.approx(part)


def test_a_subject_may_reach_the_edges_of_a_photo() -> None:
    lying = photo().crop((60, 40, 400, 360)).transpose(Image.Transpose.ROTATE_90)
    assert subject_box(lying) == pytest.approx((0.0, 0.469, 1.0, 0.703), abs=0.05)


@pytest.mark.parametrize(("height", "found"), [(7, None), (8, (0.3125, 0.25, 0.625, 0.75))])
def test_an_image_of_less_than_eight_rows_has_no_subject(height: int, found: SubjectBox | None) -> None:
    image = Image.new("RGB", (64, height), (230, 228, 222))
    image.paste((40, 60, 150), (20, 2, 40, height - 2))
    assert subject_box(image, with_network=False) == found


def on_ground(*boxes: tuple[int, int, int, int]) -> Image.Image:
    image = Image.new("RGB", (256, 256), (230, 228, 222))
    for box in boxes:
        image.paste((40, 60, 150), box)
    return image


@pytest.mark.parametrize(
    ("boxes", "found"),
    [
        ([(64, 64, 128, 192)], (0.25, 0.25, 0.5, 0.75)),
        ([(64, 64, 128, 192), (160, 64, 192, 128)], (0.25, 0.25, 0.75, 0.75)),
        ([(64, 64, 128, 192), (160, 64, 184, 88)], (0.25, 0.25, 0.5, 0.75)),
        ([(120, 120, 132, 132)], None),
        ([(120, 120, 144, 144)], (0.469, 0.469, 0.562, 0.562)),
        ([(24, 24, 232, 208)], (0.094, 0.094, 0.906, 0.812)),
        ([(12, 12, 244, 244)], None),
        (  # an arm that turns four times belongs to it
            [
                (100, 20, 220, 140),
                (208, 140, 220, 220),
                (50, 208, 208, 220),
                (50, 172, 62, 208),
                (26, 172, 50, 184),
            ],
            (0.102, 0.078, 0.859, 0.859),
        ),
    ],
)
def test_a_subject_has_a_size_and_the_parts_that_are_as_large(
    boxes: list[tuple[int, int, int, int]], found: SubjectBox | None
) -> None:
    box = subject_box(on_ground(*boxes), with_network=False)
    assert box == (found and pytest.approx(found, abs=0.02))
