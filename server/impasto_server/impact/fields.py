"""The fields that differ between two versions of a saved brand, as nodes read them."""

from dataclasses import fields
from typing import Any

from impasto import Brand
from impasto.encoding import from_json
from impasto_server.brands.presenter import logo_ids
from impasto_server.brands.references import value_of
from impasto_server.brands.schemas import BrandContent

_PROPERTIES = tuple(name for name, each in vars(Brand).items() if isinstance(each, property))
_NAMES = (*(field.name for field in fields(Brand)), *_PROPERTIES)


def changed_fields(before: BrandContent, after: BrandContent) -> list[str]:
    """Return the fields and properties whose values differ, and "*" for the whole if any does."""
    old, new = _brand(before), _brand(after)
    found = [name for name in _NAMES if getattr(old, name) != getattr(new, name)]
    return [*found, "*"] if found else []


def _brand(content: BrandContent) -> Any:
    logos = {asset_id: {"$type": "Image", "asset_id": asset_id} for asset_id in logo_ids(content)}
    fonts = {file.asset_id: {"$type": "File", "asset_id": file.asset_id} for file in content.font_files}
    return from_json(value_of("", content, logos | fonts))
