"""Which shapes of a PDF page can be a logo, and which of them are one logo."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import ImageChops, ImageStat
from tests.server.brands.imports.pdf_files import FIRST_FORM, form, pdf, text, titled
from tests.server.brands.imports.test_pdf_logos import found_in, picture

from impasto_server.brands.imports.pdf_logos import FoundLogo

Find = Callable[..., list[FoundLogo]]
HEXAGON = "0 30 m 25 60 l 75 60 l 100 30 l 75 0 l 25 0 l h f\n"
MANY_POINTS = "".join(
    f"{100 + step / 4} {500 + step * 7 % 60} {'l' if step else 'm'} " for step in range(320)
)


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """Return a function that finds the logos of pages with this content."""

    def run(
        *pages: str, forms: tuple[str, ...] = (), title: str = "", sheet: str = "/MediaBox [0 0 600 800]"
    ) -> list[FoundLogo]:
        extra = tuple(form(content, size="100 60") for content in forms)
        resources = FIRST_FORM if forms else ""
        return found_in(titled(pdf(*pages, resources=resources, sheet=sheet, extra=extra), title), tmp_path)

    return run


def triangle(
    width: float, height: float, left: float = 60, bottom: float = 100, color: str = "0 0.3 0.5"
) -> str:
    return (
        f"{color} rg {left} {bottom} m {left + width / 2} {bottom + height} l {left + width} {bottom} l h f\n"
    )


@pytest.mark.parametrize(
    ("width", "height", "is_logo"),
    [
        (20, 5, True), (20, 4, False), (5, 20, True), (4, 20, False),
        (18, 18, True), (17.5, 17.5, False), (18, 10, True), (10, 18, True),
        (140, 10, True), (141, 10, False), (10, 141, False),
        (480, 450, True), (480, 451, False),
    ],
)  # fmt: skip
def test_logo_is_not_too_small_too_long_or_too_large(
    find: Find, width: float, height: float, is_logo: bool
) -> None:
    assert bool(find(triangle(width, height))) is is_logo


@pytest.mark.parametrize(
    ("shape", "is_logo"),
    [
        ("100 500 m 140 560 l 180 500 l h f\n", True),
        ("100 500 m 180 530 l 100 560 l h f\n", True),
        ("100 500 m 180 500 l 200 560 l 120 560 l h f\n", True),
        ("100 500 m 100 560 180 560 180 500 c h f\n", True),
        ("100 500 m 140 560 l 180 500 l 140 540 l h f\n", True),
        ("100 500 80 60 re f\n", False),
        ("100 500 m 180.04 500 l 180 560.04 l 100.04 560 l h f\n", False),
        ("6 w 100 500 m 180 560 l S\n", False),
        ("6 w 100 500 m 180 500 l S\n", False),
        (f"{MANY_POINTS}h f\n", True),
    ],
)  # fmt: skip
def test_shape_that_is_more_than_a_rectangle_or_a_line_is_a_logo(
    find: Find, shape: str, is_logo: bool
) -> None:
    assert bool(find("0 0.3 0.5 rg 0 0.3 0.5 RG " + shape)) is is_logo


@pytest.mark.parametrize(("right", "up"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize(("gap", "number"), [(15, 1), (16, 2)])
def test_shapes_at_most_15_points_apart_are_one_logo(
    find: Find, right: int, up: int, gap: int, number: int
) -> None:
    first = triangle(60, 60, 200, 300)
    second = triangle(60, 60, 200 + right * (60 + gap), 300 + up * (60 + gap))
    assert len(find(first + second)) == number


def test_shapes_are_one_logo_by_way_of_a_later_one_between_them(find: Find) -> None:
    page = triangle(60, 60, 200, 300) + triangle(60, 60, 350, 300) + triangle(60, 60, 275, 300)
    assert [logo.found for logo in find(page, page)] == ["shapes on page 1"], (
        "and the same one is listed once"
    )


def test_logo_is_drawn_whole_at_512_pixels_and_at_most_16_times_as_large(find: Find) -> None:
    for width, height, pixels in ((80, 60, (512, 384)), (30, 64, (240, 512)), (20, 24, (320, 384))):
        [logo] = find(triangle(width, height))
        assert picture(logo).size == pytest.approx(pixels, abs=2)
        [at_the_edge] = find(triangle(width, height, 0, 0))
        assert picture(at_the_edge).size == pytest.approx(pixels, abs=2)
        [at_the_other] = find(triangle(width, height, 600 - width, 800 - height))
        assert picture(at_the_other).size == pytest.approx(pixels, abs=2)


@pytest.mark.parametrize(
    ("sheet", "turn"),
    [
        ("/MediaBox [0 0 900 900] /CropBox [50 80 650 880]", 0), ("/MediaBox [50 80 650 880]", 0),
        ("/Rotate 90 /MediaBox [50 80 650 880]", 90), ("/Rotate 180 /MediaBox [50 80 650 880]", 180),
        ("/Rotate 270 /MediaBox [50 80 650 880]", 270),
    ],
)  # fmt: skip
def test_logo_is_drawn_as_its_page_is_cut_and_turned(find: Find, sheet: str, turn: int) -> None:
    name = "BT /F1 40 Tf 200 300 Td (ACME) Tj ET\n"
    [text_logo, usual] = find(text("Logo") + name + triangle(150, 60, 60, 100), title="Acme")
    [text_shown, shown] = find(
        text("Logo") + f"q 1 0 0 1 50 80 cm {name}{triangle(150, 60, 60, 100)}Q\n", title="Acme", sheet=sheet
    )
    for one, other in ((text_logo, text_shown), (usual, shown)):
        expected = picture(one).rotate(-turn, expand=True)
        assert picture(other).size == pytest.approx(expected.size, abs=2)
        difference = ImageChops.difference(expected, picture(other).resize(expected.size))
        assert ImageStat.Stat(difference.getchannel("A")).mean[0] < 4


@pytest.mark.parametrize(
    ("left", "bottom", "is_logo"),
    [
        (49, 79, True),
        (48, 100, False),
        (100, 78, False),
        (591, 821, True),
        (592, 700, False),
        (300, 822, False),
    ],
)
def test_logo_lies_on_the_part_of_the_page_that_is_shown(
    find: Find, left: int, bottom: int, is_logo: bool
) -> None:
    sheet = "/MediaBox [0 0 900 900] /CropBox [50 80 650 880]"
    assert bool(find(triangle(60, 60, left, bottom), sheet=sheet)) is is_logo


def test_larger_logos_of_a_page_come_first(find: Find) -> None:
    page = triangle(40, 40, bottom=400) + triangle(60, 30, bottom=250) + triangle(90, 60, bottom=100)
    ratios = [picture(logo).width / picture(logo).height for logo in find(page)]
    assert ratios == pytest.approx([90 / 60, 60 / 30, 40 / 40], abs=0.05)


@pytest.mark.parametrize(
    ("left", "bottom", "right", "top", "is_part"),
    [
        (90, 490, 190, 570, False), (100, 500, 180, 560, False),
        (101, 490, 190, 570, True), (90, 501, 190, 570, True),
        (90, 490, 179, 570, True), (90, 490, 190, 559, True),
    ],
)  # fmt: skip
def test_rectangle_around_a_mark_is_its_ground(
    find: Find, left: int, bottom: int, right: int, top: int, is_part: bool
) -> None:
    ground = f"0.9 0.9 0.8 rg {left} {bottom} {right - left} {top - bottom} re f\n"
    [logo] = find(ground + triangle(80, 60, 100, 500))
    colors = {color for _, color in picture(logo).convert("RGB").getcolors(2**20) or ()}
    assert ((230, 230, 204) in colors) is is_part


def test_small_text_near_a_mark_is_no_part_of_it(find: Find) -> None:
    [logo] = find(triangle(80, 60, 100, 500) + "BT /F1 14 Tf 182 500 Td (of Bergen) Tj ET\n")
    assert picture(logo).width / picture(logo).height == pytest.approx(80 / 60, abs=0.02)


@pytest.mark.parametrize(
    ("content", "is_logo"),
    [
        (HEXAGON, True),
        ("0 0 100 60 re f\n", False),
        ("0 0 m 50 60 l 100 0 l h f\n", False),
        ("0 0 m 0 60 l 50 40 l 100 60 l 100 0 l f\n", False),
        ("0 0 m 0 60 l 50 40 l 100 60 l 100 0 l 50 10 l f\n", True),
        ("BT /F1 40 Tf 0 10 Td (Fjell) Tj ET\n", False),
    ],
)
def test_form_is_a_logo_if_a_shape_in_it_has_more_than_five_points(
    find: Find, content: str, is_logo: bool
) -> None:
    found = find("0 0.3 0.5 rg q 1 0 0 1 100 500 cm /Fm0 Do Q\n", forms=(content,))
    assert [logo.found for logo in found] == (["shapes on page 1"] if is_logo else [])


def test_small_form_is_drawn_with_its_ground(find: Find) -> None:
    content = "0.9 0.9 0.8 rg 0 0 100 60 re f 0 0.3 0.5 rg 0.5 0 0 0.5 25 15 cm " + HEXAGON
    [logo] = find("q 1 0 0 1 100 500 cm /Fm0 Do Q\n", forms=(content,))
    assert picture(logo).width / picture(logo).height == pytest.approx(100 / 60, abs=0.02)
    assert picture(logo).getpixel((0, 0)) == (230, 230, 204, 255)


@pytest.mark.parametrize(("page", "is_found"), [(12, True), (13, False)])
def test_logos_are_searched_on_twelve_pages(find: Find, page: int, is_found: bool) -> None:
    pages = [text("Logo")] * (page - 1)
    assert [logo.found for logo in find(*pages, text("Logo") + triangle(80, 60))] == (
        [f"shapes on page {page}"] if is_found else []
    )


@pytest.mark.parametrize(
    ("content", "title", "is_logo"),
    [
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj ET\n", "Fjell guidelines", True),
        ("BT /F1 20 Tf 60 300 Td (FJELL) Tj ET\n", "Fjell guidelines", False),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj 90 0 Td (SKIN) Tj ET\n", "Fjell Skin - Brand Book", True),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj 160 0 Td (SKIN) Tj ET\n", "Fjell Skin - Brand Book", False),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj 90 6 Td (SKIN) Tj ET\n", "Fjell Skin - Brand Book", True),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj 90 9 Td (SKIN) Tj ET\n", "Fjell Skin - Brand Book", False),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj /F1 10 Tf 92 0 Td (TM) Tj ET\n", "Fjell guidelines", True),
        ("BT /F1 30 Tf 60 300 Td (FJELL) Tj /F1 16 Tf 92 0 Td (TM) Tj ET\n", "Fjell guidelines", False),
        ("BT /F1 30 Tf 60 300 Td (ABC) Tj ET\n", "ABC style", True),
        ("BT /F1 30 Tf 60 300 Td (AB) Tj ET\n", "AB style", False),
    ],
)
def test_name_is_one_line_of_large_type(find: Find, content: str, title: str, is_logo: bool) -> None:
    found = find(text("Our logo") + content, title=title)
    assert [logo.found for logo in found] == (["text on page 1"] if is_logo else [])
