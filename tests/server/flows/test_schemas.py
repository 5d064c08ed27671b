"""What the bodies of new and changed agents may hold, each at its bound."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from impasto_server.flows.schemas import FlowCreate, FlowPatch, PublishRequest


def refused(model: type[BaseModel], given: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the places of the values that a body is refused for."""
    try:
        model.model_validate(given)
    except ValidationError as error:
        return [item["loc"] for item in error.errors()]
    return []


def test_new_agent_is_private_empty_and_unmarked_by_default() -> None:
    assert FlowCreate(name="Kit").model_dump() == {
        "name": "Kit", "description": "", "category": "uncategorized", "visibility": "private",
        "watermark": False, "mark_exports": False, "flow": None, "from_template": None,
    }  # fmt: skip
    assert FlowPatch().model_dump(exclude_none=True) == {}
    assert PublishRequest().note == ""


@pytest.mark.parametrize("model", [FlowCreate, FlowPatch])
def test_name_and_description_of_an_agent_have_bounds(model: type[BaseModel]) -> None:
    for name, is_accepted in (
        ("x", True),
        ("x" * 120, True),
        ("x" * 121, False),
        ("", False),
        (" \0", False),
    ):
        assert refused(model, {"name": name}) == ([] if is_accepted else [("name",)])
    for length, is_accepted in ((0, True), (2000, True), (2001, False)):
        found = refused(model, {"name": "Kit", "description": "x" * length})
        assert found == ([] if is_accepted else [("description",)])


def test_note_of_a_version_has_at_most_500_characters() -> None:
    assert refused(PublishRequest, {"note": "x" * 500}) == []
    assert refused(PublishRequest, {"note": "x" * 501}) == [("note",)]
