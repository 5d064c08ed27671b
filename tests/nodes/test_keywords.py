"""The words by which the palette finds the built-in nodes."""

import pytest

from impasto import Catalog


def test_every_built_in_node_has_keywords():
    described = Catalog.discover().describe()["types"]
    assert [each["id"] for each in described if each["package"] == "impasto" and not each["keywords"]] == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("tts", "text_to_speech"),
        ("llm", "language_model"),
        ("translate", "language_model"),
        ("subtitle", "captions"),
        ("watermark", "overlay_logo"),
        ("if", "condition"),
        ("loop", "pick"),
        ("split", "pick"),
    ],
)
def test_a_common_word_is_among_the_first_keywords_of_the_node_that_is_meant(word, expected):
    described = Catalog.discover().describe()["types"]
    places = {
        each["id"]: each["keywords"].index(word) / len(each["keywords"])
        for each in described
        if word in each["keywords"] and not each["deprecated"]
    }
    assert min(places, key=places.__getitem__) == expected
