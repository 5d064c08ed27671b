"""What an edge makes of a value whose type is not that of the input."""

import json
from dataclasses import dataclass

import pytest

from impasto import Audio, Image, Mask, Video
from impasto.errors import ConversionFailed
from impasto.sdk.conversions import advice, describe, find, same
from impasto.types import (
    ANY,
    AUDIO,
    BOOLEAN,
    BRAND,
    FILE,
    IMAGE,
    INTEGER,
    JSON,
    MASK,
    NUMBER,
    TEXT,
    VIDEO,
    Brand,
    File,
    value_type_of,
)


@dataclass(frozen=True)
class Chapter:
    title: str


@dataclass(frozen=True)
class LongChapter(Chapter):
    words: int = 0


@dataclass(frozen=True)
class Appendix(LongChapter):
    letter: str = "A"


CUP = Image(asset_id="a", media_type="image/png", bytes=3, sha256="f" * 64, name="cup.png", width=2)


def conversion(source, target):
    """How values of a type become those of another one, to which they can be converted."""
    convert = find(source, target)
    assert convert is not None
    return convert


@pytest.mark.parametrize(
    ("source", "target", "value", "converted"),
    [
        (INTEGER, NUMBER, 2, 2.0),
        (INTEGER, TEXT, 2, "2"),
        (NUMBER, TEXT, 2.0, "2"),
        (NUMBER, TEXT, 2.5, "2.5"),
        (BOOLEAN, TEXT, True, "true"),
        (BOOLEAN, TEXT, False, "false"),
        (JSON, TEXT, "as it is", "as it is"),
        (JSON, TEXT, {"b": [1, None], "a": "ü"}, '{"b":[1,null],"a":"ü"}'),
        (JSON, TEXT, {"b": [2**70, None], "a": "ü"}, '{"b":[1180591620717411303424,null],"a":"ü"}'),
        (JSON, TEXT, {1: 3}, '{"1":3}'),
        (TEXT, JSON, '{"a": 1}', {"a": 1}),
        (TEXT, JSON, '{"a": [1180591620717411303424, 1.5, "ü"]}', {"a": [2**70, 1.5, "ü"]}),
        (TEXT, JSON, "-9223372036854775809", -(2**63) - 1),
        (BOOLEAN, JSON, True, True),
        (IMAGE, MASK, CUP, Mask(image=CUP)),
        (MASK, IMAGE, Mask(image=CUP), CUP),
        (TEXT, ANY, "text", "text"),
    ],
)
def test_a_value_is_converted(source, target, value, converted):
    found = conversion(source, target)(value)
    assert (found, type(found)) == (converted, type(converted))


@pytest.mark.parametrize(("source", "kind"), [(IMAGE, Image), (VIDEO, Video), (AUDIO, Audio)])
def test_media_becomes_a_file_with_its_content_and_name(source, kind):
    value = kind(asset_id="a", media_type="x/y", bytes=3, sha256="f" * 64, name="cup")
    assert conversion(source, FILE)(value) == File(
        asset_id="a", media_type="x/y", bytes=3, sha256="f" * 64, name="cup"
    )


def test_a_brand_is_converted_to_its_data():
    data = conversion(BRAND, JSON)(Brand(brand_name="Acme"))
    assert json.loads(json.dumps(data))["brand_name"] == "Acme"


@pytest.mark.parametrize(
    ("source", "target"), [(TEXT, IMAGE), (TEXT, NUMBER), (FILE, IMAGE), (NUMBER, INTEGER), (JSON, NUMBER)]
)
def test_other_types_are_not_converted(source, target):
    assert find(source, target) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "",
        "NaN",
        "[NaN, 1180591620717411303424]",
        "1" * 5000,
        "\ud800",
        "[" * 1000 + "1" * 20 + "]" * 1000,
    ],
    ids=["open", "empty", "nan", "nan beside a long number", "too long", "surrogate", "deep"],
)
def test_text_that_is_not_json_is_refused(text):
    with pytest.raises(ConversionFailed, match="the text is not JSON"):
        conversion(TEXT, JSON)(text)


@pytest.mark.parametrize(
    ("target", "value", "converted"),
    [
        (TEXT, "text", "text"),
        (TEXT, 3, "3"),
        (NUMBER, 3, 3),
        (FILE, CUP, File(asset_id="a", media_type="image/png", bytes=3, sha256="f" * 64, name="cup.png")),
        (MASK, CUP, Mask(image=CUP)),
    ],
)
def test_a_value_of_any_type_is_converted_when_it_is_known(target, value, converted):
    assert conversion(ANY, target)(value) == converted


@pytest.mark.parametrize(("target", "value"), [(IMAGE, "text"), (NUMBER, "3"), (TEXT, [1]), (BOOLEAN, 1)])
def test_a_value_of_any_type_that_does_not_fit_is_refused(target, value):
    with pytest.raises(ConversionFailed, match=f"expected {target}, got {type(value).__name__}"):
        conversion(ANY, target)(value)


def test_a_type_fits_where_its_base_class_does():
    chapter, long_chapter, appendix = map(value_type_of, (Chapter, LongChapter, Appendix))
    assert find(long_chapter, chapter) is find(appendix, chapter) is find(appendix, appendix) is same
    assert find(chapter, appendix) is None


def test_advice_names_what_each_of_two_types_converts_to_and_from() -> None:
    assert advice(IMAGE, TEXT) == (
        "No conversion exists. Image converts to File, Mask. Text can be made from Boolean, Integer, Json, "
        "Number. Put a node between them that takes Image and gives Text."
    )
    assert advice(VIDEO, AUDIO) == (
        "No conversion exists. Video converts to File. "
        "Put a node between them that takes Video and gives Audio."
    )


def test_conversions_are_described_as_pairs_of_different_types() -> None:
    assert describe([INTEGER, NUMBER, IMAGE, FILE]) == [
        {"from": "Integer", "to": "Number"},
        {"from": "Image", "to": "File"},
    ]
