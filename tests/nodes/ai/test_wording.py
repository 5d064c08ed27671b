"""Banned words in a text: as wholes, in any spelling, and in the inflections of its languages."""

import pytest

from impasto_nodes.ai.brand_checks.wording import check_words, plain, stands_in


@pytest.mark.parametrize(
    ("word", "text", "is_found"),
    [
        ("free", "for free now", True),
        ("free", "freedom", False),
        ("free", "carefree", False),
        ("free", "fee_free_", True),
        ("free", "free2", False),
        ("cheap trick", "a cheap \n trick", True),
        ("c++", "in c++, always", True),
        ("最好", "全球最好的", True),
        ("最好a", "全球最好ab", False),
        ("最好a", "全球最好a b", True),
    ],
)
def test_word_stands_in_a_text_as_a_whole(word: str, text: str, is_found: bool) -> None:
    assert stands_in(plain(word), plain(text)) is is_found


def test_report_of_words_is_complete() -> None:
    text = "The cheapest promoções in town, and it keeps what it promises."
    assert check_words(text, ("cheap", " ", "promoção", "free"), ("pt-BR", "xx")) == {
        "checked": True,
        "passed": False,
        "found": ["cheap", "promoção"],
        "looked_for": 3,
        "inflections": ["en", "pt"],
    }
    assert check_words("Text.", (" ", "\u200b")) == {"checked": False, "why": "The brand bans no words."}


@pytest.mark.parametrize(
    ("text", "banned", "language", "is_found"),
    [
        ("Wir garantierten es.", "garantieren", "de", True),
        ("The best deals of all are here.", "deal best", "en", False),
        ("The best deals of all are here.", "best deal", "en", True),
        ("The best deals of all are here.", "!!", "en", False),
        ("She flies her kites in the sky.", "fly", "en", True),
        ("A cheaply made thing that is in the shop.", "cheap", "en", True),
    ],
)
def test_inflections_are_those_of_the_language(text: str, banned: str, language: str, is_found: bool) -> None:
    report = check_words(text, (banned,), (language,))
    assert language in report["inflections"]
    assert bool(report["found"]) is is_found
