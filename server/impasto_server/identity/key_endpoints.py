"""Where anybody finds the keys that our tokens are signed with."""

from fastapi import APIRouter, Response

from impasto_server.container import WithParts
from impasto_server.identity.schemas import JsonWebKeySet

router = APIRouter(tags=["identity"])


@router.get("/.well-known/jwks.json")
async def jwks(parts: WithParts, response: Response) -> JsonWebKeySet:
    """Answer the public signing keys, two at a time so that they can be rotated."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return JsonWebKeySet(**parts.signing_keys.public())
