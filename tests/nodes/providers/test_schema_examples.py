from impasto_nodes.providers.litellm.schema_examples import describe_examples
from impasto_nodes.providers.litellm.text import options_for
from impasto_nodes.providers.protocols import TextRequest


def test_examples_become_part_of_the_description_at_every_depth():
    schema = {
        "type": "object",
        "properties": {
            "price": {"type": "number", "description": "In euros.", "examples": [4.5, 9]},
            "tags": {"type": "array", "items": {"type": "string", "examples": ["new"]}},
            "size": {"anyOf": [{"type": "integer", "examples": [3]}, {"type": "null"}]},
            "examples": {"type": "string"},
        },
        "required": ["price", "tags", "size", "examples"],
        "additionalProperties": False,
    }
    assert describe_examples(schema)["properties"] == {
        "price": {"type": "number", "description": "In euros. For example: 4.5, 9."},
        "tags": {"type": "array", "items": {"type": "string", "description": "For example: new."}},
        "size": {"anyOf": [{"type": "integer", "description": "For example: 3."}, {"type": "null"}]},
        "examples": {"type": "string"},
    }
    assert schema["properties"]["price"]["examples"] == [4.5, 9]
    sent = options_for(
        TextRequest(
            model="m", prompt="p", system="", images=[], schema=schema, temperature=None, max_tokens=None
        )
    )["response_format"]
    assert sent["json_schema"]["strict"] is True
    assert sent["json_schema"]["schema"] == describe_examples(schema)
