"""Reading, listing, cancelling, resuming and deleting runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets import service as assets
from impasto_server.assets.schemas import Asset
from impasto_server.compiler.documents import Source
from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.flows.beta import require_access
from impasto_server.http.pagination import PageQuery, fetch_page
from impasto_server.http.schemas import money
from impasto_server.limits.service import LaunchCost
from impasto_server.runs import journal_repository, presenter, repository, termination
from impasto_server.runs.backends.crashes import MAX_CRASHES
from impasto_server.runs.costs import provider_costs
from impasto_server.runs.errors import (
    NothingToResume,
    RunAlreadyEnded,
    RunNotFound,
    RunStillLive,
    VariantNotFound,
)
from impasto_server.runs.events import projection
from impasto_server.runs.launch.planned_results import planned_results
from impasto_server.runs.library import listings
from impasto_server.runs.models import RunListingRow, RunRow
from impasto_server.runs.schemas import (
    ListedBrand,
    ListedRun,
    Run,
    RunPage,
    RunResult,
    RunSummary,
    RunTotals,
)
from impasto_server.users.models import User

ListFilter = repository.ListFilter
assets_of_steps = journal_repository.assets_of_steps
describe = presenter.describe
describe_launched = presenter.describe_launched
find = repository.find
FollowedRun = repository.FollowedRun
step_outputs = journal_repository.step_outputs
sum_by_provider = provider_costs.sum_by_provider
summarize = presenter.summarize
totals_of = repository.totals_of


async def get_owned(session: AsyncSession, user: User, run_id: str) -> RunRow:
    """Return one of the user's runs. Raises `RunNotFound`."""
    return _require_owned(await repository.find(session, run_id), user, run_id)


async def find_followed(database: Database, user: User, run_id: str) -> FollowedRun:
    """Return the start of the event stream of one of the user's runs. Raises `RunNotFound`."""
    found = await repository.find_followed(database, user.id, run_id)
    if found is None:
        raise RunNotFound(run_id)
    return found


async def get(session: AsyncSession, app_state: AppState, user: User, run_id: str) -> Run:
    """Return a run with its current steps and results. Raises `RunNotFound`."""
    row = await get_owned(session, user, run_id)
    return await presenter.describe(session, app_state, user, row)


@dataclass(frozen=True)
class RunOutcome:
    """A run and its results, for a row of a table."""

    summary: RunSummary
    results: list[RunResult]


async def read_outcome(
    session: AsyncSession, row: RunRow, planned: Sequence[Mapping[str, Any]]
) -> RunOutcome:
    """Return a run with the values of its planned results."""
    steps = projection.fold_events(await journal_repository.events_after(session, row.id))
    return RunOutcome(presenter.summarize(row), projection.fill_results(planned, steps))


async def planned_results_of_batch(
    session: AsyncSession, app_state: AppState, batch_id: str
) -> Sequence[Mapping[str, Any]]:
    """Return the results that every run of a batch was launched for."""
    row = await repository.sample_of_batch(session, batch_id)
    if row is None:
        return []
    if row.planned_results is not None:
        return row.planned_results
    steps = projection.fold_events(await journal_repository.events_after(session, row.id))
    return await planned_results(app_state, row, steps)


async def list_runs(
    session: AsyncSession, app_state: AppState, user: User, wanted: ListFilter, paging: PageQuery
) -> RunPage:
    """List the user's runs that match, newest first."""
    words = await repository.TEXT_INDEX.conditions(session, user.id, wanted.text)
    query = repository.runs_query(user.id, wanted, words)
    rows, cursor = await fetch_page(session, query, paging, RunRow.id)
    listed = await repository.listings_of(session, [row.id for row in rows])
    shown = {row.id: _previews(row, listed.get(row.id)) for row in rows}
    found = await assets.list_some(session, app_state, user, [each for ids in shown.values() for each in ids])
    by_id = {asset.id: asset for asset in found}
    items = [
        _listed(row, listed.get(row.id), [by_id[each] for each in shown[row.id] if each in by_id])
        for row in rows
    ]
    return RunPage(items=items, next_cursor=cursor)


def _previews(row: RunRow, listing: RunListingRow | None) -> list[str]:
    """Return the ids of the assets that a list shows of a run; of a live one, the newest image."""
    if listing is not None and listing.asset_ids:
        return listing.asset_ids
    return [row.cover_asset_id] if row.cover_asset_id else []


def _listed(row: RunRow, listing: RunListingRow | None, previews: list[Asset]) -> ListedRun:
    summary = presenter.summarize(row).model_dump()
    if listing is None:
        title = listings.title_of(row.inputs, {})
        return ListedRun(
            **summary, title=title, excerpt="", brand=None, assets=previews, asset_count=len(previews)
        )
    brand_id, brand_name = listing.brand_id, listing.brand_name
    return ListedRun(
        **summary,
        title=listing.title,
        excerpt=listing.excerpt,
        brand=ListedBrand(brand_id=brand_id, name=brand_name or "") if brand_id else None,
        assets=previews,
        asset_count=max(listing.assets, len(previews)),
    )


async def totals_of_month(session: AsyncSession, app_state: AppState, user: User) -> RunTotals:
    """Return the number of the user's runs of this month, and what they cost at providers."""
    since = datetime.combine(app_state.clock().date().replace(day=1), time(), UTC)
    usd = await provider_costs.usd_since(session, user.id, since.date().isoformat())
    count = await repository.count_since(session, user.id, since)
    return RunTotals(since=since, runs=count, cost_usd=money(usd))


