"""Words and known texts become cues, with times from the words or the recording."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_nodes.media.captions.segmentation import Cue, Word, as_srt, cues_along, cues_from_words


def test_cues_break_at_sentences_pauses_and_length() -> None:
    words = [Word(0, 0.4, "Cold"), Word(0.5, 0.9, "brew."), Word(1.0, 1.4, "Warm"), Word(3.0, 3.4, "light")]
    assert [cue.text for cue in cues_from_words(words)] == ["Cold brew.", "Warm", "light"]
    long = [Word(i * 0.1, i * 0.1 + 0.1, "letters") for i in range(20)]
    assert all(len(cue.text) <= 50 for cue in cues_from_words(long))


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=60), st.floats(0.5, 300))
def test_a_known_text_fills_the_length_in_order(words: list[str], seconds: float) -> None:
    cues = cues_along(" ".join(words), seconds)
    assert " ".join(cue.text for cue in cues).split() == words
    assert cues[0].start == 0
    assert abs(cues[-1].end - seconds) < 0.01
    assert all(one.end == other.start for one, other in itertools.pairwise(cues))


def test_each_sentence_is_timed_within_its_own_part() -> None:
    spoken = [(0.5, 1.5), (1.7, 2.5), (6.0, 7.0), (11.0, 14.0)]
    cues = cues_along("We open. Come and see. Until Sunday.", 30, spoken)
    assert [(cue.start, cue.end) for cue in cues] == [(0.5, 2.5), (6.0, 7.0), (11.0, 14.0)]
    unknown = cues_along("We open. Come and see.", 30, [(1.0, 9.0)])
    assert (unknown[0].start, unknown[-1].end) == (1.0, 9.0)


def test_no_text_gives_no_cues() -> None:
    assert cues_along("  ", 3.0) == ()


def test_srt_has_numbers_times_and_text() -> None:
    srt = as_srt([Cue(0, 1.5, "One"), Cue(3661.25, 3662, "Two")])
    assert srt == "1\n00:00:00,000 --> 00:00:01,500\nOne\n\n2\n01:01:01,250 --> 01:01:02,000\nTwo\n"


def spoken(*words: str, pause: float = 0.0, each: float = 0.2) -> list[Word]:
    """Words of equal length with a pause between them."""
    return [
        Word(number * (each + pause), number * (each + pause) + each, text)
        for number, text in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (spoken("a" * 20, "b" * 21), ["a" * 20 + " " + "b" * 21]),
        (spoken("a" * 20, "b" * 22), ["a" * 20, "b" * 22]),
        (spoken("a" * 13, "b" * 13, "c" * 14), [f"{'a' * 13} {'b' * 13} {'c' * 14}"]),
        (spoken("a" * 13, "b" * 13, "c" * 15), [f"{'a' * 13} {'b' * 13}", "c" * 15]),
        (spoken("One", "two", pause=0.59), ["One two"]),
        (spoken("One", "two", pause=0.61), ["One", "two"]),
        (spoken("One", "two", each=2.5), ["One two"]),
        (spoken("One", "two", each=2.51), ["One", "two"]),
        (spoken("“Go.”", "Now"), ["“Go.”", "Now"]),
        (spoken("Go…", "Now?", "Yes!", "then", "no"), ["Go…", "Now?", "Yes!", "then no"]),
        (spoken(" Go ", " on "), ["Go on"]),
        ([Word(10, 10.4, "One"), Word(10.5, 10.9, "two")], ["One two"]),
        ([], []),
    ],
)
def test_words_share_a_cue_up_to_42_characters_five_seconds_and_a_short_pause(
    words: list[Word], lines: list[str]
) -> None:
    cues = cues_from_words(words)
    assert [cue.text for cue in cues] == lines
    assert [cue.start for cue in cues[:1]] == [word.start for word in words[:1]]
    assert [cue.end for cue in cues[-1:]] == [word.end for word in words[-1:]]


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("aaaa bbbb", [Cue(0, 10, "aaaa bbbb")]),
        ("aaaaa. bbbbb", [Cue(0, 7.059, "aaaaa."), Cue(7.059, 10, "bbbbb")]),
        (f"{'a' * 40}, {'b' * 9}", [Cue(0, 8.302, "a" * 40 + ","), Cue(8.302, 10, "b" * 9)]),
        (f"{'a' * 40}; {'b' * 9}", [Cue(0, 8.302, "a" * 40 + ";"), Cue(8.302, 10, "b" * 9)]),
        (f"{'a' * 42} {'b' * 42}", [Cue(0, 5, "a" * 42), Cue(5, 10, "b" * 42)]),
        (f"{'a' * 20} {'b' * 21} c", [Cue(0, 9.767, f"{'a' * 20} {'b' * 21}"), Cue(9.767, 10, "c")]),
        ("One, two and three. Four!", [Cue(0, 6.944, "One, two and three."), Cue(6.944, 10, "Four!")]),
    ],
)
def test_time_of_a_known_text_follows_its_letters_and_marks(text: str, cues: list[Cue]) -> None:
    assert list(cues_along(text, 10.0)) == cues


def test_the_longest_gaps_of_a_recording_part_its_sentences() -> None:
    spoken_parts = [(0.0, 1.0), (1.5, 2.0), (4.0, 5.0), (5.2, 6.0), (7.0, 8.0)]
    assert [(cue.start, cue.end) for cue in cues_along("One. Two.", 9, spoken_parts)] == [(0, 2), (4, 8)]
    three = cues_along("One. Two. Three.", 9, spoken_parts)
    assert [(cue.start, cue.end) for cue in three] == [(0, 2), (4, 6), (7, 8)]
    assert [(cue.start, cue.end) for cue in cues_along("One", 9, spoken_parts)] == [(0, 8)]
    with_long_part = cues_along("One. Two.", 9, [(0.0, 1.0), (1.2, 6.0), (7.0, 8.0)])
    assert [(cue.start, cue.end) for cue in with_long_part] == [(0, 6), (7, 8)]
    within = cues_along(f"{'a' * 42} {'b' * 42}. Two.", 9, [(1.0, 3.0), (5.0, 6.0)])
    assert [(cue.start, cue.end) for cue in within] == [(1, 1.923), (1.923, 3), (5, 6)]


def test_srt_rounds_to_milliseconds() -> None:
    srt = as_srt([Cue(59.9996, 3599.9994, "a")])
    assert srt == "1\n00:01:00,000 --> 00:59:59,999\na\n"
    assert as_srt([]) == ""
