"""`/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this server."""

from datetime import timedelta

from fastapi import APIRouter, Response

from impasto_server.container import AppStateDep
from impasto_server.http.errors import NotFound

PATH = "/.well-known/security.txt"
# RFC 9116 recommends less than a year. The file is computed, so a reader of today's copy has this long.
VALID_FOR = timedelta(days=180)
router = APIRouter(include_in_schema=False)


@router.get(PATH)
async def security_txt(app_state: AppStateDep) -> Response:
    """Return the operator's contact. 404 without IMPASTO_SECURITY_CONTACT."""
    settings = app_state.settings
    if not settings.security_contact:
        raise NotFound("page")
    expires = (app_state.clock() + VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: {settings.security_contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.origin}{PATH}",
    )
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response("\n".join(lines) + "\n", media_type="text/plain; charset=utf-8", headers=headers)
