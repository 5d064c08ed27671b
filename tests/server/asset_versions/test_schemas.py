"""What the request of a new version may contain."""

from typing import Any

import pytest
from pydantic import ValidationError

from impasto_server.asset_versions.schemas import LayoutChange, VersionRequest

CROP = {"x": 0, "y": 0, "width": 16, "height": 16}
LARGEST = {"x": 100_000, "y": 100_000, "width": 100_000, "height": 100_000}
TEXTS = {f"{number}": "a" for number in range(21)}
IMAGES = {f"{number}": "a" for number in range(6)}


@pytest.mark.parametrize(
    "body",
    [
        {"crop": CROP},
        {"crop": LARGEST},
        {"restore": "a" * 36},
        {"layout": {}},
        {"layout": {"texts": {"f" * 1000: "x" * 500}, "images": {"f" * 1000: "a" * 36}}},
        {"layout": {"texts": dict(list(TEXTS.items())[:20]), "images": dict(list(IMAGES.items())[:5])}},
    ],
    ids=["smallest crop", "largest crop", "restore", "no change", "longest", "most"],
)
def test_one_change_within_its_limits_is_accepted(body: dict[str, Any]) -> None:
    assert VersionRequest.model_validate(body).model_dump(exclude_unset=True) == body


@pytest.mark.parametrize(
    ("body", "where"),
    [
        *(({"crop": {**CROP, name: -1}}, ("crop", name)) for name in ("x", "y")),
        *(({"crop": {**CROP, name: 15}}, ("crop", name)) for name in ("width", "height")),
        *(({"crop": {**CROP, name: 100_001}}, ("crop", name)) for name in CROP),
        ({"restore": "a" * 37}, ("restore",)),
        ({"layout": {"aspect_ratio": "2:1"}}, ("layout", "aspect_ratio")),
        ({"layout": {"texts": TEXTS}}, ("layout", "texts")),
        ({"layout": {"texts": {"f" * 1001: "x"}}}, ("layout", "texts", "f" * 1001, "[key]")),
        ({"layout": {"texts": {"f": "x" * 501}}}, ("layout", "texts", "f")),
        ({"layout": {"images": IMAGES}}, ("layout", "images")),
        ({"layout": {"images": {"f" * 1001: "x"}}}, ("layout", "images", "f" * 1001, "[key]")),
        ({"layout": {"images": {"f": "a" * 37}}}, ("layout", "images", "f")),
        ({}, ()),
        ({"crop": CROP, "restore": "a"}, ()),
        ({"crop": CROP, "restore": "a", "layout": {}}, ()),
    ],
)
def test_change_beyond_a_limit_is_refused(body: dict[str, Any], where: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as raised:
        VersionRequest.model_validate(body)
    assert [error["loc"] for error in raised.value.errors()] == [where]


def test_layout_is_unchanged_by_default() -> None:
    assert LayoutChange().model_dump() == {"aspect_ratio": None, "texts": {}, "images": {}}
