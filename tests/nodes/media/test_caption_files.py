"""Cues are read from SRT, WebVTT and data, in time linear in their length."""

import time

import pytest

from impasto import NodeError
from impasto_nodes.media.captions.render import read
from impasto_nodes.media.captions.segmentation import Cue

SRT = """1
00:00:01,000 --> 00:00:02,500
Golden hour
has a <i>new</i> temperature

2
00:00:03,000 --> 00:00:04,000
Out now
"""


def test_srt_and_webvtt_are_read():
    expected = [Cue(1.0, 2.5, "Golden hour has a new temperature"), Cue(3.0, 4.0, "Out now")]
    assert read(SRT) == expected
    assert read("WEBVTT\n\n" + SRT.replace(",", ".").replace("00:00:01", "00:01")) == expected


def test_cues_of_a_file_without_text_or_length_are_left_out():
    silent = "00:00:05,000 --> 00:00:06,000\n<i></i>\n"
    instant = "00:00:07,000 --> 00:00:07,000\nNow\n"
    backwards = "00:00:09,000 --> 00:00:08,000\nBack\n"
    assert read("\n".join([silent, SRT, instant, backwards])) == read(SRT)


@pytest.mark.parametrize(
    "wrap", [lambda cues: cues, lambda cues: {"cues": cues}, lambda cues: {"segments": cues}]
)
def test_data_is_read_in_order(wrap):
    cues = [{"start": 2, "end": 3, "text": "b"}, {"start": 0, "end": 1.5, "text": " a  a "}]
    assert read(wrap(cues)) == [Cue(0, 1.5, "a a"), Cue(2, 3, "b")]


@pytest.mark.parametrize(
    "source",
    [
        7,
        ["x"],
        [{"start": 0, "text": "a"}],
        [{"start": 2, "end": 1, "text": "a"}],
        [{"start": -1, "end": 1, "text": "a"}],
        [{"start": 0, "end": "inf", "text": "a"}],
        [{"start": 0, "end": 10**400, "text": "a"}],
        "no times",
    ],
)
def test_invalid_captions_are_an_error(source):
    with pytest.raises(NodeError, match="captions can't be read") as caught:
        read(source)
    assert caught.value.code == "bad_captions"


@pytest.mark.parametrize("text", ["1", "1:", " --> ", "<", "{\\", "00:00:01,000 "])
def test_hostile_captions_are_read_in_linear_time(text):
    began = time.process_time()
    with pytest.raises(NodeError):
        read(text * (400_000 // len(text)))
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["<", "{\\"])
def test_hostile_tags_are_read_in_linear_time(text):
    began = time.process_time()
    (cue,) = read("00:00:01,000 --> 00:00:02,000\n" + text * 200_000)
    assert cue.text == text * 200_000
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("00:00:01,000 --> 00:00:02,500", 1.0, 2.5),
        ("01:02:03.045 --> 10:00:00.000", 3723.045, 36_000.0),
        ("02:03.5 --> 02:04.25", 123.5, 124.25),
        ("0:01:00,07   -->  0:01:01,7 position:50%", 60.07, 61.7),
        ("1000:00:00,000-->1000:00:01,000", 3_600_000.0, 3_600_001.0),
    ],
)
def test_times_have_hours_or_not_and_any_fraction(line, start, end):
    assert read(f"{line}\nGo\n") == [Cue(start, end, "Go")]


def test_a_file_may_have_a_byte_order_mark_styles_and_no_last_line_break():
    first = "\ufeff1\n00:01.000 --> 00:02.000\n{\\an8}<b>One</b>\n  two  \n \n\n"
    assert read(f"{first}NOTE ours\n\n00:03.000 --> 00:04.000\nEnd") == [
        Cue(1.0, 2.0, "One two"),
        Cue(3.0, 4.0, "End"),
    ]


def test_a_cue_without_text_is_left_out():
    assert read("00:01.000 --> 00:02.000\n00:03.000 --> 00:04.000\nEnd") == [Cue(3.0, 4.0, "End")]


def test_empty_captions_of_every_form_have_no_cues():
    assert read("") == read(" \n") == read([]) == read({}) == read({"captions": []}) == []
    assert read({"captions": [{"start": 0, "end": 1, "text": "a"}], "segments": [7]}) == [Cue(0, 1, "a")]
    assert read([{"start": 0, "end": 0.001, "text": "a"}])[0].end == 0.001
    with pytest.raises(NodeError):
        read([{"start": 1, "end": 1, "text": "a"}])


def test_error_of_unreadable_captions_quotes_the_first_200_characters():
    with pytest.raises(NodeError) as caught:
        read(["x" * 1000])
    assert caught.value.detail == "'" + "x" * 199
