"""Records which fields of saved brands the steps of a run read, when their results are written."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import orjson
from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto.journal.protocol import Entry
from impasto_server.impact.models import BrandReadRow
from impasto_server.runs.models import RunRow

_MAX_FIELD = 60


async def record_reads(session: AsyncSession, run_id: str, records: Sequence[Entry]) -> None:
    """Store what the finished steps of a batch of records read. Reused results were recorded before."""
    found = [each for record in records if (each := _reads_of(record))]
    if not found:
        return
    query = select(RunRow.owner_id, RunRow.brands).where(RunRow.id == run_id)
    owner_id, brands = (await session.execute(query)).one()
    versions = {used["brand_id"]: used["version"] for used in brands or ()}
    rows = [
        {"run_id": run_id, "owner_id": owner_id, "version": versions[row["brand_id"]], **row}
        for data in found
        for row in _rows(data)
        if row["brand_id"] in versions
    ]
    if rows:
        is_postgresql = session.get_bind().dialect.name == "postgresql"
        insert = postgresql.insert if is_postgresql else sqlite.insert
        await session.execute(insert(BrandReadRow).on_conflict_do_nothing(), rows)


def _reads_of(record: Entry) -> dict[str, Any] | None:
    if record.kind != "event" or record.name != "step.finished" or b'"reads"' not in record.body:
        return None
    data = orjson.loads(record.body)
    return {**data, "step": record.step} if data.get("reads") and not data.get("cached") else None


def _rows(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    cost = Decimal(str(data["cost_usd"]))
    for brand_id, fields in data["reads"].items():
        for field in fields:
            yield {
                "step": data["step"],
                "brand_id": brand_id,
                # A field of a plugin's class may have any name; its change is then one of the whole brand.
                "field": field if len(field) <= _MAX_FIELD else "*",
                "cost_usd": cost,
            }
