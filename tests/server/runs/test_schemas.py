"""What the bodies of launches and comparisons may hold, each at its bound."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from impasto_server.runs.schemas import ComparisonEstimateRequest, ComparisonRequest, RunRequest


def refused(model: type[BaseModel], given: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the places of the values that a body is refused for."""
    try:
        model.model_validate(given)
    except ValidationError as error:
        return [item["loc"] for item in error.errors()]
    return []


def test_launch_asks_for_nothing_but_the_newest_version_by_default() -> None:
    assert RunRequest().model_dump() == {
        "inputs": {}, "version": None, "targets": None, "fresh": None, "reuse": "pure", "again_of": None,
        "budget_usd": None, "allow_unpriced": False,
    }  # fmt: skip
    compared = {"node": "shout", "variants": [{"settings": {}}]}
    assert ComparisonRequest.model_validate(compared).model_dump() == {
        **compared, "inputs": {}, "budget_usd": None, "allow_unpriced": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("field", "largest", "next_one"),
    [
        ("targets", ["x" * 200] * 5000, ["x"] * 5001),
        ("fresh", ["x"] * 5000, ["x"] * 5001),
        ("targets", ["x" * 200], ["x" * 201]),
        ("fresh", ["x" * 200], ["x" * 201]),
        ("again_of", "x" * 36, "x" * 37),
        ("version", 1, 0),
    ],
    ids=["targets", "fresh", "id_of_target", "id_of_fresh", "again_of", "version"],
)
def test_launch_is_refused_beyond_its_bounds(field: str, largest: Any, next_one: Any) -> None:
    assert refused(RunRequest, {field: largest}) == []
    assert [place[0] for place in refused(RunRequest, {field: next_one})][:1] == [field]


@pytest.mark.parametrize(
    ("budget", "is_accepted"),
    [
        ("0", True), ("0.000001", True), ("1.50", True), ("999999", True), ("999999.00", True),
        ("0" * 20, True), ("0" * 21, False), ("999999.01", False), ("-0.01", False), ("x", False),
        ("", False), ("NaN", False), ("Infinity", False), (1.5, False),
    ],
)  # fmt: skip
def test_budget_is_a_decimal_number_of_at_most_999999_dollars(budget: Any, is_accepted: bool) -> None:
    expected = [] if is_accepted else [("budget_usd",)]
    assert refused(RunRequest, {"budget_usd": budget}) == expected
    compared = {"node": "shout", "variants": [{"settings": {}}], "budget_usd": budget}
    assert refused(ComparisonRequest, compared) == expected


def test_refused_budget_is_refused_with_its_reason() -> None:
    for budget, reason in (
        ("x", "must be a decimal number, such as '1.50'"),
        ("-1", "must not be negative"),
        ("Infinity", "must not be negative"),
        ("1000000", "must be at most 999999"),
    ):
        with pytest.raises(ValidationError, match=f"Value error, {reason}"):
            RunRequest(budget_usd=budget)


@pytest.mark.parametrize("model", [ComparisonEstimateRequest, ComparisonRequest])
def test_comparison_has_one_to_five_variants_of_a_node(model: type[BaseModel]) -> None:
    variant = {"settings": {}}
    for variants, is_accepted in ((0, False), (1, True), (5, True), (6, False)):
        found = refused(model, {"node": "x" * 200, "variants": [variant] * variants})
        assert found == ([] if is_accepted else [("variants",)])
    assert refused(model, {"node": "x" * 201, "variants": [variant]}) == [("node",)]
    assert refused(model, {}) == [("node",), ("variants",)]
