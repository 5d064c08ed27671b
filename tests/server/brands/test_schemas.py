"""What a brand may hold: each value at its bound, and how values are tidied."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from impasto_server.brands.imports.schemas import WebsiteImport
from impasto_server.brands.schemas import BrandContent, BrandPublish

COLOR, FONT = {"hex": "#de8b3a"}, {"family": "Inter"}
FILE = {"asset_id": "f1", "family": "Inter"}


def refused(given: dict[str, Any], model: type[BaseModel] = BrandContent) -> list[tuple[Any, ...]]:
    """Return the places of the values that a brand is refused for."""
    try:
        model.model_validate({"name": "Fjell", **given} if model is BrandContent else given)
    except ValidationError as error:
        return [item["loc"] for item in error.errors()]
    return []


def lines(number: int) -> list[str]:
    return [f"line {index}" for index in range(number)]


@pytest.mark.parametrize(
    ("accepted", "next_one", "place"),
    [
        ({"name": "x" * 80}, {"name": "x" * 81}, ("name",)),
        ({"name": "x"}, {"name": "\0"}, ("name",)),
        ({"description": "x" * 4000}, {"description": "x" * 4001}, ("description",)),
        ({"legal_line": "x" * 300}, {"legal_line": "x" * 301}, ("legal_line",)),
        ({"colors": [COLOR] * 24}, {"colors": [COLOR] * 25}, ("colors",)),
        ({"fonts": [FONT] * 4}, {"fonts": [FONT] * 5}, ("fonts",)),
        ({"font_files": [FILE] * 12}, {"font_files": [FILE] * 13}, ("font_files",)),
        ({"colors": [{**COLOR, "name": "x" * 80}]}, {"colors": [{**COLOR, "name": "x" * 81}]},
         ("colors", 0, "name")),
        ({"colors": [{"hex": "#000000"}]}, {"colors": [{"hex": "#00000"}]}, ("colors", 0, "hex")),
        ({"colors": [{"hex": "#abcdef"}]}, {"colors": [{"hex": "#abcdeg"}]}, ("colors", 0, "hex")),
        ({"colors": [{"hex": "#abcdef"}]}, {"colors": [{"hex": "#abcdef0"}]}, ("colors", 0, "hex")),
        ({"fonts": [{"family": "x" * 80}]}, {"fonts": [{"family": "x" * 81}]}, ("fonts", 0, "family")),
        ({"fonts": [{"family": "x"}]}, {"fonts": [{"family": " "}]}, ("fonts", 0, "family")),
        ({"font_files": [{**FILE, "weight": 1}]}, {"font_files": [{**FILE, "weight": 0}]},
         ("font_files", 0, "weight")),
        ({"font_files": [{**FILE, "weight": 1000}]}, {"font_files": [{**FILE, "weight": 1001}]},
         ("font_files", 0, "weight")),
        ({"font_files": [{**FILE, "family": "x"}]}, {"font_files": [{**FILE, "family": ""}]},
         ("font_files", 0, "family")),
        ({"font_files": [{**FILE, "asset_id": "x" * 36}]}, {"font_files": [{**FILE, "asset_id": "x" * 37}]},
         ("font_files", 0, "asset_id")),
        ({"logo": {"light": "x" * 36}}, {"logo": {"light": "x" * 37}}, ("logo", "light")),
        ({"logo": {"dark": "x" * 36}}, {"logo": {"dark": "x" * 37}}, ("logo", "dark")),
        ({"logo": {"clear_space": 0}}, {"logo": {"clear_space": -0.01}}, ("logo", "clear_space")),
        ({"logo": {"clear_space": 3}}, {"logo": {"clear_space": 3.01}}, ("logo", "clear_space")),
        ({"logo": {"min_width": 1}}, {"logo": {"min_width": 0}}, ("logo", "min_width")),
        ({"logo": {"min_width": 4000}}, {"logo": {"min_width": 4001}}, ("logo", "min_width")),
        *(
            ({"voice": {name: lines(200)}}, {"voice": {name: lines(201)}}, ("voice", name))
            for name in ("tone", "banned_words", "languages")
        ),
        *(
            ({"voice": {name: lines(30)}}, {"voice": {name: lines(31)}}, ("voice", name))
            for name in ("dos", "donts", "sample_lines")
        ),
        ({"voice": {"tone": ["x" * 80]}}, {"voice": {"tone": ["x" * 81]}}, ("voice", "tone", 0)),
        ({"voice": {"dos": ["x" * 300]}}, {"voice": {"dos": ["x" * 301]}}, ("voice", "dos", 0)),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_brand_is_refused_beyond_its_bounds(
    accepted: dict[str, Any], next_one: dict[str, Any], place: tuple[Any, ...]
) -> None:
    assert refused(accepted) == []
    assert refused(next_one) == [place]


def test_note_of_a_version_has_at_most_500_characters() -> None:
    assert BrandPublish().note == ""
    assert refused({"note": "x" * 500}, BrandPublish) == []
    assert refused({"note": "x" * 501}, BrandPublish) == [("note",)]


def test_address_of_a_website_has_3_to_2000_characters() -> None:
    for url in ("a.b", " a.b ", "x" * 2000):
        assert WebsiteImport(url=url).url == url.strip()
    for url in ("", "ab ", "x" * 2001):
        assert refused({"url": url}, WebsiteImport) == [("url",)]


def test_brand_of_a_name_alone_has_no_other_content() -> None:
    content = BrandContent.model_validate({"name": "Fjell", "colors": [COLOR], "fonts": [FONT],
                                           "font_files": [FILE]})  # fmt: skip
    assert content.model_dump() == {
        "name": "Fjell",
        "description": "",
        "logo": {"light": None, "dark": None, "clear_space": 0.5, "min_width": 96},
        "colors": [{"hex": "#de8b3a", "role": "other", "name": ""}],
        "fonts": [{"family": "Inter", "role": "headline"}],
        "font_files": [{"asset_id": "f1", "family": "Inter", "weight": 400, "italic": False}],
        "voice": {
            "tone": [], "dos": [], "donts": [], "banned_words": [], "sample_lines": [], "languages": [],
        },
        "legal_line": "",
    }  # fmt: skip


def test_texts_of_a_brand_are_tidied() -> None:
    content = BrandContent.model_validate(
        {
            "name": "  Fjell \n Skincare ",
            "colors": [{"hex": " #DE8B3A ", "name": " Warm   amber "}],
            "voice": {
                "tone": ["Calm", "", " calm ", "EXACT", "Exact"],
                "dos": ["Say  what it does.", " "],
            },
            "legal_line": " Fjell\tAS ",
        }
    )
    assert (content.name, content.legal_line) == ("Fjell Skincare", "Fjell AS")
    assert (content.colors[0].hex, content.colors[0].name) == ("#de8b3a", "Warm amber")
    assert (content.voice.tone, content.voice.dos) == (["Calm", "EXACT"], ["Say what it does."])
