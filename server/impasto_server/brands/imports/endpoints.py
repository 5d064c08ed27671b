"""HTTP endpoints that read brands from elsewhere, and export them."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import StreamingResponse

from impasto_server.brands import fonts
from impasto_server.brands.imports import exports
from impasto_server.brands.imports.schemas import BrandImport, WebsiteImport
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/brands", tags=["brands"])

Files = Annotated[
    list[UploadFile], File(description="One PDF, one exported brand, or up to 12 images, of 50 MiB each")
]


@router.post("/import/website")
async def read_website(body: WebsiteImport, app_state: AppStateDep, user: CurrentUser) -> BrandImport:
    """Read name, colours, fonts, logos and language of a website, and propose them. Nothing is saved."""
    return await app_state.brand_importer.read_website(user.id, body.url)


@router.post("/import/files")
async def read_files(files: Files, app_state: AppStateDep, user: CurrentUser) -> BrandImport:
    """Read a PDF guideline, images or an exported brand, and propose what they contain. Nothing is saved."""
    store_font = partial(fonts.store, app_state, user)
    return await app_state.brand_importer.read_files(user.id, files, store_font)


@router.get(
    "/{brand_id}/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}}}},
)
async def export(
    brand_id: str, session: SessionDep, app_state: AppStateDep, user: CurrentUser
) -> StreamingResponse:
    """Return the draft of a brand with its logos and fonts as a zip, which `import/files` reads."""
    pieces = await exports.stream_export(session, app_state, user, brand_id)
    headers = {"Content-Disposition": 'attachment; filename="brand.impasto.zip"'}
    return StreamingResponse(pieces, media_type="application/zip", headers=headers)
