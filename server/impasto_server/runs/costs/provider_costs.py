"""What each user's steps cost by day and provider: written with the journal, summed for admins.

Steps that failed or were cancelled count, too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

import orjson
from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.journal.protocol import Entry
from impasto_server.runs import repository
from impasto_server.runs.models import ProviderCostRow

MAX_PROVIDER = 60
_ENDS = frozenset({"step.finished", "step.failed", "step.skipped"})
Costs = Mapping[tuple[str, str], Decimal]


async def record(session: AsyncSession, run_id: str, records: Sequence[Entry]) -> None:
    """Add the costs of the steps that end in a batch of records to the sums of the run's owner."""
    costs = _costs(records)
    owner_id = await repository.owner_of(session, run_id) if costs else None
    if owner_id is not None:
        for (day, provider), usd in costs.items():
            await add(session, owner_id, day, provider, usd)


async def add(session: AsyncSession, user_id: str, day: str, provider: str, usd: Decimal) -> None:
    """Add to what a user's steps cost at a provider on a day."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    query = insert(ProviderCostRow).values(user_id=user_id, day=day, provider=provider, usd=usd)
    query = query.on_conflict_do_update(
        index_elements=["user_id", "day", "provider"], set_={"usd": ProviderCostRow.usd + usd}
    )
    await session.execute(query)


async def sum_by_provider(
    session: AsyncSession, owner_id: str | None, first: str, last: str
) -> list[tuple[str, Decimal]]:
    """Return what each provider cost on the days `first` to `last` (YYYY-MM-DD), the most expensive first."""
    usd = func.sum(ProviderCostRow.usd)
    query = select(ProviderCostRow.provider, usd).where(ProviderCostRow.day.between(first, last))
    if owner_id is not None:
        query = query.where(ProviderCostRow.user_id == owner_id)
    rows = await session.execute(query.group_by(ProviderCostRow.provider).order_by(usd.desc()))
    return [(provider, Decimal(amount)) for provider, amount in rows]


async def usd_since(session: AsyncSession, user_id: str, day: str) -> Decimal:
    """Return the US dollars of a user's steps at all providers since a day (YYYY-MM-DD)."""
    query = select(func.coalesce(func.sum(ProviderCostRow.usd), 0))
    found = await session.scalars(query.where(ProviderCostRow.user_id == user_id, ProviderCostRow.day >= day))
    return Decimal(found.one())


def _costs(records: Sequence[Entry]) -> Costs:
    """Return the costs in a batch by UTC day (YYYY-MM-DD) and provider, without cached and free steps."""
    costs: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for entry in records:
        if entry.kind != "event" or entry.name not in _ENDS or b'"made_by":{' not in entry.body:
            continue
        data = orjson.loads(entry.body)
        provider, usd = data["made_by"].get("provider"), Decimal(str(data.get("cost_usd") or 0))
        if isinstance(provider, str) and usd and not data.get("cached"):
            day = datetime.fromtimestamp(entry.time, UTC).date().isoformat()
            costs[day, provider[:MAX_PROVIDER]] += usd
    return costs
