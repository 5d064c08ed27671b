"""References to assets inside JSON values: `{"$type": "Image", "asset_id": …}` at any depth."""

from collections.abc import Iterator
from typing import Any

MEDIA = ("Image", "Video", "Audio", "File")


def references_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every reference in a value, depth first."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            if item.get("$type") in MEDIA and "asset_id" in item:
                yield item
            else:
                pending.extend(reversed(item.values()))
        elif isinstance(item, list):
            pending.extend(reversed(item))


def asset_ids_in(value: Any) -> list[str]:
    """Return the ids of the assets that a value refers to, without duplicates, in order."""
    return list(dict.fromkeys(str(item["asset_id"]) for item in references_in(value)))
