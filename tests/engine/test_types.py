"""Value types: what they hold, what an annotation means, and how values are written and read."""

import copy
import enum
import json
import pickle
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict
from typing import Any as Anything

import pytest

from impasto import (
    SKIP,
    Any,
    Boolean,
    Brand,
    DefinitionError,
    File,
    Image,
    Integer,
    Json,
    Lazy,
    Mask,
    Number,
    Text,
    tracked,
)
from impasto.encoding import from_json, to_json
from impasto.hashing import canonical_json, fast_canonical_json, has_long_integer, parse_json
from impasto.tracking import ReadLog, view_of
from impasto.types import (
    ANY,
    BOOLEAN,
    BRAND,
    IMAGE,
    INTEGER,
    JSON,
    NUMBER,
    TEXT,
    Delta,
    PortType,
    Skip,
    ValueTypes,
    port_type,
    strip_optional,
    value_type_of,
)


@dataclass(frozen=True)
class Chapter:
    title: str
    number: int = 1


@dataclass(frozen=True)
class Preface(Chapter):
    author: str = ""


@tracked
@dataclass(frozen=True)
class Theme:
    ink: str = "black"


class Shape(TypedDict):
    width: int


class Color(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("a", {"Text", "Json"}),
        (5, {"Number", "Integer", "Json"}),
        (0.5, {"Number", "Json"}),
        (True, {"Boolean", "Json"}),
        (None, {"Json"}),
        ([1], {"Json"}),
        ({"a": 1}, {"Json"}),
        (Image(asset_id="a"), {"Image"}),
        (object(), set()),
    ],
    ids=["text", "integer", "number", "boolean", "none", "list", "object", "image", "other"],
)
def test_types_hold_their_own_values(value, names):
    types = (TEXT, NUMBER, INTEGER, BOOLEAN, JSON, IMAGE)
    assert {found.name for found in types if found.holds(value)} == names
    assert ANY.holds(value)


class Name(str):
    """A text of a class of its own."""


def test_subclass_is_held_by_the_type_of_its_parent():
    assert TEXT.holds(Name("a"))
    assert value_type_of(Chapter).holds(Preface("a"))
    assert not value_type_of(Preface).holds(Chapter("a"))


@pytest.mark.parametrize(
    ("annotation", "written"),
    [
        (Text, "Text"), (str, "Text"), (Number, "Number"), (float, "Number"), (Integer, "Integer"),
        (int, "Integer"), (Boolean, "Boolean"), (bool, "Boolean"), (Json, "Json"), (dict, "Json"),
        (dict[str, int], "Json"), (list, "Json"), (Shape, "Json"), (Any, "Any"), (Anything, "Any"),
        (object, "Any"), (Image, "Image"), (Image | None, "Image"), (Skip | Text, "Text"),
        (list[Text], "list[Text]"), (list[list[Image]], "list[list[Image]]"),
        (list[Text] | None, "list[Text]"),
        (Annotated[list[Text], "help"], "list[Text]"), (list[Annotated[Image, "help"]], "list[Image]"),
        (Literal["a", "b"], "Text"), (Chapter, "tests.Chapter"), (Annotated[Text, "help"] | None, "Text"),
    ],
    ids=repr,
)  # fmt: skip
def test_annotation_means_a_type(annotation, written):
    assert str(port_type(annotation)) == written


@pytest.mark.parametrize(
    "annotation", [set, bytes, Text | Image, Literal[1, "a"], None, tuple[int, ...]], ids=repr
)
def test_annotation_of_no_type_is_refused(annotation):
    with pytest.raises(DefinitionError, match="is not a value type"):
        port_type(annotation)


def test_type_of_a_plugin_has_its_package_and_its_parent():
    found, parent = value_type_of(Preface), value_type_of(Chapter)
    assert (found.id, found.name, found.package, found.cls) == ("tests.Preface", "Preface", "tests", Preface)
    assert (found.parent, parent.parent) == (parent, None)
    assert value_type_of(Preface) is found
    assert value_type_of(set) is None
    assert PortType(TEXT).deeper(0) == PortType(TEXT)
    assert PortType(TEXT, 1).deeper(2) == PortType(TEXT, 3)


@pytest.mark.parametrize(
    ("annotation", "found"),
    [
        (Image, (Image, False)),
        (Image | None, (Image, True)),
        (Skip | Image | None, (Image, True)),
        (Image | File, (Image | File, False)),
        (Image | File | None, (Image | File | None, False)),
        (Skip | None, (Skip | None, False)),
    ],
    ids=str,
)
def test_optional_annotation_is_one_type_beside_nothing(annotation, found):
    assert strip_optional(annotation) == found


def test_view_of_a_value_has_the_type_of_the_value():
    assert value_type_of(type(view_of(Brand(), 0, ReadLog()))) is BRAND
    assert value_type_of(type(view_of(Theme(), 0, ReadLog()))) is value_type_of(Theme)


def test_types_of_tracked_values_are_known():
    found = [value_type_of(each).is_tracked for each in (Brand, Theme, Chapter, str)]
    assert found == [True, True, False, False]


def test_skip_is_one_value_in_every_process():
    assert Skip() is SKIP
    assert pickle.loads(pickle.dumps([SKIP]))[0] is copy.deepcopy([SKIP])[0] is SKIP
    assert (repr(SKIP), repr(TEXT), repr(value_type_of(Chapter))) == ("SKIP", "Text", "tests.Chapter")


