"""Queries of assets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import CursorResult, Select, and_, delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import AssetRow, AssetTagRow, AssetTextRow
from impasto_server.collections.models import CollectionAssetRow
from impasto_server.db.text_normalization import nfkc_casefold
from impasto_server.db.text_search import TextIndex
from impasto_server.http.schemas import without_nul

MAX_CHAIN = 100
"""Versions of an asset that are listed, besides the newest."""
_MAX_STEPS = 1000
"""Links between versions that are followed."""
_IDS_AT_ONCE = 10_000
"""PostgreSQL takes 32,767 parameters in a statement."""
TEXT_INDEX = TextIndex("assets", AssetRow.id, AssetRow.words, listed=AssetRow.id)


@dataclass(frozen=True)
class LibraryFilter:
    """The filter of a library page. None means no restriction; `until` is exclusive.

    `favourite` restricts a page to favourites.
    """

    kind: str | None = None
    flow_id: str | None = None
    run_id: str | None = None
    source: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    favourite: bool = False
    tag: str | None = None
    collection_id: str | None = None
    intermediate: bool = False

    @property
    def has_finals_only(self) -> bool:
        """Whether assets on the way to a result are left out. Those that the user has ordered are shown."""
        ordered = (self.run_id, self.favourite, self.tag, self.collection_id)
        return not self.intermediate and not any(ordered)


async def find(session: AsyncSession, user_id: str, asset_id: str) -> AssetRow | None:
    """Return one of the user's assets, or None."""
    row = await session.get(AssetRow, asset_id)
    return row if row is not None and row.owner_id == user_id else None


async def find_any(session: AsyncSession, asset_id: str) -> AssetRow | None:
    """Return an asset of any user, or None. For signed URLs only."""
    return await session.get(AssetRow, asset_id)


async def find_many(session: AsyncSession, user_id: str, asset_ids: Sequence[str]) -> Sequence[AssetRow]:
    """List those of the assets that exist and belong to the user."""
    found: list[AssetRow] = []
    for start in range(0, len(asset_ids), _IDS_AT_ONCE):
        some = asset_ids[start : start + _IDS_AT_ONCE]
        query = select(AssetRow).where(AssetRow.owner_id == user_id, AssetRow.id.in_(some))
        found += await session.scalars(query)
    return found


async def newest(session: AsyncSession, user_id: str, limit: int) -> Sequence[AssetRow]:
    """List the user's newest assets in the library."""
    query = select(AssetRow).where(AssetRow.owner_id == user_id, AssetRow.source != "font")
    return (await session.scalars(query.order_by(AssetRow.id.desc()).limit(limit))).all()


async def old_fonts(session: AsyncSession, before: datetime, after_id: str, limit: int) -> Sequence[AssetRow]:
    """List font files of brands stored before a time, in the order of their ids after `after_id`."""
    query = select(AssetRow).where(
        AssetRow.source == "font", AssetRow.created_at < before, AssetRow.id > after_id
    )
    return (await session.scalars(query.order_by(AssetRow.id).limit(limit))).all()


async def font_with_content(session: AsyncSession, user_id: str, digest: str) -> AssetRow | None:
    """Return the user's font file with this SHA-256, or None."""
    query = select(AssetRow).where(
        AssetRow.owner_id == user_id, AssetRow.sha256 == digest, AssetRow.source == "font"
    )
    return (await session.scalars(query.limit(1))).first()


async def by_digest(session: AsyncSession, user_id: str, digest: str) -> AssetRow | None:
    """Return the user's newest asset with this SHA-256, preferring generated ones, or None."""
    query = (
        select(AssetRow)
        .where(AssetRow.owner_id == user_id, AssetRow.sha256 == digest)
        .order_by(AssetRow.run_id.is_(None), AssetRow.id.desc())
        .limit(1)
    )
    return (await session.scalars(query)).first()


async def has_content(session: AsyncSession, digest: str) -> bool:
    """Whether any user has an asset with this SHA-256."""
    query = select(AssetRow.id).where(AssetRow.sha256 == digest).limit(1)
    return (await session.scalar(query)) is not None


async def signed_before(session: AsyncSession, row: AssetRow) -> AssetRow | None:
    """Return an asset of the same run that was signed from the same bytes as a new row, or None."""
    query = (
        select(AssetRow)
        .where(
            AssetRow.run_id == row.run_id,
            AssetRow.owner_id == row.owner_id,
            AssetRow.unsigned_sha256 == row.unsigned_sha256,
            AssetRow.credentials.is_not(None),
        )
        .limit(1)
    )
    return (await session.scalars(query)).first()


