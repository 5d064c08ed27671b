"""What an edit of assets may contain, and what a match may state."""

from typing import Any

import pytest
from pydantic import ValidationError
from tests.server.assets.test_service import row

from impasto_server.assets.schemas import Asset, AssetEdits, MadeBy, Match
from impasto_server.assets.service import metadata

ONE = ["a"]


@pytest.mark.parametrize(
    "body",
    [
        {"asset_ids": ["a"] * 500},
        {"asset_ids": ["a" * 36]},
        {"asset_ids": ONE, "add_tags": [f"{number}" for number in range(20)]},
        {"asset_ids": ONE, "remove_tags": [f"{number}" for number in range(20)]},
        {"asset_ids": ONE, "add_tags": ["x" * 40], "remove_tags": ["x" * 40]},
    ],
)
def test_largest_edit_is_accepted(body: dict[str, Any]) -> None:
    assert AssetEdits.model_validate(body).model_dump(exclude_unset=True) == body


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"asset_ids": []}, ("asset_ids",)),
        ({"asset_ids": ["a"] * 501}, ("asset_ids",)),
        ({"asset_ids": ["a" * 37]}, ("asset_ids", 0)),
        ({"asset_ids": ONE, "add_tags": [f"{number}" for number in range(21)]}, ("add_tags",)),
        ({"asset_ids": ONE, "remove_tags": [f"{number}" for number in range(21)]}, ("remove_tags",)),
        ({"asset_ids": ONE, "add_tags": ["x" * 41]}, ("add_tags", 0)),
        ({"asset_ids": ONE, "remove_tags": ["x" * 41]}, ("remove_tags", 0)),
        ({"asset_ids": ONE, "add_tags": [" \t"]}, ("add_tags", 0)),
        ({"asset_ids": ONE, "add_tags": [7]}, ("add_tags", 0)),
        ({"asset_ids": ONE, "name": "x"}, ("name",)),
    ],
)
def test_edit_beyond_a_limit_is_refused(body: dict[str, Any], where: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError) as raised:
        AssetEdits.model_validate(body)
    assert [error["loc"] for error in raised.value.errors()] == [where]


def test_tags_have_single_spaces() -> None:
    edits = AssetEdits.model_validate({"asset_ids": ONE, "add_tags": [" spring \n sale "]})
    assert edits.model_dump() == {
        "asset_ids": ONE, "favourite": None, "add_tags": ["spring sale"], "remove_tags": [],
    }  # fmt: skip


def test_certainty_of_a_match_is_a_half_to_one() -> None:
    asset = Asset(**metadata(row()), url="", thumbnail_url=None)
    assert [Match(asset=asset, certainty=each).certainty for each in (0.5, 1)] == [0.5, 1]
    for certainty in (0.499, 1.001):
        with pytest.raises(ValidationError):
            Match(asset=asset, certainty=certainty)


@pytest.mark.parametrize(
    ("reported", "kept"),
    [
        ({"seed": 0}, MadeBy(seed=0)),
        ({"seed": True, "provider": 7, "settings": "x", "prompt": ""}, MadeBy(prompt="")),
        ({"model": "m", "settings": {"n": 1}}, MadeBy(model="m", settings={"n": 1})),
        ({}, None),
        (None, None),
        ([("seed", 7)], None),
    ],
    ids=["seed", "wrong types", "whole", "empty", "nothing", "list"],
)
def test_valid_fields_of_a_report_are_kept(reported: Any, kept: MadeBy | None) -> None:
    assert MadeBy.from_untrusted(reported) == kept
