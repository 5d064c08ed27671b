"""Settings as JSON Schema: types, limits, choices, defaults, and hints for their form fields."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

import pytest

from impasto import Brand, Catalog, Image, Json, Mask, Setting, Text, Video, node

PLAIN = {
    "options": False, "order": 0, "group": None, "advanced": False, "main": False, "unit": None,
    "placeholder": None, "step": None,
}  # fmt: skip


@dataclass(frozen=True)
class Branch:
    """A part of a tree."""

    name: str
    branches: tuple["Branch", ...] = ()


class Size(TypedDict):
    width: int


def schema_of(annotation, default=...):
    """The schema of the only setting, `value`, of a node."""

    async def take(*, value) -> Text: ...

    take.__annotations__["value"] = annotation
    if default is not ...:
        take.__kwdefaults__ = {"value": default}
    schema = Catalog([node(id="take")(take)]).describe()["types"][0]["settings"]
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert schema["required"] == (["value"] if default is ... else [])
    return schema["properties"]["value"]


@pytest.mark.parametrize(
    ("annotation", "default", "schema", "hints"),
    [
        (str, "a", {"type": "string", "default": "a", "x-type": "Text"}, {"widget": "text"}),
        (bool, True, {"type": "boolean", "default": True, "x-type": "Boolean"}, {"widget": "switch"}),
        (int, 3, {"type": "integer", "default": 3, "x-type": "Integer"}, {"widget": "number"}),
        (
            Annotated[int, Setting(ge=1, le=9)],
            3,
            {"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "x-type": "Integer"},
            {"widget": "slider"},
        ),
        (
            Annotated[float, Setting(gt=0, lt=1, step=0.1, unit="s")],
            0.5,
            {
                "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.5,
                "x-type": "Number",
            },
            {"widget": "number", "step": 0.1, "unit": "s"},
        ),
        (
            Annotated[float | None, Setting(ge=0, le=1)],
            None,
            {
                "anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}],
                "default": None, "x-type": "Number",
            },
            {"widget": "slider"},
        ),
        (
            Annotated[str, Setting(pattern="^a", min_length=0, max_length=5, placeholder="abc")],
            "a",
            {
                "type": "string", "pattern": "^a", "minLength": 0, "maxLength": 5, "default": "a",
                "x-type": "Text",
            },
            {"widget": "text", "placeholder": "abc"},
        ),
        (
            Annotated[list[str], Setting(min_length=1, max_length=3)],
            ["a"],
            {
                "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "default": ["a"],
                "x-type": "list[Text]",
            },
            {"widget": "list"},
        ),
        (
            Annotated[dict[str, int], Setting(min_length=0, max_length=2, advanced=True, group="More")],
            {"a": 1},
            {
                "type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 0,
                "maxProperties": 2, "default": {"a": 1}, "x-type": "Json",
            },
            {"widget": "json", "advanced": True, "group": "More"},
        ),
        (
            Literal["wide", "tall"],
            "tall",
            {"enum": ["tall", "wide"], "default": "tall", "x-type": "Text"},
            {"widget": "select"},
        ),
        (
            Annotated[str, Setting(choices=["z", "a"], main=True, order=7)],
            "z",
            {"type": "string", "enum": ["z", "a"], "default": "z", "x-type": "Text"},
            {"widget": "select", "main": True, "order": 7},
        ),
        (
            Annotated[str, Setting(widget="long_text", order=0)],
            "",
            {"type": "string", "default": "", "x-type": "Text"},
            {"widget": "long_text"},
        ),
    ],
)  # fmt: skip
def test_a_setting_has_its_limits_its_default_and_the_field_that_shows_it(annotation, default, schema, hints):
    assert schema_of(annotation, default) == {**schema, "title": "Value", "x-ui": {**PLAIN, **hints}}


@pytest.mark.parametrize(
    ("annotation", "widget"),
    [
        (Image, "picture"),
        (Video, "file"),
        (Mask, "mask"),
        (Brand, "brand"),
        (Image | None, "picture"),
        (list[Image], "list"),
        (Branch, "object"),
        (Size, "object"),
        (dict[str, Size], "json"),
        (Json, "json"),
    ],
)
def test_media_and_other_objects_have_fields_of_their_own(annotation, widget):
    assert schema_of(annotation)["x-ui"]["widget"] == widget


def test_fields_of_a_brand_have_help_and_a_widget():
    fields = schema_of(Brand)["properties"]
    assert fields["fonts"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "Families, the one for headlines first.",
        "x-ui": {"widget": "list", "options": "fonts"},
        "default": (),
    }
    assert fields["palette"]["x-ui"] == {"widget": "colour"}
    assert fields["tone"] == {
        "type": "string",
        "description": "How it sounds.",
        "x-ui": {"widget": "text"},
        "default": "",
    }


class Size(TypedDict):
    width: int


@pytest.mark.parametrize(
    ("limits", "widget"),
    [
        ({"ge": 1}, "number"),
        ({"le": 9}, "number"),
        ({"ge": 1, "lt": 9}, "number"),
        ({"ge": 1, "le": 9}, "slider"),
    ],
    ids=["lower", "upper", "open", "both"],
)
def test_number_between_two_limits_has_a_slider(limits, widget):
    assert schema_of(Annotated[int, Setting(**limits)])["x-ui"]["widget"] == widget
    assert schema_of(Annotated[int | None, Setting(**limits)])["x-ui"]["widget"] == widget


@pytest.mark.parametrize(
    ("annotation", "widget"),
    [
        (Size, "object"),
        (Size | None, "object"),
        (dict[str, int], "json"),
        (int | str, "json"),
        (Branch, "object"),
    ],
)
def test_object_with_known_fields_has_a_field_for_each(annotation, widget):
    assert schema_of(annotation)["x-ui"]["widget"] == widget


@dataclass(frozen=True)
class Leaf:
    size: int = 1


@dataclass(frozen=True)
class Twig:
    leaf: Leaf = Leaf(2)


def test_type_inside_a_type_stands_in_its_place_with_its_default():
    assert schema_of(Twig)["properties"] == {
        "leaf": {
            "title": "Leaf",
            "type": "object",
            "properties": {"size": {"type": "integer", "default": 1}},
            "required": [],
            "default": {"size": 2},
        }
    }


@node
async def speak(
    *, mode: str = "", tone: Annotated[str, Setting(help="How it sounds.", shown_if={"mode": "voice"})] = ""
) -> Text: ...


def test_help_is_the_description_and_a_condition_names_the_settings_that_show_it():
    mode, tone = Catalog([speak]).describe()["types"][0]["settings"]["properties"].values()
    assert ("description" in mode, tone["description"]) == (False, "How it sounds.")
    assert ("shown_if" in mode["x-ui"], tone["x-ui"]["shown_if"]) == (False, {"mode": "voice"})
    assert (mode["x-ui"]["order"], tone["x-ui"]["order"]) == (0, 1)


def test_a_recursive_type_is_a_reference():
    schema = schema_of(Branch)
    assert schema["properties"]["name"] == {"type": "string"}
    assert schema["properties"]["branches"]["items"] == {"$ref": "#/$defs/Branch"}
    assert (schema["title"], schema["description"], schema["required"]) == (
        "Value",
        "A part of a tree.",
        ["name"],
    )
