"""Silence of the local voice for scripts that it cannot read."""

import io
import wave

import pytest
from tests.fakes.running import run
from tests.fixtures.briefs import CASES

from impasto import MemoryStore
from impasto_nodes.providers.local.speech import is_spoken, reading_seconds

LATIN = {"en", "de", "pt", "es", "fr", "it", "nl", "pl", "sv", "da", "tr", "fi", "cs"}


@pytest.mark.parametrize(("language", "brief"), CASES)
def test_a_brief_in_latin_letters_is_spoken(language: str, brief: str) -> None:
    assert is_spoken(brief) is (language in LATIN)


@pytest.mark.parametrize(("language", "brief"), CASES)
def test_reading_a_brief_takes_some_seconds(language: str, brief: str) -> None:
    assert 1 <= reading_seconds(brief) <= 14


def test_reading_time_counts_characters_where_words_are_not_divided() -> None:
    assert reading_seconds("") == 1
    assert reading_seconds("one two three four five six seven eight nine ten eleven twelve") == 5
    assert reading_seconds("秋" * 60) == 10
    assert reading_seconds("秋" * 60 + " one two three") == 10 + 3 / 2.4


@pytest.mark.anyio
async def test_a_script_that_the_voice_cannot_read_is_silence_of_its_reading_time() -> None:
    store = MemoryStore()
    text = "秋の新作ティーポットを、工房から直接お届けします。ひとつひとつ形が違います。"
    result = await run("text_to_speech", {"text": text}, key=None, store=store)
    audio = result.outputs["it.output"]
    with wave.open(io.BytesIO(store.assets[audio.asset_id]), "rb") as file:
        samples = file.readframes(file.getnframes())
        assert file.getnframes() / file.getframerate() == pytest.approx(reading_seconds(text), abs=0.01)
    assert audio.seconds == pytest.approx(reading_seconds(text))
    assert not any(samples)


@pytest.mark.parametrize(
    ("text", "is_latin"), [("", True), ("12 !", True), ("a", True), ("aб", True), ("aбб", False), ("é", True)]
)
def test_half_of_the_letters_must_be_latin(text: str, is_latin: bool) -> None:
    assert is_spoken(text) is is_latin


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 1), ("- 5 -", 1), ("one two three", 1.25), ("한" * 12, 2), ("ไทยไทยไทย", 1.5), ("秋a " * 12, 7)],
)
def test_reading_counts_words_and_dense_letters(text: str, seconds: float) -> None:
    assert reading_seconds(text) == pytest.approx(seconds)
