"""Rows of assets, as small as the database takes them."""

from typing import Any

from impasto_server.assets.models import AssetRow


def asset_row(asset_id: str, owner_id: str, **about: Any) -> AssetRow:
    """Return the row of an uploaded image without a file, with the values of `about` instead of the usual."""
    usual = {
        "kind": "image", "media_type": "image/png", "name": f"{asset_id}.png", "bytes": 1,
        "sha256": "0" * 64, "object_key": "a", "source": "upload",
    }  # fmt: skip
    return AssetRow(id=asset_id, owner_id=owner_id, **{**usual, **about})
