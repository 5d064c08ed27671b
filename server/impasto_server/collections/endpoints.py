"""HTTP endpoints of collections. The assets of one are listed by `GET /assets/library?collection_id=`."""

from fastapi import APIRouter

from impasto_server.collections import service
from impasto_server.collections.schemas import (
    Collection,
    CollectionCreate,
    CollectionPage,
    CollectionUpdate,
)
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.pagination import Paging
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/collections", tags=["collections"])


@router.get("/")
async def list_own(session: SessionDep, user: CurrentUser, paging: Paging) -> CollectionPage:
    """List your collections, newest first."""
    return await service.list_own(session, user, paging)


@router.post("/", status_code=201)
async def create(
    body: CollectionCreate, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> Collection:
    """Create a collection. 409 `collection_exists` if you have one with this name."""
    return await service.create(session, app_state, user, body)


@router.get("/{collection_id}")
async def get(collection_id: str, session: SessionDep, user: CurrentUser) -> Collection:
    """Return a collection."""
    return await service.get(session, user, collection_id)


@router.patch("/{collection_id}")
async def update(
    collection_id: str,
    body: CollectionUpdate,
    session: SessionDep,
    app_state: AppStateDep,
    user: CurrentUser,
) -> Collection:
    """Rename a collection, put assets into it and take others out of it. 409 `collection_full`."""
    return await service.update(session, app_state, user, collection_id, body)


@router.delete("/{collection_id}", status_code=204)
async def delete(collection_id: str, session: SessionDep, user: CurrentUser) -> None:
    """Delete a collection. Its assets stay in the library."""
    await service.delete(session, user, collection_id)
