"""HTTP endpoints of the versions of an asset."""

from fastapi import APIRouter

from impasto_server.asset_versions import service
from impasto_server.asset_versions.schemas import AssetVersions, VersionRequest
from impasto_server.assets.schemas import Asset
from impasto_server.container import AppStateDep
from impasto_server.security.auth import CurrentUser

router = APIRouter(prefix="/assets", tags=["assets"])


@router.get("/{asset_id}/versions")
async def list_versions(asset_id: str, app_state: AppStateDep, user: CurrentUser) -> AssetVersions:
    """Return the versions of an asset, oldest first, and what can be changed in the newest one."""
    return await service.list_versions(app_state, user, asset_id)


@router.post("/{asset_id}/versions", status_code=201)
async def create_version(
    asset_id: str, body: VersionRequest, app_state: AppStateDep, user: CurrentUser
) -> Asset:
    """Crop an asset, compose it again, or use an older version again. Deleting the new version undoes it."""
    return await service.create(app_state, user, asset_id, body)
