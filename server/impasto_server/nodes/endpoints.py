"""HTTP endpoints of the node catalog."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from impasto_server.container import AppStateDep
from impasto_server.http.content_encoding import accepted_encodings
from impasto_server.nodes import service
from impasto_server.nodes.schemas import Catalogue, OptionPage
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/nodes", tags=["nodes"])


@router.get("/", response_model=Catalogue, responses={304: {"description": "The catalog has not changed"}})
async def catalogue(
    app_state: AppStateDep,
    user: CurrentUser,
    request: Request,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Return the node types, the conversions between value types, and the plugins that failed to load."""
    serialized = service.serialize_catalog(app_state.catalog)
    headers = {"ETag": serialized.etag, "Cache-Control": "private, no-cache", "Vary": "Accept-Encoding"}
    if if_none_match and serialized.etag in if_none_match:
        return Response(status_code=304, headers=headers)
    if "gzip" not in accepted_encodings(request.headers.get("accept-encoding")):
        return Response(serialized.body, media_type="application/json", headers=headers)
    # The bytes differ from those that the strong ETag names.
    headers |= {"ETag": f"W/{serialized.etag}", "Content-Encoding": "gzip"}
    return Response(serialized.gzipped, media_type="application/json", headers=headers)


@router.get("/{type_id}/options/{setting}")
async def options(
    type_id: str,
    setting: str,
    app_state: AppStateDep,
    user: CurrentUser,
    q: Annotated[str, Query(max_length=200, description="Search text")] = "",
) -> OptionPage:
    """Return the options of a dynamic setting, such as voices or models."""
    return await service.options(app_state, user, type_id, setting, q)
