"""Assets as media references of the engine, and such references at any depth of JSON values."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import AssetRow
from impasto_server.assets.repository import find_many

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


def mask_images_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every reference that is the image of a mask."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            image = item.get("image")
            if item.get("$type") == "Mask" and isinstance(image, dict):
                yield image
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)


def asset_ids_in(value: Any) -> list[str]:
    """Return the ids of the assets that a value refers to, without duplicates, in order."""
    return list(dict.fromkeys(str(item["asset_id"]) for item in references_in(value)))


async def references(
    session: AsyncSession, user_id: str, asset_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the user's assets as media references of the engine, by id. Unknown ids are left out."""
    rows = await find_many(session, user_id, asset_ids) if asset_ids else ()
    return {row.id: reference(row) for row in rows}


def reference(row: AssetRow) -> dict[str, Any]:
    """Return an asset as a media reference of the engine."""
    tag = {"image": "Image", "video": "Video", "audio": "Audio"}.get(row.kind, "File")
    media = {
        "$type": tag,
        "asset_id": row.id,
        "media_type": row.media_type,
        "bytes": row.bytes,
        "sha256": row.sha256,
        "name": row.name,
    }
    if tag in ("Image", "Video"):
        media |= {"width": row.width, "height": row.height}
    if tag in ("Video", "Audio"):
        media["seconds"] = row.seconds
    return media
