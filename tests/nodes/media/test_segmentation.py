import itertools

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