async def delete(app_state: AppState, user: User, run_id: str) -> None:
    """Delete a run that has ended. Its assets stay in the library.

    Raises `RunNotFound` or `RunStillLive`.
    """
    async with app_state.database.writing() as session:
        row = await _owned_for_update(session, user, run_id)
        if is_live(row):
            raise RunStillLive
        await assets.release_run(session, row.id)
        await repository.erase_content(session, row, app_state.clock())


async def cancel(app_state: AppState, user: User, run_id: str) -> Run:
    """Request the cancellation of a run. Raises `RunNotFound` or `RunAlreadyEnded`."""
    async with app_state.database.writing() as session:
        await _request_cancel(app_state, session, await _owned_for_update(session, user, run_id))
    await deliver_cancels(app_state, [run_id])
    async with app_state.database.reading() as session:
        return await get(session, app_state, user, run_id)


async def cancel_variant(app_state: AppState, user: User, run_id: str, step: str) -> Run:
    """Request the cancellation of one variant of a comparison; the last one cancels the run.

    Raises `RunNotFound`, `VariantNotFound` or `RunAlreadyEnded`.
    """
    async with app_state.database.writing() as session:
        row = await _owned_for_update(session, user, run_id)
        variants = (row.comparison or {}).get("steps", ())
        if step not in variants:
            raise VariantNotFound(step)
        if not is_live(row):
            raise RunAlreadyEnded(row.status)
        row.cancelled_steps = [
            each for each in variants if each == step or each in presenter.cancelled_steps(row)
        ]
        if len(row.cancelled_steps) == len(variants):
            await _request_cancel(app_state, session, row)
    await deliver_cancels(app_state, [run_id])
    async with app_state.database.reading() as session:
        return await get(session, app_state, user, run_id)


async def request_cancel(app_state: AppState, session: AsyncSession, run_id: str) -> RunRow:
    """Mark a run of any user as to be cancelled; call `deliver_cancels` after the commit.

    Raises `RunNotFound` or `RunAlreadyEnded`.
    """
    row = await repository.find_for_update(session, run_id)
    if row is None:
        raise RunNotFound(run_id)
    await _request_cancel(app_state, session, row)
    return row


async def request_cancel_all(app_state: AppState, session: AsyncSession, user_id: str) -> list[str]:
    """Mark all live runs of a user as to be cancelled; return their ids, for `deliver_cancels`."""
    rows = await repository.live_for_update(session, user_id)
    for row in rows:
        await _request_cancel(app_state, session, row)
    return [row.id for row in rows]


async def deliver_cancels(app_state: AppState, run_ids: Sequence[str]) -> None:
    """Notify the processes that execute the runs, and the streams that follow them."""
    for run_id in run_ids:
        await app_state.runs.cancel(run_id)
        app_state.pubsub.publish(f"run {run_id}")


async def _request_cancel(app_state: AppState, session: AsyncSession, row: RunRow) -> None:
    if not is_live(row):
        raise RunAlreadyEnded(row.status)
    row.cancel_requested = True
    if row.started_at is None and row.lease_until is None:
        await termination.cancel_queued(session, app_state, row)


def is_live(row: RunRow) -> bool:
    """Whether a run is queued or running."""
    return row.status in repository.LIVE_STATUSES


async def resume(app_state: AppState, user: User, run_id: str) -> Run:
    """Queue a failed or cancelled run again, without the variants that were cancelled.

    Raises `RunNotFound`, `NothingToResume`, `PrivateBeta`, `QuotaExceeded` or `LimitReached`.
    """
    await _require_beta_access(app_state, user, run_id)
    async with app_state.database.writing() as session:
        row = await _owned_for_update(session, user, run_id)
        if not presenter.can_resume(row):
            raise NothingToResume(row.status)
        row.status, row.error, row.finished_at = "queued", None, None
        # A new fence: the process that ended the run may still hold the lease, and can change nothing now.
        row.cancel_requested, row.lease_until, row.lease_owner = False, None, None
        row.fence, row.enqueued_at = row.fence + 1, app_state.clock()
        # A parked run is tried again once: the next crash parks it.
        row.crashes = min(row.crashes, MAX_CRASHES - 1)
        row.attempt += 1
        # A launch was refunded if the run ended before it started: then it counts again.
        taken = await app_state.limits.reserve_launches(
            session, user.id, [_cost_to_resume(row)], counted=row.quota_day is None
        )
        row.quota_day = row.quota_day or taken.day
        row.spend_cap_usd = None if taken.caps[0] is None else row.charged_usd + taken.caps[0]
        if row.started_at is None:
            row.last_seq = 0
            await journal_repository.purge_records(session, row.id)
    await app_state.runs.submit(run_id)
    async with app_state.database.reading() as session:
        return await get(session, app_state, user, run_id)


async def _require_beta_access(app_state: AppState, user: User, run_id: str) -> None:
    async with app_state.database.reading() as session:
        row = await get_owned(session, user, run_id)
    source = Source(row.document, row.subflows, flow_id=row.flow_id, targets=row.targets)
    await require_access(app_state, user, source, await app_state.compiler.check_stored(user.id, source))


def _cost_to_resume(row: RunRow) -> LaunchCost:
    """Return the unspent part of the dollars that were estimated at the launch."""
    left = max(row.reserved_usd - row.charged_usd, Decimal(0))
    is_charged_here = row.spend_cap_usd is not None or row.reserved_usd > 0
    return LaunchCost(left, may_spend=is_charged_here, uses_own_keys=row.spend_cap_usd is None)


async def _owned_for_update(session: AsyncSession, user: User, run_id: str) -> RunRow:
    return _require_owned(await repository.find_for_update(session, run_id), user, run_id)


def _require_owned(row: RunRow | None, user: User, run_id: str) -> RunRow:
    if row is None or row.owner_id != user.id or row.deleted_at is not None:
        raise RunNotFound(run_id)
    return row