async def find_for_update(
    session: AsyncSession, user_id: str, asset_ids: Sequence[str]
) -> Sequence[AssetRow]:
    """List those of the assets that belong to the user, locked until the transaction ends."""
    query = select(AssetRow).where(AssetRow.owner_id == user_id, AssetRow.id.in_(asset_ids))
    return (await session.scalars(query.order_by(AssetRow.id).with_for_update())).all()


async def text_of(session: AsyncSession, asset_id: str) -> str | None:
    """Return the content of a text result, or None for another asset."""
    return await session.scalar(select(AssetTextRow.content).where(AssetTextRow.asset_id == asset_id))


async def replace_tags(session: AsyncSession, row: AssetRow) -> None:
    """Write the rows of an asset's tags, after `row.tags` has changed."""
    await session.execute(delete(AssetTagRow).where(AssetTagRow.asset_id == row.id))
    session.add_all(
        AssetTagRow(asset_id=row.id, key=nfkc_casefold(name), owner_id=row.owner_id, name=name)
        for name in row.tags
    )


async def tags_after(
    session: AsyncSession, user_id: str, key: str, limit: int
) -> Sequence[tuple[str, str, int]]:
    """List the key, the name and the number of assets of a user's tags, in order, those after a key."""
    query = (
        select(AssetTagRow.key, func.min(AssetTagRow.name), func.count())
        .where(AssetTagRow.owner_id == user_id, AssetTagRow.key > key)
        .group_by(AssetTagRow.key)
        .order_by(AssetTagRow.key)
        .limit(limit)
    )
    return [(key, name, count) for key, name, count in await session.execute(query)]


async def record_costs(
    session: AsyncSession,
    run_id: str,
    step: str | None,
    asset_ids: Sequence[str],
    cost_each: Decimal,
    made_by: dict[str, Any] | None,
) -> None:
    """Set the cost of each asset that a step of a run stored; assets that it only passed on keep theirs.

    Also sets their provenance if the step reported it after it had stored them.
    """
    mine = (AssetRow.run_id == run_id, AssetRow.step == step, AssetRow.id.in_(asset_ids))
    await session.execute(update(AssetRow).where(*mine).values(cost_usd=cost_each))
    if made_by:
        prompt = without_nul(str(made_by.get("prompt") or ""))
        for row in await session.scalars(select(AssetRow).where(*mine, AssetRow.made_by.is_(None))):
            row.made_by, row.prompt = made_by, prompt
            row.set_words()


async def release_run(session: AsyncSession, run_id: str) -> None:
    """Keep the assets of a run that is deleted, without the run."""
    query = update(AssetRow).where(AssetRow.run_id == run_id).values(run_id=None)
    await session.execute(query.execution_options(synchronize_session=False))


async def replace(session: AsyncSession, user_id: str, asset_id: str, new_id: str) -> None:
    """Make an asset the new version of another of the user's."""
    own = AssetRow.owner_id == user_id
    await session.execute(update(AssetRow).where(own, AssetRow.id == asset_id).values(replaced_by_id=new_id))
    await session.execute(update(AssetRow).where(own, AssetRow.id == new_id).values(replaces_id=asset_id))


async def append_version(session: AsyncSession, user_id: str, asset_id: str, new_id: str) -> bool:
    """Make an asset the newest version of another, with its tags and in its collections.

    Returns False if that one has a newer version already.
    """
    own = AssetRow.owner_id == user_id
    query = update(AssetRow).where(own, AssetRow.id == asset_id, AssetRow.replaced_by_id.is_(None))
    linked = cast("CursorResult[Any]", await session.execute(query.values(replaced_by_id=new_id)))
    await session.execute(update(AssetRow).where(own, AssetRow.id == new_id).values(replaces_id=asset_id))
    tags = select(literal(new_id), AssetTagRow.key, AssetTagRow.owner_id, AssetTagRow.name)
    tags = tags.where(AssetTagRow.asset_id == asset_id)
    await session.execute(insert(AssetTagRow).from_select(["asset_id", "key", "owner_id", "name"], tags))
    held = CollectionAssetRow
    others = [column.key for column in held.__table__.columns if column.key != "asset_id"]
    places = select(literal(new_id), *(getattr(held, name) for name in others))
    places = places.where(held.asset_id == asset_id)
    await session.execute(insert(held).from_select(["asset_id", *others], places))
    return linked.rowcount == 1


