"""The cost of runs in a period: by day, by user, by provider."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin import people
from impasto_server.admin.schemas import UsageGroup, UsageReport, UsageRow
from impasto_server.container import AppState
from impasto_server.http.errors import FieldInvalid
from impasto_server.http.schemas import money
from impasto_server.runs import service as runs
from impasto_server.runs.operators import service as operators
from impasto_server.runs.operators.service import RunFilter, RunSums

DEFAULT_DAYS, MAX_DAYS, MAX_ROWS = 30, 366, 400
# Steps that name no provider, steps that failed after they were charged, and runs older than these sums.
_OTHER = "other"


async def report(
    app_state: AppState,
    session: AsyncSession,
    by: UsageGroup,
    since: date | None,
    until: date | None,
    user_id: str | None,
) -> UsageReport:
    """Return the sums of the days from `since` to `until`, both included; by default the last 30 days.

    Raises `FieldInvalid` if the period is empty or longer than 366 days.
    """
    last = until or app_state.clock().astimezone(UTC).date()
    first = since or last - timedelta(days=DEFAULT_DAYS - 1)
    if not first <= last <= first + timedelta(days=MAX_DAYS - 1):
        raise FieldInvalid("until", f"Choose a period of 1 to {MAX_DAYS} days.", "period_invalid")
    wanted = RunFilter(owner_id=user_id, since=_start_of(first), until=_start_of(last + timedelta(days=1)))
    total = await operators.sum_all(session, wanted)
    rows = await _rows(session, by, wanted, first, last, total)
    return UsageReport(
        since=first,
        until=last,
        by=by,
        runs=total.runs,
        usd=money(total.usd),
        items=rows[:MAX_ROWS],
        more=len(rows) > MAX_ROWS,
    )


async def _rows(
    session: AsyncSession, by: UsageGroup, wanted: RunFilter, first: date, last: date, total: RunSums
) -> list[UsageRow]:
    if by == "day":
        days = await operators.sum_by_day(session, wanted)
        return [UsageRow(key=day, label=day, runs=sums.runs, usd=money(sums.usd)) for day, sums in days]
    if by == "user":
        users = await operators.sum_by_owner(session, wanted, MAX_ROWS + 1)
        names = await people.refs(session, (user_id for user_id, _ in users))
        return [
            UsageRow(
                key=user_id, label=names[user_id].username or user_id, runs=sums.runs, usd=money(sums.usd)
            )
            for user_id, sums in users
        ]
    costs = await runs.sum_by_provider(session, wanted.owner_id, first.isoformat(), last.isoformat())
    rows = [UsageRow(key=name, label=name, runs=None, usd=money(usd)) for name, usd in costs]
    other = total.usd - sum((usd for _, usd in costs), Decimal(0))
    if other > Decimal("0.000001"):
        rows.append(UsageRow(key=_OTHER, label="Other", runs=None, usd=money(other)))
    return rows


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
