"""References to assets at any depth of JSON values."""

from typing import Any

import pytest

from impasto_server.assets.models import AssetRow
from impasto_server.assets.references import asset_ids_in, mask_images_in, reference


def image(asset_id: str, **more: Any) -> dict[str, Any]:
    return {"$type": "Image", "asset_id": asset_id, **more}


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (image("a"), ["a"]),
        ([image("a"), {"x": [image("b"), image("a")], "y": image("c")}], ["a", "b", "c"]),
        ({"$type": "File", "asset_id": "a", "x": image("b")}, ["a"]),
        ({"$type": "Text", "asset_id": "a"}, []),
        ({"$type": "Image"}, []),
        ("a", []),
    ],
)
def test_references_are_found_in_order_and_once(value: Any, ids: list[str]) -> None:
    assert asset_ids_in(value) == ids


def test_images_of_masks_are_found_inside_of_each_other() -> None:
    mask = {"$type": "Mask", "image": image("a")}
    assert list(mask_images_in([{"x": mask}, {"$type": "Mask", "image": None}, image("b")])) == [image("a")]
    assert list(mask_images_in({"$type": "Other", "image": {"$type": "Mask", "image": image("c")}})) == [
        image("c")
    ]


@pytest.mark.parametrize(
    ("kind", "tag", "names"),
    [
        ("image", "Image", {"width", "height"}),
        ("video", "Video", {"width", "height", "seconds"}),
        ("audio", "Audio", {"seconds"}),
        ("file", "File", set()),
    ],
)
def test_reference_has_what_its_kind_has(kind: str, tag: str, names: set[str]) -> None:
    sizes = {"width": 1, "height": 2, "seconds": 3.5}
    row = AssetRow(id="a", kind=kind, media_type="x/y", bytes=7, sha256="s", name="n", **sizes)
    assert reference(row) == {
        "$type": tag,
        "asset_id": "a",
        "media_type": "x/y",
        "bytes": 7,
        "sha256": "s",
        "name": "n",
        **{name: sizes[name] for name in names},
    }
