"""How a grammar classifies words, phrases and sentences, and the calls to action that it has."""

import pytest
from tests.fixtures.briefs import BRIEFS

from impasto_nodes.providers.local.writing.grammar import trades_of, words
from impasto_nodes.providers.local.writing.grammars import grammar_of, is_written


@pytest.mark.parametrize(
    ("code", "phrase", "expected"),
    [
        ("de", "für die Praxis Linde", True),
        ("de", "Für Familien", True),
        ("de", "die Praxis Linde", False),
        ("de", "Praxis für Familien", False),
        ("en", "from Leeds", True),
        ("en", "our shop in Leeds", False),
        ("ru", "для семей", True),
        ("ar", "في الرياض", True),
        ("ar", "مقهى في الرياض", False),
        ("ja", "京都の歯科医院", False),
    ],
)
def test_a_phrase_may_open_with_a_preposition(code: str, phrase: str, expected: bool) -> None:
    assert grammar_of(code).opens_with_preposition(phrase) is expected


@pytest.mark.parametrize(
    ("code", "word", "expected"),
    [
        ("en", "from", True),
        ("en", "soap", False),
        ("fi", "turussa", True),
        ("fi", "ilman", True),
        ("fi", "kahvila", False),
        ("ja", "の", False),
    ],
)
def test_a_noun_phrase_ends_at_a_preposition_or_a_case(code: str, word: str, expected: bool) -> None:
    assert grammar_of(code).ends_phrase(word) is expected


@pytest.mark.parametrize(
    ("code", "sentence", "expected"),
    [
        ("de", "Unser Laden in Köln", False),
        ("de", "Ein kleiner Laden", False),
        ("de", "Sie laden Freunde ein", True),
        ("de", "Die Nachbarn laden ein", True),
        ("en", "Our shop OPENS at nine", True),
        ("en", "Our shop in Leeds", False),
        ("ja", "私たちの工房", False),
    ],
)
def test_a_sentence_says_something_and_a_phrase_does_not(code: str, sentence: str, expected: bool) -> None:
    assert grammar_of(code).states(sentence) is expected


@pytest.mark.parametrize(
    ("code", "part", "expected"),
    [
        ("en", " No text ", True),
        ("en", "calm TONE", True),
        ("en", "calm seas", False),
        ("de", "Freundlicher Ton", True),
        ("ja", "正方形", True),
    ],
)
def test_a_direction_says_how_to_work(code: str, part: str, expected: bool) -> None:
    assert grammar_of(code).directs(part) is expected


def test_an_order_is_found_at_the_beginning_or_at_the_end() -> None:
    english, japanese = grammar_of("en"), grammar_of("ja")
    order = english.ordered("ADS for our soap")
    assert order is not None
    assert order[0] == "ADS for "
    assert english.ordered("Our soap") is None
    assert english.ordered_at_end("Our soap") is None
    at_end = japanese.ordered_at_end("急須の広告を作ってください")
    assert at_end is not None
    assert at_end[0] == "の広告を作ってください"
    assert japanese.ordered_at_end("急須") is None


def test_a_language_that_is_not_written_has_no_phrases() -> None:
    plain = grammar_of("uk")
    assert not is_written("uk")
    assert is_written("fi")
    assert (plain.code, plain.about, plain.calls, plain.closers) == ("", (), {}, ())
    assert plain.ordered("Реклама") is None
    assert not plain.directs("без тексту")


def test_words_are_known_as_they_are_written_and_in_small_letters() -> None:
    assert words("Straße ab") == {"Straße", "strasse", "ab"}


def test_the_trades_of_a_brief_are_listed_surest_first() -> None:
    assert trades_of("A summer sale at our dental clinic") == ("sale", "book")
    assert trades_of("WE ARE A FUNERAL HOME") == ("solemn",)
    assert trades_of("Soap") == ()


@pytest.mark.parametrize(
    "brief",
    [
        "Hausverwaltung in Dresden sucht Hausmeister",
        "Friseurin gesucht",
        "Panadería de Lugo: se busca panadero",
        "Officina di Parma: cerchiamo un meccanico",
        "Kapper gezocht",
        "Kawiarnia w Gdyni: szukamy kelnera",
        "Bakery in Cork is hiring",
    ],
)
def test_brief_of_an_employer_is_for_applicants(brief: str) -> None:
    assert trades_of(brief) == ("hire",)


def test_a_noun_of_the_same_letters_is_no_job() -> None:
    assert "hire" not in trades_of("Beratung bei Sucht und Schulden")


@pytest.mark.parametrize("code", BRIEFS)
def test_calls_to_action_fit_a_button(code: str) -> None:
    calls = [call for calls in grammar_of(code).calls.values() for call in calls]
    assert calls
    assert [call for call in calls if len(call) > 26] == []
