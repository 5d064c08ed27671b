"""Queries of what a brand's change affects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, cast, exists, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import AssetRow
from impasto_server.impact.models import BrandReadRow, RegenerationRow
from impasto_server.runs.models import RunRow


@dataclass(frozen=True)
class Change:
    """A change of a user's brand: to `version`, with the fields that differ from each earlier version."""

    owner_id: str
    brand_id: str
    version: int | None
    fields: Mapping[int, Sequence[str]]

    def reads(self) -> ColumnElement[bool]:
        """Return the condition that a row is of a step that read what changes."""
        changed = [
            and_(BrandReadRow.version == version, BrandReadRow.field.in_(fields))
            for version, fields in self.fields.items()
            if fields
        ]
        mine = and_(BrandReadRow.owner_id == self.owner_id, BrandReadRow.brand_id == self.brand_id)
        return and_(mine, or_(false(), *changed))


async def versions_read(session: AsyncSession, owner_id: str, brand_id: str) -> Sequence[int]:
    """List the versions of a brand that steps have read, newest first."""
    query = (
        select(BrandReadRow.version)
        .distinct()
        .where(BrandReadRow.owner_id == owner_id, BrandReadRow.brand_id == brand_id)
    )
    return (await session.scalars(query.order_by(BrandReadRow.version.desc()))).all()


def affected(change: Change) -> Select[AssetRow]:
    """Return the query of the affected assets, without those made again with the new version."""
    steps = (
        select(BrandReadRow.run_id, BrandReadRow.step)
        .where(change.reads())
        .group_by(BrandReadRow.run_id, BrandReadRow.step)
        .subquery()
    )
    made_again = exists().where(
        RegenerationRow.asset_id == AssetRow.id, *_regenerated(change.brand_id, change.version or -1)
    )
    return (
        select(AssetRow)
        .join(steps, and_(AssetRow.run_id == steps.c.run_id, AssetRow.step == steps.c.step))
        .where(AssetRow.owner_id == change.owner_id, AssetRow.replaced_by_id.is_(None), ~made_again)
    )


def selected(change: Change, asset_ids: Sequence[str], flow_ids: Sequence[str]) -> Select[AssetRow]:
    """Return the query of the affected assets that are selected and whose agent still exists."""
    wanted = or_(AssetRow.id.in_(asset_ids), AssetRow.flow_id.in_(flow_ids))
    return affected(change).where(wanted, AssetRow.flow_id.is_not(None))


async def count_unknown(session: AsyncSession, owner_id: str, brand_id: str) -> int:
    """Return how many assets were made with a brand before steps recorded what they read of it."""
    used, recorded = f'%"brand_id":"{brand_id}"%', '%"reads_recorded":true%'
    read = exists().where(BrandReadRow.run_id == RunRow.id)
    query = (
        select(func.count())
        .select_from(AssetRow)
        .join(RunRow, RunRow.id == AssetRow.run_id)
        .where(
            AssetRow.owner_id == owner_id,
            AssetRow.replaced_by_id.is_(None),
            RunRow.brands.is_not(None),
            ~read,
            cast(RunRow.brands, Text).like(used),
            cast(RunRow.brands, Text).not_like(recorded),
        )
    )
    return (await session.scalars(query)).one()


async def groups(
    session: AsyncSession, change: Change
) -> Sequence[tuple[str | None, str | None, int, Decimal]]:
    """Return agent, name, number of assets and their cost, for each agent; the most assets first."""
    count = func.count()
    query = affected(change).with_only_columns(
        AssetRow.flow_id,
        func.max(AssetRow.flow_name),
        count,
        func.coalesce(func.sum(AssetRow.cost_usd), 0),
    )
    rows = await session.execute(query.group_by(AssetRow.flow_id).order_by(count.desc(), AssetRow.flow_id))
    return [(flow_id, name, number, Decimal(str(usd))) for flow_id, name, number, usd in rows]


async def step_costs(
    session: AsyncSession, change: Change, run_ids: Sequence[str] | Select[Any]
) -> Mapping[tuple[str, str], Decimal]:
    """Return what the affected steps of runs cost, by run and step."""
    query = (
        select(BrandReadRow.run_id, BrandReadRow.step, func.max(BrandReadRow.cost_usd))
        .where(change.reads(), BrandReadRow.run_id.in_(run_ids))
        .group_by(BrandReadRow.run_id, BrandReadRow.step)
    )
    return {(run_id, step): Decimal(str(usd)) for run_id, step, usd in await session.execute(query)}


async def steps_with_assets(
    session: AsyncSession, run_ids: Sequence[str] | Select[Any]
) -> set[tuple[str, str]]:
    """Return the runs and steps that stored assets."""
    query = select(AssetRow.run_id, AssetRow.step).where(AssetRow.run_id.in_(run_ids)).distinct()
    return {(str(run_id), str(step)) for run_id, step in await session.execute(query)}


def regenerations(owner_id: str, brand_id: str) -> Select[RegenerationRow]:
    """Return the query of a user's regenerations for a brand."""
    return select(RegenerationRow).where(
        RegenerationRow.owner_id == owner_id, RegenerationRow.brand_id == brand_id
    )


async def is_any_regenerated(
    session: AsyncSession, asset_ids: Sequence[str], brand_id: str, version: int
) -> bool:
    """Whether any of the assets was made again with a version of a brand, or is being made."""
    query = select(RegenerationRow.id).where(
        RegenerationRow.asset_id.in_(asset_ids), *_regenerated(brand_id, version)
    )
    return (await session.scalar(query.limit(1))) is not None


async def undecided(session: AsyncSession, owner_id: str, brand_id: str) -> int:
    """Return how many assets were made again, or are being made, and are not decided about."""
    query = regenerations(owner_id, brand_id).with_only_columns(func.count())
    return (await session.scalars(query.where(RegenerationRow.state.in_(("running", "ready"))))).one()


async def live_runs(session: AsyncSession, owner_id: str, brand_id: str, limit: int) -> Sequence[str]:
    """List runs that regenerate assets, have not ended and are not to be cancelled yet."""
    query = (
        regenerations(owner_id, brand_id)
        .join(RunRow, RunRow.id == RegenerationRow.run_id)
        .where(
            RegenerationRow.state == "running",
            RunRow.status.in_(("queued", "running")),
            RunRow.cancel_requested.is_(False),
        )
        .with_only_columns(RegenerationRow.run_id)
        .distinct()
        .limit(limit)
    )
    return (await session.scalars(query)).all()


async def ended(session: AsyncSession, owner_id: str, brand_id: str) -> Sequence[tuple[RegenerationRow, str]]:
    """Return the regenerations whose run has ended but whose asset is not known, with the run's status."""
    query = (
        select(RegenerationRow, RunRow.status)
        .join(RunRow, RunRow.id == RegenerationRow.run_id)
        .where(
            RegenerationRow.owner_id == owner_id,
            RegenerationRow.brand_id == brand_id,
            RegenerationRow.state == "running",
            RunRow.status.not_in(("queued", "running")),
        )
        .order_by(RegenerationRow.id)
        .limit(1000)
    )
    return [(row, status) for row, status in await session.execute(query)]


def _regenerated(brand_id: str, version: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a regeneration was with a version of a brand and has not failed."""
    return (
        RegenerationRow.brand_id == brand_id,
        RegenerationRow.version == version,
        RegenerationRow.state != "failed",
    )
