"""Many assets that read the same fields of a brand: copies of one that a run has made.

`python -m tests.server.brands.asset_copies DATABASE_URL ASSET_ID NUMBER` stores them in a server's database.
"""

import asyncio
import sys
from decimal import Decimal

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import AssetRow
from impasto_server.db.engine import Database
from impasto_server.impact.models import BrandReadRow
from impasto_server.runs.models import RunRow
from impasto_server.utils import new_id

USD = Decimal("0.04")
BYTES = 1_000  # each counts towards the user's storage
ASSETS, RUNS, READS = AssetRow.__table__, RunRow.__table__, BrandReadRow.__table__


async def store_copies(session: AsyncSession, asset_id: str, number: int) -> None:
    """Store copies of an asset, each with a run of its own whose step read what the asset's step read.

    Making one again costs `USD`. A copied run has no journal.
    """
    asset = dict((await session.execute(select(ASSETS).where(ASSETS.c.id == asset_id))).one()._mapping)
    run = dict((await session.execute(select(RUNS).where(RUNS.c.id == asset["run_id"]))).one()._mapping)
    reads = (await session.execute(select(READS).where(READS.c.run_id == run["id"]))).mappings().all()
    run |= {"launch_key": None, "launch_digest": None}
    ids = [new_id() for _ in range(number)]
    await session.execute(
        insert(RUNS), [{**run, "id": each, "number": 10 + place} for place, each in enumerate(ids)]
    )
    await session.execute(
        insert(ASSETS),
        [{**asset, "id": new_id(), "run_id": each, "cost_usd": USD, "bytes": BYTES} for each in ids],
    )
    own = [read for read in reads if read["step"] == asset["step"]]
    await session.execute(
        insert(READS), [{**read, "run_id": each, "cost_usd": USD} for each in ids for read in own]
    )


async def main(url: str, asset_id: str, number: int) -> None:
    database = Database(url)
    async with database.writing() as session:
        await store_copies(session, asset_id, number)
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
