"""Reading the content credentials of assets."""

from collections.abc import Iterator, Sequence

from impasto_server.assets import repository, service
from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.media.thumbnails import sidecar_key
from impasto_server.assets.models import AssetRow
from impasto_server.container import AppState
from impasto_server.content_credentials.schemas import AssetCredentials, CredentialSource
from impasto_server.security.signed_urls import sign_url
from impasto_server.users.models import User


async def of_asset(app_state: AppState, user: User, asset_id: str) -> AssetCredentials:
    """Return the credentials of one of the user's assets, verified now. Raises `AssetNotFound`."""
    async with app_state.database.reading() as session:
        row = await repository.find(session, user.id, asset_id)
    if row is None:
        raise AssetNotFound(asset_id)
    if row.excerpt is not None:
        return AssetCredentials(state="none")  # a text has no credentials
    sidecar = await sidecar_of(app_state, row) if row.credentials == "sidecar" else None
    async with app_state.storage.path(row.object_key) as path:
        report = await app_state.content_credentials.read(user.id, path, sidecar)
    url = f"/api/v1/assets/{row.id}/credentials/file"
    found = AssetCredentials.from_report(
        report,
        location="embedded" if sidecar is None else "sidecar",
        file_url=None if sidecar is None else sign_url(app_state.encryptor, url, app_state.clock()),
    )
    await link_sources(app_state, user, found.sources)
    return found


async def sidecar_of(app_state: AppState, row: AssetRow) -> bytes:
    """Return the credentials that are stored beside a file. Raises `AssetNotFound` if there are none."""
    try:
        return await app_state.storage.read(sidecar_key(row.sha256))
    except FileNotFoundError as error:
        raise AssetNotFound(row.id) from error


async def link_sources(app_state: AppState, user: User, sources: Sequence[CredentialSource]) -> None:
    """Add names and thumbnails to the sources in the user's library; take the ids from all others."""
    every = list(_flat(sources))
    ids = [source.asset_id for source in every if source.asset_id]
    if not ids:
        return
    async with app_state.database.reading() as session:
        rows = {row.id: row for row in await repository.find_many(session, user.id, ids)}
    for source in every:
        row = rows.get(source.asset_id or "")
        source.asset_id = row.id if row else None
        if row is not None:
            described = service.describe(app_state, row)
            source.name, source.thumbnail_url = row.name, described.thumbnail_url
            source.ai_made = source.ai_made or row.ai_made


def _flat(sources: Sequence[CredentialSource]) -> Iterator[CredentialSource]:
    for source in sources:
        yield source
        yield from _flat(source.sources)
