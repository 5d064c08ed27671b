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
