"""Brands in the zip of an agent: which of them an importer gets, and which have to be created."""

from types import SimpleNamespace
from typing import Any

import pytest

from impasto.document.archive import ArchivedBrand
from impasto_server.brands.schemas import BrandContent, BrandLogo
from impasto_server.flows.archived_brands import ArchivedBrands, apply, content_of, with_own_logos
from impasto_server.flows.errors import DocumentInvalid

pytestmark = pytest.mark.anyio


def archived(content: Any) -> ArchivedBrand:
    return SimpleNamespace(id="b1", content=content)  # type: ignore[return-value]


def test_reference_stands_for_an_own_brand_with_the_same_content_or_for_a_new_one() -> None:
    fjell, fjord = BrandContent(name="Fjell"), BrandContent(name="Fjord")
    brands = ArchivedBrands()
    for reference, content in (("a", fjell), ("b@3", fjell), ("c", fjord), ("d@7", fjord), ("e", fjord)):
        brands.add(reference, content, {"own": fjell})
    found = brands.references
    new = found["c"]
    assert found == {"a": "own", "b@3": "own", "c": new, "d@7": f"{new}@1", "e": new}
    assert new not in ("own", "c")
    document = {"x": [{"$type": "Brand", "saved": "d@7"}, {"$type": "Brand", "saved": "other"}]}
    apply(document, found)
    assert document == {"x": [{"$type": "Brand", "saved": f"{new}@1"}, {"$type": "Brand", "saved": "other"}]}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"name": ""}, "name"),
        ({"name": "F", "colors": [{"hex": 1}]}, "colors.0.hex"),
        ([], "content"),
        ({"name": "F", "x" * 101: 1}, "x" * 100),
    ],
)
def test_brand_that_is_not_valid_is_refused_with_its_place(content: Any, place: str) -> None:
    with pytest.raises(DocumentInvalid, match=f"^A brand in this zip is not valid: {place}.$"):
        content_of(archived(content))


async def test_logos_are_the_images_that_the_zip_has() -> None:
    async def take(asset_id: str) -> Any:
        kinds = {"image": "image", "font": "file"}
        return SimpleNamespace(id=f"own {asset_id}", kind=kinds[asset_id]) if asset_id in kinds else None

    found = {}
    for light, dark in (("image", "gone"), ("font", "image"), (None, None)):
        content = BrandContent(name="Fjell", logo=BrandLogo(light=light, dark=dark, clear_space=2))
        logo = (await with_own_logos(content, take)).logo
        found[light, dark] = (logo.light, logo.dark, logo.clear_space)
    assert found == {
        ("image", "gone"): ("own image", None, 2),
        ("font", "image"): (None, "own image", 2),
        (None, None): (None, None, 2),
    }
