"""Making affected assets again, and deciding which version stays."""

from collections.abc import Sequence
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.models import AssetRow
from impasto_server.container import AppState
from impasto_server.http.errors import Problem
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.impact import repository, service
from impasto_server.impact.errors import NotFinished, NothingToRegenerate, RegenerationNotFound
from impasto_server.impact.models import RegenerationRow, State
from impasto_server.impact.schemas import Regeneration, RegenerationBatch, RegenerationPage, Started
from impasto_server.runs import service as runs
from impasto_server.runs.launch.again import run_again
from impasto_server.runs.launch.service import write_runs
from impasto_server.users.models import User
from impasto_server.utils import new_id

_LIMIT_REACHED = 429
_CANCELLED_AT_ONCE = 50


async def regenerate(app_state: AppState, user: User, brand_id: str, body: RegenerationBatch) -> Started:
    """Start a batch: a run for each earlier run that made one of the assets, of the steps that made them.

    Raises `NothingToRegenerate` if that is so of all batches; `QuotaExceeded` or `LimitReached` if not even
    the first run may start.
    """
    async with app_state.database.reading() as session:
        change = await service.change_to(session, user, brand_id, str(body.version))
        by_run, has_more = await service.batch(session, change, body)
        made = {(run_id, str(row.step)) for run_id, rows in by_run.items() for row in rows}
        costs = await service.costs_by_step(session, change, made, list(by_run))
    started: list[RegenerationRow] = []
    refusal, cursor, left_out = None, body.cursor, 0
    for run_id, mine in by_run.items():
        usd = sum((usd for (of, _), usd in costs.items() if of == run_id), Decimal(0))
        try:
            rows = await _start(app_state, user, (brand_id, body.version), run_id, mine, usd)
            started += rows
            left_out += len(mine) - len(rows)
        except Problem as error:
            refusal = error
            if error.status == _LIMIT_REACHED:
                has_more = True
                break
            left_out += len(mine)
        cursor = run_id
    is_limited = refusal is not None and refusal.status == _LIMIT_REACHED
    if not started and (is_limited or not has_more):
        raise refusal or NothingToRegenerate()
    async with app_state.database.reading() as session:
        described = await _described(session, app_state, user, started)
    return Started(
        regenerations=described,
        left_out=left_out,
        reason=refusal.detail if refusal is not None else None,
        next_cursor=cursor if has_more else None,
    )


async def cancel(app_state: AppState, user: User, brand_id: str) -> int:
    """Cancel the runs that make assets again for a brand; return how many."""
    number = 0
    while True:
        async with app_state.database.writing() as session:
            run_ids = await repository.live_runs(session, user.id, brand_id, _CANCELLED_AT_ONCE)
            for run_id in run_ids:
                await runs.request_cancel(app_state, session, run_id)
        if not run_ids:
            return number
        await runs.deliver_cancels(app_state, run_ids)
        number += len(run_ids)


async def _start(
    app_state: AppState,
    user: User,
    brand: tuple[str, int],
    run_id: str,
    mine: Sequence[AssetRow],
    usd: Decimal,
) -> list[RegenerationRow]:
    async with app_state.database.reading() as session:
        earlier = await runs.find(session, run_id)
        places = await runs.assets_of_steps(session, run_id)
    if earlier is None:
        raise NothingToRegenerate
    known = [row for row in mine if row.id in places.get(str(row.step), ())]
    if not known:
        raise NothingToRegenerate
    targets = sorted({str(row.step) for row in known})
    limit = service.limit_of(usd) if usd else None
    made, cost = await run_again(app_state, user, earlier, targets, brand, limit)
    made.id = new_id()
    rows = [
        RegenerationRow(
            owner_id=user.id,
            brand_id=brand[0],
            version=brand[1],
            asset_id=row.id,
            run_id=made.id,
            step=str(row.step),
            position=places[str(row.step)].index(row.id),
            state="running",
            created_at=app_state.clock(),
        )
        for row in known
    ]

    async def check(session: AsyncSession) -> None:
        # The same request may have been sent twice at once.
        if await repository.is_any_regenerated(session, [row.id for row in known], *brand):
            raise NothingToRegenerate

    await write_runs(app_state, user, [made], [cost], beside=rows, check=check)
    return rows


async def list_made(app_state: AppState, user: User, brand_id: str, paging: PageQuery) -> RegenerationPage:
    """Return a page of the assets that were made again for a brand, newest first."""
    await record_new_assets(app_state, user, brand_id)
    async with app_state.database.reading() as session:
        query = repository.regenerations(user.id, brand_id)
        rows, cursor = await fetch_page(session, query, paging, RegenerationRow.id)
        return RegenerationPage(items=await _described(session, app_state, user, rows), next_cursor=cursor)


async def decide(
    app_state: AppState, user: User, brand_id: str, ids: Sequence[str], state: State
) -> list[Regeneration]:
    """Replace assets by what was made, keep them, or undo either.

    Raises `RegenerationNotFound`, or `NotFinished` for an asset that is not made yet; then none is changed.
    """
    await record_new_assets(app_state, user, brand_id)
    async with app_state.database.writing() as session:
        query = repository.regenerations(user.id, brand_id).where(RegenerationRow.id.in_(ids))
        found = {row.id: row for row in await session.scalars(query.with_for_update())}
        rows = []
        for regeneration_id in dict.fromkeys(ids):
            row = found.get(regeneration_id)
            if row is None:
                raise RegenerationNotFound(regeneration_id)
            if row.new_asset_id is None:
                raise NotFinished
            rows.append((row, row.new_asset_id))
        for row, new_id in rows:
            if row.state == "replaced":
                await assets.undo_replacement(session, user.id, new_id)
            if state == "replaced":
                await assets.replace(session, user.id, row.asset_id, new_id)
            row.state = state
        return await _described(session, app_state, user, [row for row, _ in rows])


async def record_new_assets(app_state: AppState, user: User, brand_id: str) -> None:
    """Record the new assets of regenerations whose runs have ended."""
    async with app_state.database.reading() as session:
        if not await repository.ended(session, user.id, brand_id):
            return
    async with app_state.database.writing() as session:
        places: dict[str, dict[str, list[str]]] = {}
        for row, _ in await repository.ended(session, user.id, brand_id):
            if row.run_id not in places:
                places[row.run_id] = await runs.assets_of_steps(session, row.run_id)
            made = places[row.run_id].get(row.step, [])
            new_id = made[row.position] if row.position < len(made) else None
            known = await assets.find_many(session, user.id, [new_id]) if new_id else []
            if not known:
                row.state = "failed"
            elif new_id == row.asset_id:
                row.state = "kept"
            else:
                row.new_asset_id, row.state = new_id, "ready"


async def _described(
    session: AsyncSession, app_state: AppState, user: User, rows: Sequence[RegenerationRow]
) -> list[Regeneration]:
    ids = {asset_id for row in rows for asset_id in (row.asset_id, row.new_asset_id) if asset_id}
    found = {
        row.id: assets.describe(app_state, row) for row in await assets.find_many(session, user.id, [*ids])
    }
    return [
        Regeneration(
            id=row.id,
            version=row.version,
            before=found[row.asset_id],
            after=found.get(row.new_asset_id or ""),
            run_id=row.run_id,
            state=row.state,
            created_at=row.created_at,
        )
        for row in rows
        if row.asset_id in found
    ]
