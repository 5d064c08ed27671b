"""Favourites and tags of assets."""

import asyncio
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import repository, service
from impasto_server.assets.errors import AssetNotFound, TooManyTags
from impasto_server.assets.models import AssetRow
from impasto_server.assets.schemas import MAX_TAGS, Asset, AssetEdits, Tag, TagPage
from impasto_server.container import AppState
from impasto_server.db.text_normalization import nfkc_casefold
from impasto_server.http.pagination import PageQuery, encode_cursor
from impasto_server.users.models import User


async def edit(session: AsyncSession, app_state: AppState, user: User, body: AssetEdits) -> list[Asset]:
    """Change all of the assets and return them, in the order of the request.

    Changes nothing and raises `AssetNotFound` if one of them does not belong to the user, or `TooManyTags`.
    """
    rows = {row.id: row for row in await repository.find_for_update(session, user.id, body.asset_ids)}
    asset_ids = list(dict.fromkeys(body.asset_ids))
    for asset_id in asset_ids:
        if asset_id not in rows:
            raise AssetNotFound(asset_id)
    for row in rows.values():
        if body.favourite is not None:
            row.favourite = body.favourite
        tags = _changed(row, body.add_tags, body.remove_tags)
        if tags != row.tags:
            row.tags = tags
            content = await repository.text_of(session, row.id) if row.excerpt is not None else None
            await asyncio.to_thread(row.set_words, content)
            await repository.replace_tags(session, row)
    return [service.describe(app_state, rows[asset_id]) for asset_id in asset_ids]


async def list_tags(session: AsyncSession, user: User, paging: PageQuery) -> TagPage:
    """List the tags of the user's assets, in alphabetical order."""
    found = await repository.tags_after(session, user.id, paging.after or "", paging.limit + 1)
    page = found[: paging.limit]
    return TagPage(
        items=[Tag(name=name, assets=assets) for _, name, assets in page],
        next_cursor=encode_cursor(page[-1][0]) if len(found) > paging.limit else None,
    )


def _changed(row: AssetRow, added: Sequence[str], removed: Sequence[str]) -> list[str]:
    """Return an asset's tags after a change. A tag that it has keeps its spelling. Raises `TooManyTags`."""
    tags = {nfkc_casefold(name): name for name in row.tags}
    for name in removed:
        tags.pop(nfkc_casefold(name), None)
    for name in added:
        tags.setdefault(nfkc_casefold(name), name)
    if len(tags) > MAX_TAGS:
        raise TooManyTags(row.name, MAX_TAGS)
    return list(tags.values())
