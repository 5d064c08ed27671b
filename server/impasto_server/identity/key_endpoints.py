"""Where anybody finds the keys that our tokens are signed with."""

from fastapi import APIRouter, Response

from impasto_server.container import AppStateDep
from impasto_server.identity.schemas import JsonWebKeySet

router = APIRouter(tags=["identity"])


@router.get("/.well-known/jwks.json")
async def jwks(app_state: AppStateDep, response: Response) -> JsonWebKeySet:
    """Answer the public signing keys, two at a time so that they can be rotated."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return JsonWebKeySet(**app_state.signing_keys.public())
