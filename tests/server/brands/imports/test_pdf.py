"""Reading brand guidelines in PDF."""

from pathlib import Path

import pytest
from tests.server.brands.imports.pdf_files import GUIDELINES, Guideline, pdf, text

from impasto_server.brands.imports.pdf import PdfUnreadable, read_pdf


def found_in(guideline: Guideline, folder: Path) -> tuple[set[str], set[str]]:
    path = folder / "guideline.pdf"
    path.write_bytes(guideline.data)
    found = read_pdf(path)
    return {color.hex for color in found.colors}, {family for family, _, _ in found.fonts}


def test_nine_of_ten_colours_and_fonts_of_ten_guidelines_are_found(tmp_path: Path) -> None:
    missed, expected = [], 0
    for guideline in GUIDELINES:
        colors, fonts = found_in(guideline, tmp_path)
        expected += len(guideline.colors) + len(guideline.fonts)
        missed += [
            f"{guideline.name}: {each}" for each in (guideline.colors - colors) | (guideline.fonts - fonts)
        ]
    assert len(GUIDELINES) == 10
    assert len(missed) <= expected // 10, missed


@pytest.mark.parametrize("guideline", GUIDELINES, ids=lambda each: each.name)
def test_nothing_is_invented(guideline: Guideline, tmp_path: Path) -> None:
    colors, fonts = found_in(guideline, tmp_path)
    assert colors - guideline.colors <= {"#000000"}, "text without a colour is black"
    assert fonts - guideline.fonts <= {"Helvetica"}


def test_each_value_says_where_it_was_found(tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    path.write_bytes(pdf(text("nothing"), text("Primary #1F4A38", "CMYK 10/20/30/40", "Typeface: Lora")))
    found = read_pdf(path)
    places = {color.hex: color.found for color in found.colors}
    assert places["#1f4a38"] == "written as #1F4A38 on page 2"
    assert "written as CMYK 10/20/30/40 on page 2, converted" in places.values()
    assert ("Lora", "headline", "named on page 2") in found.fonts


def test_numbers_that_are_no_colours_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    path.write_bytes(
        pdf(text("Call 123456 or 555 123 444", "Order #12345", "RGB 300, 1, 2", "www.x.de/#abcdef"))
    )
    assert {color.hex for color in read_pdf(path).colors} == {"#000000"}


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"%PDF-1.7\n" + b"\x00" * 4096, b"<html></html>"])
def test_damaged_file_is_unreadable(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    path.write_bytes(data)
    with pytest.raises(PdfUnreadable):
        read_pdf(path)
