"""Assets that repeat another one: merged into it."""

import asyncio
from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import repository
from impasto_server.assets.models import AssetRow
from impasto_server.assets.schemas import MAX_TAGS
from impasto_server.collections.models import CollectionAssetRow
from impasto_server.db.text_normalization import nfkc_casefold


async def merge(session: AsyncSession, pairs: Sequence[tuple[AssetRow, AssetRow]]) -> None:
    """Delete the first text of each pair. The second one gets its favourite, its tags and its collections.

    Pairs stay as they are whose first one is a version of another asset, or whose tags are too many for one.
    """
    into: dict[str, AssetRow] = {}
    for row, kept in pairs:
        tags = {nfkc_casefold(name): name for name in (*kept.tags, *row.tags)}
        if row.replaces_id is not None or row.replaced_by_id is not None or len(tags) > MAX_TAGS:
            continue
        into[row.id] = kept
        kept.favourite = kept.favourite or row.favourite
        if len(tags) > len(kept.tags):
            kept.tags = list(tags.values())
            await asyncio.to_thread(kept.set_words, await repository.text_of(session, kept.id))
            await repository.replace_tags(session, kept)
    if not into:
        return
    held = select(CollectionAssetRow).where(CollectionAssetRow.asset_id.in_(into))
    places = [
        {"collection_id": place.collection_id, "asset_id": into[place.asset_id].id}
        for place in await session.scalars(held)
    ]
    if places:
        insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        await session.execute(insert(CollectionAssetRow).on_conflict_do_nothing(), places)
    await session.execute(delete(AssetRow).where(AssetRow.id.in_(into)))
