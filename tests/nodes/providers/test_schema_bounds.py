import jsonschema_rs

from impasto_nodes.providers.local.text_generation.schema_bounds import bounded


def test_strings_lists_and_objects_get_a_maximum_size() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}
    found = bounded(schema)
    assert found["properties"]["a"]["maxLength"] > 0
    assert found["properties"]["b"]["maxItems"] > 0
    assert found["properties"]["b"]["items"]["maxLength"] > 0
    assert found["additionalProperties"] is False
    assert found["required"] == ["a", "b"]
    assert schema == {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}


def test_existing_bounds_are_kept() -> None:
    schema = {"type": "string", "enum": ["a", "b"]}
    assert bounded(schema, plain=True) == schema
    assert bounded({"type": "string", "pattern": "^#x$", "maxLength": 5})["maxLength"] == 5


def test_plain_strings_contain_no_urls() -> None:
    schema = bounded({"type": "string", "minLength": 4, "maxLength": 40}, plain=True)
    assert jsonschema_rs.is_valid(schema, "A glass of mint tea, at dusk")
    for wrong in ("https://example.com/a/b", "abc", "A" * 60):
        assert not jsonschema_rs.is_valid(schema, wrong)


def test_definitions_and_branches_are_bounded() -> None:
    schema = {
        "$defs": {"x": {"type": "string"}},
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/x"}}],
    }
    found = bounded(schema)
    assert "maxLength" in found["$defs"]["x"]
    assert "maxItems" in found["anyOf"][0]
