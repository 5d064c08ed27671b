"""Reading brand guidelines in PDF."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.brands.imports.pdf_files import (
    FIRST_FORM,
    GUIDELINES,
    Guideline,
    box,
    nested_forms,
    pdf,
    text,
    titled,
    with_title,
)

from impasto_server.brands.imports import pdf as brand_pdf
from impasto_server.brands.imports.pdf import PdfUnreadable, read_pdf
from impasto_server.brands.imports.pdf_logos import find_logos


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


def read(folder: Path, *contents: str, **about: Any) -> brand_pdf.Guideline:
    path = folder / "guideline.pdf"
    path.write_bytes(pdf(*contents, **about))
    return read_pdf(path)


def test_drawn_colour_weighs_as_much_as_its_share_of_the_pages(tmp_path: Path) -> None:
    stroke = "1 0 0 RG 0 1 1 rg 60 60 m 60 300 l 300 300 l "
    found = read(
        tmp_path,
        box("0.8 0.2 0") + box("0.8 0.2 0", at=2) + f"{stroke}S\n",
        box("0.8 0.2 0") + f"0 0 1 rg 0 300 480 500 re f\n{stroke}n\n0 1 0 rg -100 0 6000 8000 re f\n",
        "0 0.4 0 rg\n" + text("green"),
    )
    assert [(color.hex, round(color.weight, 6), color.found) for color in found.colors] == [
        ("#cc3300", 0.09, "drawn on page 1"),
        ("#ff0000", 0.001, "drawn on page 1"),
        ("#0000ff", 0.5, "drawn on page 2"),
        ("#00ff00", 1.0, "drawn on page 2"),
        ("#006600", 0.001, "drawn on page 3"),
    ]
    assert found.pages == 3


def test_written_colours_are_in_their_order_and_codes_weigh_more_than_inks(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        text("#1F4A38", "#E9E4D8", "RGB 255/0/128", "CMYK 100/0/0/0", "CMYK 0/100/101/0", "RGB 256/0/0"),
        text("#E9E4D8", "#00ffff", "RGB 31/74/56"),
    )
    assert [(color.hex, round(color.weight, 6), color.found) for color in found.colors] == [
        ("#1f4a38", 1000.0, "written as #1F4A38 on page 1"),
        ("#e9e4d8", 999.999, "written as #E9E4D8 on page 1"),
        ("#ff0080", 499.998, "written as RGB 255/0/128 on page 1"),
        ("#00ffff", 999.996, "written as #00ffff on page 2"),
        ("#000000", 0.009, "drawn on page 1"),
    ]


@pytest.mark.parametrize(("opacity", "colors"), [("0.499", []), ("0.5025", ["#cc3300"])])
def test_colour_that_is_mostly_transparent_is_left_out(
    tmp_path: Path, opacity: str, colors: list[str]
) -> None:
    resources = f"/ExtGState << /G1 << /ca {opacity} >> >>"
    found = read(tmp_path, "/G1 gs\n" + box("0.8 0.2 0"), resources=resources)
    assert [color.hex for color in found.colors] == colors


def test_forms_in_forms_are_read_up_to_the_seventh(tmp_path: Path) -> None:
    forms = nested_forms(*(f"{number / 255} 0 1 rg 60 60 300 300 re f /Fm0 Do" for number in range(1, 11)))
    found = read(tmp_path, "/Fm0 Do\n", resources=FIRST_FORM, extra=forms)
    assert [color.hex for color in found.colors] == [f"#{number:02x}00ff" for number in range(1, 8)]


def test_fonts_are_listed_by_their_amount_of_text_and_the_largest_is_for_headlines(tmp_path: Path) -> None:
    names = {
        "F1": "Helvetica", "F2": "ABCDEF+HankenGrotesk-Light", "F3": "GHIJKL+Lora-Bold", "F4": "Karla",
    }  # fmt: skip
    pages = [
        text("long " * 12, "long " * 12, font="F1", top=700) + text("Short", font="F2", size=40, top=500),
        text("Words and words", font="F3", top=700)
        + text("and words", "and words", font="F3", top=100)
        + "BT /F4 14 Tf 480 300 Td (ab) Tj ET\n",
    ]
    assert read(tmp_path, *pages, fonts=names).fonts == [
        ("Lora", "text", "used on page 2"),
        ("Hanken Grotesk", "headline", "used on page 1"),
        ("Karla", "text", "used on page 2"),
        ("Helvetica", "text", "used on page 1"),
    ]
    named = text("Typeface: Hanken Grotesk", "Fonts: Anton", font="F3")
    assert read(tmp_path, *pages, named, fonts=names).fonts == [
        ("Hanken Grotesk", "headline", "named on page 3"),
        ("Anton", "text", "named on page 3"),
        ("Lora", "text", "used on page 2"),
        ("Karla", "text", "used on page 2"),
        ("Helvetica", "text", "used on page 1"),
    ]


def test_title_is_one_line_of_at_most_200_letters(tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    path.write_bytes(titled(pdf(""), "Fjell  brand\n guide" + "x" * 200))
    assert read_pdf(path).title == "Fjell brand guide" + "x" * 183


def test_title_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "guideline.pdf"
    path.write_bytes(with_title(pdf(text("Logo")), b"<FEFFD800>"))
    assert read_pdf(path).title == ""
    assert find_logos(path) == []


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
