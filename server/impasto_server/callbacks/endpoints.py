"""The webhook endpoint for providers. It is not part of the OpenAPI document."""

from fastapi import APIRouter, Request, Response

from impasto_server.callbacks import service
from impasto_server.container import AppStateDep

router = APIRouter(prefix="/callbacks", tags=["callbacks"], include_in_schema=False)


@router.post("/{token}", status_code=204)
async def call(token: str, request: Request, app_state: AppStateDep) -> Response:
    """Wake the step that the URL was made for."""
    service.handle_call(app_state, token, request.headers, await request.body())
    return Response(status_code=204)