async def versions_of(session: AsyncSession, row: AssetRow) -> list[AssetRow]:
    """Return the versions of an asset, oldest first: the newest, and at most `MAX_CHAIN` before it."""
    newest, seen = row, {row.id}
    while (later := await _version(session, row.owner_id, newest.replaced_by_id, seen)) is not None:
        newest = later
    found, seen = [newest], {newest.id}
    while len(found) <= MAX_CHAIN and (
        earlier := await _version(session, row.owner_id, found[-1].replaces_id, seen)
    ):
        found.append(earlier)
    return found[::-1]


async def _version(
    session: AsyncSession, user_id: str, asset_id: str | None, seen: set[str]
) -> AssetRow | None:
    if asset_id is None or asset_id in seen or len(seen) > _MAX_STEPS:
        return None
    seen.add(asset_id)
    return await find(session, user_id, asset_id)


async def newer_versions(session: AsyncSession, user_id: str, asset_ids: Sequence[str]) -> list[str]:
    """Return the ids of newer versions of the user's assets, at most `_MAX_STEPS`."""
    first = select(AssetRow.replaced_by_id.label("id")).where(
        AssetRow.owner_id == user_id, AssetRow.id.in_(asset_ids), AssetRow.replaced_by_id.is_not(None)
    )
    newer = first.cte("newer", recursive=True)
    following = select(AssetRow.replaced_by_id).where(
        AssetRow.owner_id == user_id, AssetRow.id == newer.c.id, AssetRow.replaced_by_id.is_not(None)
    )
    return list(await session.scalars(select(newer.union(following).c.id).limit(_MAX_STEPS)))


async def remove_version(session: AsyncSession, row: AssetRow) -> None:
    """Take an asset out of its versions: those before and after it follow each other."""
    own = AssetRow.owner_id == row.owner_id
    before = update(AssetRow).where(own, AssetRow.replaced_by_id == row.id)
    await session.execute(before.values(replaced_by_id=row.replaced_by_id))
    after = update(AssetRow).where(own, AssetRow.replaces_id == row.id)
    await session.execute(after.values(replaces_id=row.replaces_id))


async def undo_replacement(session: AsyncSession, user_id: str, new_id: str) -> None:
    """Make an asset the new version of none."""
    own = AssetRow.owner_id == user_id
    await session.execute(
        update(AssetRow).where(own, AssetRow.replaced_by_id == new_id).values(replaced_by_id=None)
    )
    await session.execute(update(AssetRow).where(own, AssetRow.id == new_id).values(replaces_id=None))


def library_query(user_id: str, library_filter: LibraryFilter) -> Select[AssetRow]:
    """Return the query of a user's assets that match a filter, without those that a new version replaced."""
    conditions = [
        AssetRow.owner_id == user_id,
        AssetRow.replaced_by_id.is_(None),
        AssetRow.source != "font",
    ]
    exact = {
        "kind": AssetRow.kind,
        "flow_id": AssetRow.flow_id,
        "run_id": AssetRow.run_id,
        "source": AssetRow.source,
    }
    for name, column in exact.items():
        value = getattr(library_filter, name)
        if value is not None:
            conditions.append(column == value)
    if library_filter.since is not None:
        conditions.append(AssetRow.created_at >= library_filter.since)
    if library_filter.until is not None:
        conditions.append(AssetRow.created_at < library_filter.until)
    if library_filter.has_finals_only:
        conditions.append(AssetRow.intermediate.is_(False))
    if library_filter.favourite:
        conditions.append(AssetRow.favourite.is_(True))
    if library_filter.tag is not None:
        tagged = select(AssetTagRow.asset_id).where(
            AssetTagRow.owner_id == user_id, AssetTagRow.key == nfkc_casefold(library_filter.tag)
        )
        conditions.append(AssetRow.id.in_(tagged))
    if library_filter.collection_id is not None:
        inside = select(CollectionAssetRow.asset_id).where(
            CollectionAssetRow.collection_id == library_filter.collection_id
        )
        conditions.append(AssetRow.id.in_(inside))
    return select(AssetRow).where(and_(*conditions))
