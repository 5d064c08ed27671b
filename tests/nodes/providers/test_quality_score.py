"""Scores of drafts, and the share of their words that the brief does not know."""

from typing import Any

import pytest

from impasto_nodes.providers.local.text_generation.quality_score import data_score, text_score
from impasto_nodes.providers.local.text_generation.vocabulary import load, unknown_share

BRIEF = "Trail running shoes made from ocean plastic"


def test_score_prefers_relevant_and_new_text() -> None:
    good = text_score("Rainy trail? Running shoes of ocean plastic keep their grip.", BRIEF)
    assert good > text_score("The world is tiny. The world is tiny.", BRIEF)
    assert good > text_score("Merino socks and mint tea on running days.", BRIEF)
    assert good > text_score("Here is a rewritten version of the prompt: ocean plastic shoes.", BRIEF)
    assert good > text_score(BRIEF, BRIEF)
    assert text_score("", BRIEF) == 0.0
    assert text_score("#OceanPlasticShoes", BRIEF, hits=1) > text_score("#LemonBars", BRIEF, hits=1)


def test_repeated_data_has_a_lower_score() -> None:
    once = {"a": "Ocean plastic shoes", "b": "For every trail"}
    twice = {"a": "Ocean plastic shoes", "b": "ocean plastic shoes"}
    assert data_score(once, BRIEF) > data_score(twice, BRIEF)
    assert data_score({"seconds": 3}, BRIEF) == 1.0


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Ocean plastic shoes", 1.0),
        ("Ocean waves", 0.5 + 0.5 / 3),
        ("Ocean ocean ocean", 0.5 / 2.1 + 0.5 / 3),
        ("OceanPlastic", 0.5 + 0.5 * 2 / 3),
        ("Ocean plastic output", 0.5 + 0.5 * 2 / 3 - 0.4),
        ("Merino ocean plastic", 0.5 + 0.5 * 2 / 3 - 1 / 3),
        (BRIEF.upper(), 0.6),
        (f"{BRIEF}!", 0.6),
        (f"{BRIEF} for people of the hills", 1.0),
        ("", 0.0),
        ("an ox", 0.0),
    ],
)
def test_a_score_counts_words_of_the_brief_against_repetition_and_copies(text: str, score: float) -> None:
    assert text_score(text, BRIEF) == pytest.approx(score)


def test_a_brief_without_long_words_is_no_reproach() -> None:
    assert text_score("Ocean plastic", "") == 0.5
    assert text_score("Ocean plastic", "Ocean") == 1.0


@pytest.mark.parametrize(
    ("data", "score"),
    [
        (["Ocean plastic shoes", "Ocean waves"], 1.0),
        ({"a": "Ocean plastic shoes", "b": "Ocean plastic SHOES"}, 0.5 / 1.4 + 0.5 - 0.5),
        ({"a": "Ocean plastic shoes", "b": "Long miles, dry feet"}, 1.0 - 3 / 6 - 0.5),
        ([], 1.0),
    ],
)
def test_a_score_of_data_is_that_of_its_texts_less_doubles_and_copies(data: Any, score: float) -> None:
    assert data_score(data, BRIEF) == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "known", "language", "share"),
    [
        ("Our refillable soap", "", "en", 0.0),
        ("Our refillable soap blorgs", "", "en", 0.0),
        ("Zorbel blorgs refillable soap", "", "en", 0.5),
        ("Zorbel blorgs refillable soap", "ZORBEL", "en", 0.0),
        ("Zorbel zorbel soap", "", "en", 0.0),
        ("Zorbel blorgs", "", "ja", 0.0),
        ("", "", "en", 0.0),
        ("Sommerfest Straßenfest Seifenkiste", "", "de", 0.0),
        ("Zorbelfest Blorgsfest", "", "de", 1.0),
        ("Zorbelfest Blorgsfest", "Zorbel, Blorg", "de", 0.0),
        ("Zorbelfest Blorgsfest", "Zorbel, Blorg", "en", 1.0),
        ("Zorbfest Zorbenfest Brot", "Zorb", "de", 0.0),
        ("Zorfest Blofest", "Zor, Blo", "de", 1.0),
        ("Blorgsfest Zorbelnfest", "Blorg, Zorbel", "de", 0.0),
        ("Sommerblorg Seifenzorb", "", "de", 1.0),
        ("Festrad Festrat", "Fest", "de", 1.0),
    ],
)
def test_the_share_of_unknown_words_allows_for_names_and_compounds(
    text: str, known: str, language: str, share: float
) -> None:
    assert unknown_share(text, known, language) == share


def test_a_word_list_that_was_loaded_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    load("ru")
    load("ja")
    monkeypatch.setattr("spellchecker.SpellChecker", None)
    assert unknown_share("Зорбельфест блоргсфест", "", "ru") == 1.0
    assert unknown_share("", "", "ru") == 0.0
