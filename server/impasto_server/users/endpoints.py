"""HTTP endpoints of the current user."""

from functools import partial

from fastapi import APIRouter, Response, UploadFile
from fastapi.responses import StreamingResponse

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.streaming import HoldingResponse
from impasto_server.identity.sessions.devices import CurrentDevice
from impasto_server.security.auth import CurrentUser, SignedInUser
from impasto_server.users import account_deletion, avatars, export, service
from impasto_server.users.schemas import CredentialsName, DeleteMe, UserInfo, UserMe

router = APIRouter(prefix="/users", tags=["users"])


@router.get("/me")
async def me(user: CurrentUser, app_state: AppStateDep, session: SessionDep) -> UserMe:
    """Return the signed-in user."""
    return await service.describe(app_state, session, user)


@router.put("/me/info")
async def put_info(body: UserInfo, user: SignedInUser, app_state: AppStateDep, session: SessionDep) -> UserMe:
    """Store the answers of the onboarding."""
    return await service.describe(app_state, session, await service.update_info(session, user.id, body))


@router.put("/me/credentials-name")
async def put_credentials_name(
    body: CredentialsName, user: SignedInUser, app_state: AppStateDep, session: SessionDep
) -> UserMe:
    """Set the name that the content credentials of your files give from now on; null for none."""
    changed = await service.set_credentials_name(session, user.id, body.name)
    return await service.describe(app_state, session, changed)


@router.post("/me/avatar")
async def post_avatar(file: UploadFile, user: SignedInUser, app_state: AppStateDep) -> UserMe:
    """Set the avatar: PNG, JPEG or WebP."""
    changed = await avatars.replace(app_state, user, file)
    async with app_state.database.reading() as session:
        return await service.describe(app_state, session, changed)


@router.get("/avatars/{avatar_key}", include_in_schema=False)
async def avatar(avatar_key: str, app_state: AppStateDep) -> Response:
    """Return an avatar by its unguessable URL."""
    data = await avatars.read(app_state, avatar_key)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, media_type=avatars.MEDIA_TYPE, headers=headers)


@router.get(
    "/me/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def export_(user: SignedInUser, app_state: AppStateDep) -> StreamingResponse:
    """Return all data of the user as a zip file. 429 `exports_limit` while another export is in progress."""
    slot_id = await app_state.slots.take(user, "exports")
    return HoldingResponse(
        export.stream_export(app_state, user),
        partial(app_state.slots.release, slot_id),
        media_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="impasto-export.zip"'},
    )


@router.delete("/me", status_code=204)
async def delete_me(
    body: DeleteMe, user: SignedInUser, app_state: AppStateDep, device: CurrentDevice
) -> None:
    """Delete the account with all its data, after checking the password."""
    await account_deletion.delete(app_state, user, body.password, device)
