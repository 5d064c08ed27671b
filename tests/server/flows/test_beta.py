"""The names of the agents that a copy or an exported document comes from."""

from typing import Any

import pytest

from impasto_server.flows.beta import origins_after_copy, origins_in
from impasto_server.flows.models import FlowRow


@pytest.mark.parametrize(
    ("listed", "origins"),
    [
        (["a", "b", "a"], ["a", "b"]),
        (["", "x" * 120, "y" * 121, 7, None, ["a"]], ["x" * 120]),
        ([f"a{number}" for number in range(51)], [f"a{number}" for number in range(1, 51)]),
        ("a", []),
        (None, []),
        ({"a": 1}, []),
    ],
    ids=["once each", "names of 120 characters", "the last 50", "text", "nothing", "object"],
)
def test_document_names_its_origins(listed: Any, origins: list[str]) -> None:
    assert origins_in({"copied_from": listed}) == origins
    assert origins_in({}) == []


@pytest.mark.parametrize(
    ("row", "origins"),
    [
        (FlowRow(id="f1"), ["f1"]),
        (FlowRow(id="f1", copied_from=["a", "f1"]), ["a", "f1"]),
        (FlowRow(id="f1", built_in="posters", copied_from=["a"]), ["a", "posters"]),
        (
            FlowRow(id="f1", copied_from=[f"a{n}" for n in range(50)]),
            [*(f"a{n}" for n in range(1, 50)), "f1"],
        ),
    ],
    ids=["first copy", "copy of a copy", "built in", "the last 50"],
)
def test_copy_comes_from_an_agent_and_from_what_that_was_copied_from(
    row: FlowRow, origins: list[str]
) -> None:
    assert origins_after_copy(row) == origins
