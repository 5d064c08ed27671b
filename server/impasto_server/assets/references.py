"""References to assets inside JSON values: `{"$type": "Image", "asset_id": …}` at any depth."""

from collections.abc import Iterator
from typing import Any

MEDIA = ("Image", "Video", "Audio", "File")


def references_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every reference in a value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if item.get("$type") in MEDIA and "asset_id" in item:
                yield item
            else:
                waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def asset_ids_in(value: Any) -> list[str]:
    """Return the id of every asset that a value refers to, each once, in order."""
    return list(dict.fromkeys(str(item["asset_id"]) for item in references_in(value)))
