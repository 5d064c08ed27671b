"""Where providers call when their work is done. Not in the API's description: no person calls it."""

from fastapi import APIRouter, Request, Response

from impasto_server.callbacks import service
from impasto_server.container import AppStateDep

router = APIRouter(prefix="/callbacks", tags=["callbacks"], include_in_schema=False)


@router.post("/{token}", status_code=204)
async def call(token: str, request: Request, app_state: AppStateDep) -> Response:
    """Subscription the step that waits behind this address."""
    service.handle_call(app_state, token, request.headers, await request.body())
    return Response(status_code=204)
