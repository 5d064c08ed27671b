"""Request and response bodies of collections."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from impasto_server.assets.schemas import AssetIds
from impasto_server.http.schemas import Page, PlainText, RequestModel, ResponseModel


def _stripped(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


CollectionName = Annotated[
    PlainText, BeforeValidator(_stripped), Field(min_length=1, max_length=80, pattern=r"[^\s\x00]")
]


class CollectionCreate(RequestModel):
    """A new collection, with the assets that it starts with."""

    name: CollectionName
    asset_ids: AssetIds = Field(default_factory=list)


class CollectionUpdate(RequestModel):
    """Changes of a collection. What is left out stays as it is."""

    name: CollectionName | None = None
    add_asset_ids: AssetIds = Field(default_factory=list)
    remove_asset_ids: AssetIds = Field(default_factory=list)


class Collection(ResponseModel):
    """A collection and the number of assets in it. Its assets are a page of the library."""

    id: str
    name: str
    assets: int
    created_at: datetime
    updated_at: datetime


class CollectionPage(Page[Collection]):
    """A page of collections, newest first."""
