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
