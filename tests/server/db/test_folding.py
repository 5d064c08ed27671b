"""Texts that are compared without case and accents, and the words that they are searched by."""

import pytest

from impasto_server.db.folding import fold
from impasto_server.db.text_normalization import nfkc_casefold, normalize_login, without_bidi_controls
from impasto_server.db.text_search import indexed_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("CAFE", "cafe"),
        ("Café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("ÅNGSTRÖM", "angstrom"),
        ("Ａ", "a"),
        ("ไม้", "ไม้"),
    ],
)
def test_folded_text_has_no_case_and_no_accents(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ""),
        ("!?", ""),
        ("a1 B-2_c", " a1 b 2 c "),
        ("one ONE", " one "),
        ("x" * 61, f" {'x' * 60} "),
        ("é" * 61, f" {'é' * 60} "),
        ("Größe", " grösse "),
        ("夏のx旅", " 夏の の x 旅 "),
        ("a☕b", " a u2615 b "),
        ("☕\ufe0f", " u2615 "),
        ("\ufe0f", ""),
        ("é+", " é "),
        ("नमस्ते", " नमस्ते "),
        ("é\N{ZERO WIDTH JOINER}x", " é x "),
    ],
)
def test_terms_of_a_text(text: str, terms: str) -> None:
    assert indexed_text(text) == terms


def test_characters_that_reorder_a_text_are_removed() -> None:
    assert without_bidi_controls("a\u202egnp.exe\u2066\u200f\u061c") == "agnp.exe"


def test_logins_are_compared_without_case_width_and_outer_space() -> None:
    assert nfkc_casefold("ＦＵＬＬ ﬁ Straße") == "full fi strasse"
    assert normalize_login(" Ｍara ") == "mara"
