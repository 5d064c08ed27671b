"""The calls about the current user."""

from fastapi import APIRouter, Response, UploadFile
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.security.auth import CurrentUser, SignedInUser
from impasto_server.users import account_deletion, avatars, export, service
from impasto_server.users.schemas import DeleteMe, UserInfo, UserMe

router = APIRouter(prefix="/users", tags=["users"])


@router.get("/me")
async def me(user: CurrentUser, app_state: AppStateDep, session: SessionDep) -> UserMe:
    """Answer who is signed in."""
    return await service.describe(app_state, session, user)


@router.put("/me/info")
async def put_info(body: UserInfo, user: SignedInUser, app_state: AppStateDep, session: SessionDep) -> UserMe:
    """Keep what a person tells about themselves."""
    return await service.describe(app_state, session, await service.keep_info(session, user.id, body))


@router.post("/me/avatar")
async def post_avatar(file: UploadFile, user: SignedInUser, app_state: AppStateDep) -> UserMe:
    """Take a PNG, JPEG or WebP as one's picture."""
    changed = await avatars.change(app_state, user, file)
    async with app_state.database.reading() as session:
        return await service.describe(app_state, session, changed)


@router.get("/avatars/{avatar_key}", include_in_schema=False)
async def avatar(avatar_key: str, app_state: AppStateDep) -> Response:
    """Answer a picture to whoever was given its address."""
    data = await avatars.read(app_state, avatar_key)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(data, media_type=avatars.MEDIA_TYPE, headers=headers)


@router.get("/me/export", response_class=FileResponse)
async def export_(user: SignedInUser, app_state: AppStateDep) -> FileResponse:
    """Answer all one's data as a zip."""
    path = await export.write_export(app_state, user)
    return FileResponse(
        path,
        media_type="application/zip",
        filename="impasto-export.zip",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


@router.delete("/me", status_code=204)
async def delete_me(body: DeleteMe, user: SignedInUser, app_state: AppStateDep) -> None:
    """Delete one's account and everything in it, after the password is given again."""
    await account_deletion.delete(app_state, user, body.password)
