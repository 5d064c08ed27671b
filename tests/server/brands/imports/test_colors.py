"""Colours of an imported brand: conversion, merging and roles."""

import pytest

from impasto_server.brands.imports.colors import (
    MAX_COLORS,
    FoundColor,
    from_cmyk,
    from_oklab,
    hex_of,
    is_chromatic,
    ranked,
)


def color(value: str, weight: float = 1.0, name: str = "", role: str = "") -> FoundColor:
    return FoundColor(value, weight, "page", name, role)


def roles(*colors: FoundColor) -> dict[str, str]:
    return {each.hex: each.role for each in ranked(colors)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("#000000", False), ("#5a5a5a", False), ("#ffffff", False), ("#f5f4f2", False),
        ("#d92d20", True), ("#0a7f3f", True), ("#1e3a8a", True), ("#f5c400", True),
    ],
)  # fmt: skip
def test_shades_of_gray_are_not_chromatic(value: str, expected: bool) -> None:
    assert is_chromatic(value) is expected


def test_parts_are_clipped_to_the_range_of_hex_notation() -> None:
    assert hex_of(-0.5, 0.5, 1.5) == "#0080ff"


@pytest.mark.parametrize(
    ("inks", "expected"),
    [
        ((0, 0, 0, 0), "#ffffff"),
        ((1, 0, 0, 0), "#00ffff"),
        ((0, 1, 1, 0.5), "#800000"),
        ((0, 0, 0, 1), "#000000"),
    ],
)
def test_inks_are_converted_without_a_profile(inks: tuple[float, ...], expected: str) -> None:
    assert from_cmyk(*inks) == expected


@pytest.mark.parametrize(
    ("lightness", "a", "b", "expected"),
    [
        (1.0, 0.0, 0.0, "#ffffff"),
        (0.0, 0.0, 0.0, "#000000"),
        (0.62796, 0.22486, 0.12585, "#ff0000"),
        (0.86644, -0.23389, 0.17950, "#00ff00"),
        (0.45201, -0.03246, -0.31153, "#0000ff"),
        (0.7, 0.5, 0.0, "#ff0092"),
    ],
)
def test_oklab_is_converted_and_clipped_to_srgb(lightness: float, a: float, b: float, expected: str) -> None:
    assert from_oklab(lightness, a, b) == expected


def test_colors_that_look_the_same_are_one_with_the_sum_of_their_weights() -> None:
    found = [color("#d92d20", 1.0), color("#da2e21", 3.0, "Brand red"), color("#1e3a8a", 3.5)]
    red, blue = ranked(found)
    assert (red.hex, red.weight, red.name) == ("#da2e21", 4.0, "Brand red")
    assert (blue.hex, blue.weight) == ("#1e3a8a", 3.5)


@pytest.mark.parametrize(
    ("one", "other", "look_the_same"),
    [
        ("#23b4fe", "#30a9f4", True), ("#2f69c1", "#355eb9", True), ("#0b0b0b", "#0c0c0c", True),
        ("#6c4cb0", "#6045b6", False), ("#7efbe3", "#75f4ef", False), ("#05911a", "#009b1a", False),
    ],
)  # fmt: skip
def test_colors_nearer_than_0_03_in_oklab_look_the_same(one: str, other: str, look_the_same: bool) -> None:
    assert len(ranked([color(one), color(other)])) == (1 if look_the_same else 2)


def test_200_colors_that_look_different_are_compared() -> None:
    places = (-0.06, -0.02, 0.02, 0.06)
    different = [from_oklab(step / 25, a, b) for step in range(10, 23) for a in places for b in places]
    often = [color(different[200], 0.5) for _ in range(99)]
    assert different[200] not in roles(*map(color, different[:200]), *often)
    assert ranked([*map(color, different[:199]), *often])[0].hex == different[200]


def test_most_used_colors_are_kept() -> None:
    grays = [color(f"#{value:02x}{value:02x}{value:02x}", value) for value in range(0, 255, 16)]
    kept = ranked(grays)
    assert [each.weight for each in kept] == list(range(240, 240 - 16 * MAX_COLORS, -16))


def test_roles_follow_colour_and_contrast() -> None:
    found = [color("#ffffff", 5), color("#111111", 4), color("#d92d20", 3), color("#1e3a8a", 2)]
    assert roles(*found, color("#8a8a8a", 1), color("#b0b0b0", 0.5)) == {
        "#ffffff": "background",
        "#111111": "text",
        "#d92d20": "primary",
        "#1e3a8a": "accent",
        "#8a8a8a": "support",
        "#b0b0b0": "other",
    }


def test_stated_roles_and_names_go_before_use() -> None:
    found = [
        color("#d92d20", 9),
        color("#1e3a8a", 2, "Primary blue"),
        color("#0a7f3f", 1, "Highlight"),
        color("#fff4e0", 1, role="support"),
    ]
    assert roles(*found) == {
        "#d92d20": "other",
        "#1e3a8a": "primary",
        "#0a7f3f": "accent",
        "#fff4e0": "support",
    }


def test_text_contrasts_with_the_background_that_was_found() -> None:
    on_white = [color("#ffffff", 3), color("#767676", 2), color("#333333", 1)]
    assert roles(*on_white) == {"#ffffff": "background", "#767676": "support", "#333333": "text"}


@pytest.mark.parametrize(
    ("value", "role"),
    [("#545454", "text"), ("#5c5c5c", "support"), ("#d5d5d5", "background"), ("#cfcfcf", "support")],
)
def test_text_has_a_contrast_of_7_and_a_background_one_of_14_against_black(value: str, role: str) -> None:
    assert roles(color(value)) == {value: role}
