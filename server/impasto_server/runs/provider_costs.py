"""What each user's steps cost by day and provider: written with the journal, summed for admins.

Steps that failed or were cancelled count, too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.journal.protocol import Entry
from impasto_server.runs import repository

MAX_PROVIDER = 60
_ENDS = frozenset({"step.finished", "step.failed", "step.skipped"})
Costs = Mapping[tuple[str, str], Decimal]


async def record(session: AsyncSession, run_id: str, records: Sequence[Entry]) -> None:
    """Add the costs of the steps that end in a batch of records to the sums of the run's owner."""
    costs = _costs(records)
    owner_id = await repository.owner_of(session, run_id) if costs else None
    if owner_id is not None:
        for (day, provider), usd in costs.items():
            await repository.add_provider_cost(session, owner_id, day, provider, usd)


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
