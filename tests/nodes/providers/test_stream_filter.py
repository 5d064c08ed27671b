import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_nodes.providers.local.text_generation.stream_filter import SentenceGate, tidy_values, whole_words


def through(gate: SentenceGate, text: str, size: int = 3) -> str:
    shown = "".join(gate.feed(text[at : at + size]) for at in range(0, len(text), size))
    return shown + gate.finish()


def test_whole_sentences_pass_and_the_count_is_kept() -> None:
    gate = SentenceGate(2)
    assert (
        through(gate, "One cold brew. Two warm hands! Three late lights. Four.")
        == "One cold brew. Two warm hands!"
    )
    assert gate.closed


def test_a_sentence_that_was_said_before_ends_the_text() -> None:
    gate = SentenceGate(9)
    assert through(gate, "The can is cold. The CAN is cold. Then more.") == "The can is cold."


def test_a_last_sentence_without_a_full_stop_is_kept() -> None:
    assert through(SentenceGate(5), "First. then the rest") == "First. then the rest"


def test_a_cut_answer_loses_its_half_sentence() -> None:
    gate = SentenceGate(5)
    shown = gate.feed("A whole one. And half of the")
    assert shown + gate.cut() == "A whole one."


def test_a_cut_answer_with_nothing_whole_keeps_its_clause() -> None:
    gate = SentenceGate(5)
    assert gate.feed("A hand reaching into the") + gate.cut() == "A hand reaching"


@given(st.text(alphabet="ab. \n!,", max_size=80), st.integers(1, 5), st.integers(1, 7))
def test_nothing_is_added_or_moved_and_the_pieces_do_not_matter(
    text: str, max_sentences: int, size: int
) -> None:
    gate = SentenceGate(max_sentences)
    shown = through(gate, text, size)
    letters = iter(text)
    assert all(letter in letters for letter in shown)
    assert shown == through(SentenceGate(max_sentences), text, 1)
    assert gate.passed == shown


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a day of a", "a day"),
        ("cold brew, and the", "cold brew"),
        ("warm light", "warm light"),
        ("the", "the"),
    ],
)
def test_half_clauses_are_dropped(text: str, kept: str) -> None:
    assert whole_words(text) == kept


def test_values_end_with_a_sentence_or_a_clause() -> None:
    data = {
        "body": "A whole sentence. And then a half",
        "short": "Buy of the",
        "list": ["Pour a glass and drink it with the"],
    }
    assert tidy_values(data) == {
        "body": "A whole sentence.",
        "short": "Buy of the",
        "list": ["Pour a glass and drink it"],
    }
    assert json.dumps(tidy_values({"n": 3, "b": True, "x": None})) == '{"n": 3, "b": true, "x": null}'


def test_a_sentence_with_four_of_five_words_of_another_repeats_it() -> None:
    assert through(SentenceGate(9), "Red tea is cold. Red tea is cold today. More.") == "Red tea is cold."
    text = "Red tea is. Red tea is cold. More."
    assert through(SentenceGate(9), text) == text


def test_a_refused_sentence_is_left_out_and_the_next_begins_the_text() -> None:
    gate = SentenceGate(2, lambda sentence: "Sure" not in sentence)
    assert gate.feed(" Sure! One is here. Two are there. Sure. Three") == "One is here. Two are there."
    assert gate.closed
    assert gate.feed(" More. And") == ""
    assert gate.finish() == ""
    assert gate.passed == "One is here. Two are there."


def test_a_text_whose_only_sentence_is_refused_is_kept() -> None:
    gate = SentenceGate(2, lambda sentence: False)
    assert gate.feed("Sure, here and") == ""
    assert (gate.finish(), gate.passed, gate.closed) == ("Sure, here", "Sure, here", True)
    assert gate.finish() == ""


def test_after_a_cut_nothing_passes() -> None:
    gate = SentenceGate(5)
    assert gate.feed("One tea. Half of") == "One tea."
    assert (gate.cut(), gate.closed, gate.passed) == ("", True, "One tea.")
    assert gate.feed(" Two. Three") == ""
    gate = SentenceGate(5)
    gate.feed("Half of the")
    assert (gate.cut(), gate.passed, gate.closed) == ("Half", "Half", True)


def test_a_sentence_passes_when_the_next_begins() -> None:
    gate = SentenceGate(5)
    assert gate.feed("\n\nOne tea.") == ""
    assert gate.feed(" ") == "One tea."
    assert gate.feed('"Two." Three') == ' "Two."'


@pytest.mark.parametrize(
    ("value", "tidy"),
    [
        ("Buy cold brew and the tea of", "Buy cold brew and the tea"),
        ("Buy cold tea, cans of of", "Buy cold tea, cans"),
        ("Buy cold tea, cans of a", "Buy cold tea, cans of a"),
        ("Buy cold tea. Cans of the", "Buy cold tea."),
        ("Buy one. Buy two! Buy cans of the", "Buy one. Buy two!"),
        ("Buy cold tea and cans of it!", "Buy cold tea and cans of it!"),
    ],
)
def test_values_of_24_characters_end_with_a_whole_clause(value: str, tidy: str) -> None:
    assert tidy_values(value) == tidy
