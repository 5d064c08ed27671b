"""References to saved brands in documents and inputs, and the values that nodes get for them."""

from dataclasses import fields
from typing import Any

import pytest

from impasto import Brand
from impasto_server.brands.presenter import file_ids, logo_ids
from impasto_server.brands.references import (
    Resolution,
    find,
    font_file_name,
    is_reference,
    references_in,
    value_of,
)
from impasto_server.brands.schemas import BrandContent, BrandFontFile


def saved(reference: Any = "b1", **about: Any) -> dict[str, Any]:
    return {"$type": "Brand", "saved": reference, **about}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (saved(), True), ({"saved": "b1@3"}, True), (saved(brand_name="Fjell"), True),
        ({"$type": "Brand", **{each.name: "x" for each in fields(Brand)}}, True),
        (saved(""), False), (saved(7), False), (saved(other=1), False),
        ({"$type": "Image", "saved": "b1"}, False), ({"$type": "Brand"}, False), ({}, False),
    ],
)  # fmt: skip
def test_reference_is_a_brand_value_that_names_a_saved_brand(item: dict[str, Any], expected: bool) -> None:
    assert is_reference(item) is expected


def test_references_are_found_in_their_order_and_replaced() -> None:
    value = {
        "a": [saved("b1"), {"x": saved("b2")}],
        "b": saved("b1"),
        "c": {"saved": "", "d": saved("b3")},
        "e": 1,
    }
    assert [item["saved"] for item in find(value)] == ["b1", "b2", "b1", "b3"]
    assert references_in(value) == ["b1", "b2", "b3"]
    assert references_in({"saved": 1}) == references_in([]) == []
    resolution = Resolution(values={"b1": {"name": 1}, "b2": {"name": 2}})
    empty = {"$type": "Brand"}
    assert resolution.apply(value) == {
        "a": [{"name": 1}, {"x": {"name": 2}}],
        "b": {"name": 1},
        "c": {"saved": "", "d": empty},
        "e": 1,
    }


@pytest.mark.parametrize(
    ("weight", "italic", "media_type", "name"),
    [
        (700, True, "font/ttf", "Acme Sans-700italic.ttf"),
        (400, False, "font/otf", "Acme Sans-400.otf"),
        (400, False, None, "Acme Sans-400.ttf"),
    ],
)
def test_font_file_is_named_by_family_weight_and_style(
    weight: int, italic: bool, media_type: str | None, name: str
) -> None:
    file = BrandFontFile(asset_id="f1", family="Acme Sans", weight=weight, italic=italic)
    assert font_file_name(file, {"media_type": media_type}) == name


def test_nodes_get_the_values_of_a_brand_by_their_roles() -> None:
    content = BrandContent.model_validate(
        {
            "name": "Fjell",
            "description": "Outdoor",
            "logo": {"light": "l1", "dark": "gone", "clear_space": 1.5},
            "colors": [
                {"hex": "#000001"},
                {"hex": "#000002", "role": "text"},
                {"hex": "#000003", "role": "primary"},
            ],
            "fonts": [
                {"family": "Inter", "role": "text"},
                {"family": "Lora", "role": "headline"},
                {"family": "Inter", "role": "headline"},
            ],
            "font_files": [{"asset_id": "f1", "family": "Lora"}, {"asset_id": "gone", "family": "Inter"}],
            "voice": {
                "tone": ["Calm", "Exact"],
                "dos": ["a"],
                "donts": ["b"],
                "banned_words": ["c"],
                "sample_lines": ["d"],
                "languages": ["German"],
            },
            "legal_line": "Fjell AS",
        }
    )
    files = {"l1": {"asset_id": "l1"}, "f1": {"asset_id": "f1", "media_type": "font/otf"}}
    assert value_of("b1", content, files) == {
        "$type": "Brand",
        "brand_name": "Fjell",
        "description": "Outdoor",
        "palette": ["#000003", "#000002", "#000001"],
        "fonts": ["Lora", "Inter"],
        "logo": {"asset_id": "l1"},
        "logo_dark": None,
        "clear_space": 1.5,
        "tone": "Calm, Exact",
        "banned_words": ["c"],
        "example_lines": ["d"],
        "dos": ["a"],
        "donts": ["b"],
        "languages": ["German"],
        "legal_line": "Fjell AS",
        "font_files": [{"asset_id": "f1", "media_type": "font/otf", "name": "Lora-400.otf"}],
        "source": "b1",
    }
    assert logo_ids(content) == ["l1", "gone"]
    assert file_ids(content) == ["l1", "gone", "f1", "gone"]
    assert logo_ids(BrandContent(name="Fjell")) == file_ids(BrandContent(name="Fjell")) == []
    assert value_of("b1", BrandContent(name="Fjell"), {})["logo"] is None
