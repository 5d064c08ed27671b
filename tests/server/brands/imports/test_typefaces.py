"""Names of font families in guidelines, and in the font names of a PDF."""

import pytest

from impasto_server.brands.imports.typefaces import families_in, family_of, is_standard


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("ABCDEF+HankenGrotesk-Light", "Hanken Grotesk"),
        ("SourceSans3-Regular", "Source Sans 3"),
        ("IBMPlexSans-BoldItalic", "IBM Plex Sans"),
        ("Noto_Sans-CJK", "Noto Sans CJK"),
        ("ABCDE+Lora", "ABCDE+Lora"),
        ("Bold", "Bold"),
        ("", ""),
        ("x" * 81, "x" * 80),
        ("x" * 40 + " " * 59 + "yz", "x" * 40 + " y"),
    ],
)
def test_family_is_the_font_name_without_subset_and_style(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    ("family", "expected"), [("Helvetica", True), ("Times New Roman", True), ("Lora", False), ("Time", False)]
)
def test_standard_families_are_those_of_every_program(family: str, expected: bool) -> None:
    assert is_standard(family) is expected


@pytest.mark.parametrize(
    ("text", "families"),
    [
        ("Headlines in Playfair Display, set tight", ["Playfair Display"]),
        ("Red Hat Display and Red Hat Text", ["Red Hat Display", "Red Hat Text"]),
        ("We inter them. Inter the dead.", []),
        ("Inter", []),
        ("Inter Bold for text", ["Inter"]),
        ("The Lora family", ["Lora"]),
        ("Lora for text", []),
        ("Lato", ["Lato"]),
        ("Typeface: Abc", ["Abc"]),
        ("Typeface: Ab", []),
        ("Typeface: lower case", []),
        ("Fonts: Aaa, Bbb / Ccc + Ddd and Eee", ["Aaa", "Bbb", "Ccc", "Ddd"]),
        ("Schriftart Text: Fira Sans Light", ["Fira Sans", "Fira Sans"]),
        ("no fonts at all", []),
    ],
)
def test_text_names_families_that_are_known_or_follow_a_label(text: str, families: list[str]) -> None:
    assert list(families_in(text)) == families
