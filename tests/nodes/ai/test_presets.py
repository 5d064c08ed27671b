"""Presets of data: their schemas, their meaning, and how an answer is shown as text."""

import jsonschema_rs
import pytest

from impasto_nodes.ai.presets import NAMES, PRESETS, as_text, meaning_of, schema_for
from impasto_nodes.providers.litellm.text import is_closed


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_strict_schema(name: str) -> None:
    jsonschema_rs.Draft202012Validator(PRESETS[name])
    assert is_closed(PRESETS[name])


def test_each_preset_has_a_schema() -> None:
    assert schema_for("none", None) is None
    assert schema_for("custom", {"type": "array"}) == {"type": "array"}
    assert schema_for("custom", None) == {"type": "object"}
    assert all(schema_for(name, None) for name in NAMES if name != "none")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"headline": "Cold", "body": "Warm."}, "Cold\n\nWarm."),
        ({"caption": "Sip.", "hashtags": ["#a", "#b"]}, "Sip.\n\n#a #b"),
        (["One", "Two"], "One\nTwo"),
        ("plain", "plain"),
        ({"n": 3}, "3"),
        (3, "3"),
        (2.5, "2.5"),
        (True, "True"),
        ([], ""),
        (["#a", "b"], "#a\nb"),
        (["#a", "#b"], "#a #b"),
        ({"a": [], "b": 1}, "\n\n1"),
        ([{"a": "é"}], '[\n  {\n    "a": "é"\n  }\n]'),
        ({"a": ["x", 1]}, '{\n  "a": [\n    "x",\n    1\n  ]\n}'),
        (None, "null"),
        ({"shots": [{"scene": "x"}]}, '{\n  "shots": [\n    {\n      "scene": "x"\n    }\n  ]\n}'),
    ],
)
def test_data_is_converted_to_text(data: object, text: str) -> None:
    assert as_text(data) == text


def test_an_own_shape_has_no_meaning() -> None:
    assert meaning_of({"output_schema_preset": "custom"}) is None
    assert meaning_of({}) is None
    assert meaning_of({"output_schema_preset": "social_post"}) == "post"


def test_an_open_object_anywhere_is_not_strict() -> None:
    assert not is_closed({"type": "object", "properties": {"a": {"type": "string"}}})
    assert not is_closed({"type": "array", "items": {"type": "object", "properties": {}}})