def test_two_classes_of_one_package_cannot_have_one_name():
    types = ValueTypes()
    types.add(value_type_of(Chapter))
    kinds = type(TEXT)
    with pytest.raises(DefinitionError) as raised:
        types.add(kinds(name="Chapter", python=(Theme,), cls=Theme, package="tests"))
    assert str(raised.value) == (
        f"Two value types are called 'tests.Chapter': {__name__}.Chapter and {__name__}.Theme. "
        "Rename one of them."
    )
    assert types["Chapter"] is value_type_of(Chapter)


def test_types_of_a_catalog_are_found_by_id_and_by_a_name_that_is_unambiguous():
    types, found = ValueTypes(), value_type_of(Chapter)
    built_in = len(types)
    types.add(found)
    types.add(found)
    assert (types["tests.Chapter"], types["Chapter"], types.get("Image")) == (found, found, IMAGE)
    assert (len(types), [*types][-1]) == (built_in + 1, "tests.Chapter")
    other = type(found)(name="Chapter", python=(), package="other")
    types.add(other)
    assert types.get("Chapter", "none") == "none"
    assert types["other.Chapter"] is other
    with pytest.raises(KeyError):
        types["Chapter"]


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ("a", "a"),
        ({"a": (1, 2)}, {"a": [1, 2]}),
        (Name("a"), "a"),
        (Color.RED, "red"),
        (SKIP, {"$type": "Skip"}),
        ([Chapter("One", 2)], [{"$type": "tests.Chapter", "title": "One", "number": 2}]),
        (
            Mask(image=Image(asset_id="a")),
            {
                "$type": "Mask",
                "image": {
                    "$type": "Image",
                    "asset_id": "a",
                    "media_type": "image/png",
                    "width": None,
                    "height": None,
                    "bytes": None,
                    "sha256": None,
                    "name": None,
                },
            },
        ),
    ],
    ids=["text", "tuple", "subclass", "enum", "skip", "plugin", "media"],
)
def test_value_is_written_with_its_type(value, data):
    assert to_json(value) == data
    assert json.loads(canonical_json(value)) == data


def test_value_of_no_type_is_refused():
    with pytest.raises(TypeError, match="set is neither JSON data nor a value type"):
        to_json({1})


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ([{"$type": "tests.Chapter", "title": "One"}], [Chapter("One")]),
        ({"a": {"$type": "Chapter", "title": "One", "number": 2}}, {"a": Chapter("One", 2)}),
        ({"$type": "Image", "asset_id": "a"}, Image(asset_id="a")),
        ({"$type": "Skip"}, SKIP),
        ({"$type": "Image", "width": "wide"}, {"$type": "Image", "width": "wide"}),
        ({"$type": "Unknown", "a": 1}, {"$type": "Unknown", "a": 1}),
        ({"$type": "Text", "a": 1}, {"$type": "Text", "a": 1}),
        ({"$type": 5, "a": {"$type": "Skip"}}, {"$type": 5, "a": SKIP}),
    ],
)
def test_value_is_read_by_its_type_and_other_data_stays(data, value):
    types = ValueTypes()
    types.add(value_type_of(Chapter))
    assert from_json(data, types) == value


def test_value_of_a_plugin_stays_data_without_its_types():
    data = {"$type": "tests.Chapter", "title": "One"}
    assert from_json(data) == data


def test_main_values_of_a_brand_are_the_first_ones():
    files = tuple(
        File(asset_id=name, name=name) for name in ("Acme-700.ttf", "Acme Sans-400.ttf", "Acme-400.ttf")
    )
    brand = Brand(
        palette=("#111", "#222"), fonts=("Acme", "Acme Sans"), font_files=(*files, File(asset_id="x"))
    )
    assert (brand.main_color, brand.main_font) == ("#111", "Acme")
    assert brand.main_font_files == (files[0], files[2])
    assert (Brand().main_color, Brand().main_font, Brand().main_font_files) == ("", "", ())


@pytest.mark.anyio
async def test_lazy_value_is_awaited_or_waited_for():
    assert await Lazy.of(5) == 5
    assert Lazy.of(5).wait() == 5
    with pytest.raises(RuntimeError, match="an async node awaits its lazy input"):
        Lazy(Lazy.of(5)._compute).wait()


def test_delta_is_a_text():
    assert Delta("a").text == "a"
    with pytest.raises(TypeError, match=r"Delta\(\) takes a str, got int"):
        Delta(5)


@pytest.mark.parametrize(
    ("dumped", "is_long"),
    [
        (b"9" * 18, False),
        (b"9" * 19, True),
        (b'{"a":' + b"9" * 18 + b"}", False),
        (b'{"a":' + b"9" * 19 + b"}", True),
    ],
)
def test_long_integer_is_read_exactly(dumped, is_long):
    assert has_long_integer(dumped) is is_long
    assert canonical_json(parse_json(dumped)) == dumped


@pytest.mark.parametrize("size", [10, 2**16 - 2, 2**16, 2**17])
def test_canonical_json_is_sorted_and_short_at_any_size(size):
    assert fast_canonical_json("a" * (size - 2)) == b'"' + b"a" * (size - 2) + b'"'
    assert (
        canonical_json({"b": 1, "a": [1, {"d": 2**70, "c": None}]})
        == b'{"a":[1,{"c":null,"d":1180591620717411303424}],"b":1}'
    )
    assert canonical_json({"é": [2**70, "ü"]}) == '{"é":[1180591620717411303424,"ü"]}'.encode()
    assert canonical_json({2: "b", 1: Color.RED}) == b'{"1":"red","2":"b"}'
