"""Finding logos in PDF guidelines."""

import base64
import io
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.server.brands.imports.pdf_files import (
    FIRST_FORM,
    GUIDELINES,
    box,
    form,
    nested_forms,
    pdf,
    text,
    titled,
)

from impasto_server.brands.imports.pdf_logos import FoundLogo, find_logos

MARK = "0.1 0.3 0.5 rg 100 500 m 100 560 180 560 180 500 c h f\n190 500 m 220 560 l 250 500 l h f\n"
ON_DARK = (
    "0.05 0.1 0.2 rg 300 480 220 100 re f 1 1 1 rg 350 500 m 350 560 430 560 430 500 c h f\n"
    "440 500 m 470 560 l 490 500 l h f\n"
)


def found_in(data: bytes, folder: Path) -> list[FoundLogo]:
    path = folder / "guideline.pdf"
    path.write_bytes(data)
    return find_logos(path)


def picture(logo: FoundLogo) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(logo.image.partition(",")[2])))


def with_image(pixels: np.ndarray, *contents: str) -> bytes:
    """Return a PDF whose pages may draw an image of these RGB pixels as /Im0."""
    height, width, _ = pixels.shape
    stream = pixels.astype(np.uint8).tobytes().hex()
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB "
        f"/BitsPerComponent 8 /Filter /ASCIIHexDecode /Length {len(stream)} >>\nstream\n{stream}\nendstream"
    )
    return pdf(*contents, resources="/XObject << /Im0 3 0 R >>", extra=(image,))


def test_drawn_logos_are_found_for_light_and_dark_grounds(tmp_path: Path) -> None:
    logos = found_in(pdf(text("Our logo") + MARK + ON_DARK + box("0.9 0.2 0.1")), tmp_path)
    assert [(logo.role, logo.found, logo.is_named) for logo in logos] == [
        ("light", "shapes on page 1", True),
        ("dark", "shapes on page 1", True),
    ]
    for logo in logos:
        image = picture(logo)
        assert image.width / image.height > 2, "both shapes of the logo, whole"
        assert image.getchannel("A").getextrema() == (0, 255), "without its ground"


def in_form(content: str, matrix: str = "1 0 0 1 0 0", title: str = "", size: str = "600 800") -> bytes:
    """Return a PDF whose only page shows one form, with this content."""
    font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    extra = (form(content, font, size=size, matrix=matrix),)
    return titled(pdf("/Fm0 Do\n", resources=FIRST_FORM, extra=extra), title)


@pytest.mark.parametrize("matrix", ["1 0 0 1 0 0", "0.98 0 0 0.98 0 0", "1 0 0 1 20 30"])
def test_a_page_that_is_one_form_is_searched_as_its_parts(tmp_path: Path, matrix: str) -> None:
    data = in_form(text("Our logo") + MARK + ON_DARK + box("0.9 0.2 0.1"), matrix, size="1200 1600")
    logos = found_in(data, tmp_path)
    assert [(logo.role, logo.found, logo.is_named) for logo in logos] == [
        ("light", "shapes on page 1", True),
        ("dark", "shapes on page 1", True),
    ]
    for logo in logos:
        assert picture(logo).width / picture(logo).height > 2, "both shapes of the logo, whole"
        assert picture(logo).getchannel("A").getextrema() == (0, 255), "without its ground"


@pytest.mark.parametrize(("depth", "logos"), [(6, ["shapes on page 1"]), (7, [])])
def test_forms_in_forms_are_taken_apart_up_to_the_sixth(tmp_path: Path, depth: int, logos: list[str]) -> None:
    corners = "1 1 1 1 re 598 798 1 1 re f "
    forms = nested_forms(*[f"{corners}/Fm0 Do"] * (depth - 1), corners + MARK)
    data = pdf("/Fm0 Do\n", resources=FIRST_FORM, extra=forms)
    assert [logo.found for logo in found_in(data, tmp_path)] == logos


def test_a_name_in_large_live_text_is_offered_and_a_heading_is_not(tmp_path: Path) -> None:
    page = text("Our logo, drawn in Helvetica") + text("Sorriso Claro", size=48, top=500)
    page += text("Typography", size=48, top=300)
    data = titled(pdf(page), "Sorriso Claro - Brand Guidelines 2026")
    [logo] = found_in(data, tmp_path)
    assert (logo.found, logo.role, logo.is_named) == ("text on page 1", "light", True)
    assert picture(logo).width / picture(logo).height > 4, "the name and nothing below it"
    assert found_in(titled(pdf(page), "Untitled"), tmp_path) == [], "the name is not known"


def test_a_mark_and_the_name_beside_it_are_one_logo(tmp_path: Path) -> None:
    page = text("Logo") + MARK + "BT /F1 48 Tf 262 510 Td (Acme) Tj ET\n"
    [logo] = found_in(titled(pdf(page), "Acme style guide"), tmp_path)
    assert logo.found == "shapes on page 1"
    assert picture(logo).width / picture(logo).height > 4


def test_pages_that_say_logo_come_first_and_other_late_pages_are_not_read(
    tmp_path: Path,
) -> None:
    pages = [MARK, text("Colours"), text("Type"), MARK.replace("0.1 0.3 0.5", "0.8 0 0"), text("Logo") + MARK]
    pages[4] = pages[4].replace("0.1 0.3 0.5", "0 0.5 0")
    logos = found_in(pdf(*pages), tmp_path)
    assert [logo.found for logo in logos] == ["shapes on page 5", "shapes on page 1"]


def test_embedded_image_is_offered_and_photograph_is_not(tmp_path: Path) -> None:
    flat = np.full((40, 80, 3), 255)
    flat[8:32, 10:34] = (30, 80, 140)
    flat[8:32, 44:70] = (220, 120, 40)
    place = "q 200 0 0 100 60 600 cm /Im0 Do Q\n"
    [logo] = found_in(with_image(flat, place), tmp_path)
    assert (logo.found, logo.role, logo.is_named) == ("image on page 1", "light", False)
    ramp = np.stack(np.meshgrid(np.arange(80) * 3, np.arange(40) * 6), -1)
    photograph = np.concatenate([ramp, ramp[..., ::-1].sum(-1, keepdims=True) % 256], -1)
    assert found_in(with_image(photograph, text("Logo") + place), tmp_path) == []


@pytest.mark.parametrize(
    ("right", "up", "is_logo"),
    [
        (-101, 0, True), (-102, 0, False), (351, 0, True), (352, 0, False),
        (0, -501, True), (0, -502, False), (0, 241, True), (0, 242, False),
    ],
)  # fmt: skip
def test_logo_reaches_at_most_a_point_over_the_edge_of_its_page(
    tmp_path: Path, right: int, up: int, is_logo: bool
) -> None:
    data = pdf(f"q 1 0 0 1 {right} {up} cm\n{MARK}Q\n")
    assert bool(found_in(data, tmp_path)) is is_logo


def test_swatches_and_text_are_no_logos(tmp_path: Path) -> None:
    for guideline in GUIDELINES:
        assert found_in(guideline.data, tmp_path) == [], guideline.name


def test_pages_of_many_shapes_are_read_in_bounded_time(tmp_path: Path) -> None:
    shapes = "".join(
        f"{x * 4} {y * 4} m {x * 4 + 1} {y * 4 + 2} l {x * 4 + 2} {y * 4} l h f\n"
        for x in range(140)
        for y in range(190)
    )
    start = time.process_time()
    assert len(found_in(pdf(text("Logo") + shapes, text("Logo") + shapes), tmp_path)) <= 6
    assert time.process_time() - start < 5
