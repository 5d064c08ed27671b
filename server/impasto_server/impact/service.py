"""What a change of a brand affects, and what making it again costs."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.brands import service as brands
from impasto_server.brands.diff import changes_between
from impasto_server.brands.errors import BrandVersionNotFound
from impasto_server.brands.example import EXAMPLE_ID
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.http.schemas import money
from impasto_server.impact import repository
from impasto_server.impact.fields import changed_fields
from impasto_server.impact.repository import Change
from impasto_server.impact.schemas import (
    MAX_BATCH_RUNS,
    AffectedAsset,
    AffectedAssetPage,
    Impact,
    ImpactGroup,
    Quote,
    RegenerationBatch,
    RegenerationRequest,
)
from impasto_server.users.models import User

_MARGIN = Decimal("1.1")
_DRAFT: Literal["draft"] = "draft"


async def change_to(session: AsyncSession, user: User, brand_id: str, ref: str) -> Change:
    """Return the change of a brand to its draft ("draft") or a published version ("3").

    Raises `BrandNotFound` or `BrandVersionNotFound`.
    """
    target = await brands.content_at(session, user, brand_id, ref)
    fields = {}
    for version in await repository.versions_read(session, user.id, brand_id):
        try:
            before = await brands.content_at(session, user, brand_id, str(version))
        except BrandVersionNotFound:
            continue
        fields[version] = changed_fields(before, target)
    return Change(user.id, brand_id, None if ref == _DRAFT else int(ref), fields)


async def newest_ref(session: AsyncSession, app_state: AppState, user: User, brand_id: str) -> str:
    """Return "draft" if a brand has changes that are not published, else its newest version."""
    brand = await brands.get(session, app_state, user, brand_id)
    return _DRAFT if brand.version is None or brand.changes else str(brand.version)


async def newest_published(
    session: AsyncSession, app_state: AppState, user: User, brand_id: str
) -> int | None:
    """Return the number of a brand's newest published version. Raises `BrandNotFound`."""
    return (await brands.get(session, app_state, user, brand_id)).version


async def describe(session: AsyncSession, user: User, brand_id: str, ref: str) -> Impact:
    """Return the impact of a change by agent. Raises `BrandNotFound` or `BrandVersionNotFound`."""
    change = await change_to(session, user, brand_id, ref)
    groups = [
        ImpactGroup(flow_id=flow_id, flow_name=name or "", assets=number, usd=money(usd))
        for flow_id, name, number, usd in await repository.groups(session, change)
    ]
    affecting = [version for version, fields in change.fields.items() if fields]
    changes = []
    if groups and affecting:
        before = await brands.content_at(session, user, brand_id, str(affecting[0]))
        changes = changes_between(before, await brands.content_at(session, user, brand_id, ref))
    return Impact(
        version=_DRAFT if change.version is None else change.version,
        changes=changes,
        assets=sum(group.assets for group in groups),
        usd=money(sum((Decimal(group.usd) for group in groups), Decimal(0))),
        groups=groups,
        unknown=await repository.count_unknown(session, user.id, brand_id),
        undecided=await repository.undecided(session, user.id, brand_id) if brand_id != EXAMPLE_ID else 0,
    )


async def list_affected(
    session: AsyncSession,
    app_state: AppState,
    user: User,
    brand_id: str,
    ref: str,
    flow_id: str | None,
    paging: PageQuery,
) -> AffectedAssetPage:
    """Return a page of the affected assets of one agent; without `flow_id`, of all."""
    query = repository.affected(await change_to(session, user, brand_id, ref))
    if flow_id is not None:
        # An empty id stands for the agents that were deleted.
        query = query.where(AssetRow.flow_id == flow_id if flow_id else AssetRow.flow_id.is_(None))
    rows, cursor = await fetch_page(session, query, paging, AssetRow.id)
    items = [
        AffectedAsset(asset=assets.describe(app_state, row), usd=money(row.cost_usd or 0)) for row in rows
    ]
    return AffectedAssetPage(items=items, next_cursor=cursor)


async def batch(
    session: AsyncSession, change: Change, body: RegenerationBatch
) -> tuple[dict[str, list[AssetRow]], bool]:
    """Return the selected assets of the next `MAX_BATCH_RUNS` runs by run, and whether more follow.

    Runs are whole: the assets of one are made again together.
    """
    query = repository.selected(change, body.asset_ids, body.flow_ids)
    if body.cursor is not None:
        query = query.where(AssetRow.run_id < body.cursor)
    ids = query.with_only_columns(AssetRow.run_id).distinct().order_by(AssetRow.run_id.desc())
    found = [str(run_id) for run_id in await session.scalars(ids.limit(MAX_BATCH_RUNS + 1))]
    by_run: dict[str, list[AssetRow]] = {run_id: [] for run_id in found[:MAX_BATCH_RUNS]}
    rows = await session.scalars(query.where(AssetRow.run_id.in_(list(by_run))).order_by(AssetRow.id.desc()))
    for row in rows:
        by_run[str(row.run_id)].append(row)
    return by_run, len(found) > MAX_BATCH_RUNS


async def quote(session: AsyncSession, user: User, brand_id: str, body: RegenerationRequest) -> Quote:
    """Return what making assets again is expected to cost."""
    change = await change_to(session, user, brand_id, str(body.version))
    query = repository.selected(change, body.asset_ids, body.flow_ids)
    made = [
        (str(run_id), str(step))
        for run_id, step in await session.execute(query.with_only_columns(AssetRow.run_id, AssetRow.step))
    ]
    run_ids = query.with_only_columns(AssetRow.run_id)
    costs = await costs_by_step(session, change, set(made), run_ids)
    usd = sum(costs.values(), Decimal(0))
    return Quote(assets=len(made), steps=len(costs), usd=money(usd), limit_usd=money(limit_of(usd)))


async def costs_by_step(
    session: AsyncSession,
    change: Change,
    wanted: set[tuple[str, str]],
    run_ids: Sequence[str] | Select[Any],
) -> dict[tuple[str, str], Decimal]:
    """Return what the steps that must run again cost before, by run and step.

    `wanted` are the runs and steps of the assets; steps before them that read what changes count, too. A step
    that wrote text counts if it is of the same run.
    """
    others = await repository.steps_with_assets(session, run_ids) - wanted
    costs = await repository.step_costs(session, change, run_ids)
    return {step: usd for step, usd in costs.items() if step not in others}


def limit_of(usd: Decimal) -> Decimal:
    """Return the amount at which runs stop that are expected to cost `usd`."""
    return (usd * _MARGIN).quantize(Decimal("0.000001"))
