"""Library search at 100,000 assets: `python bench/search.py DATABASE_URL` prints p50 and p99.

It fills the database, which must be empty and for this alone: a URL of SQLite or PostgreSQL, as in
 IMPASTO_DATABASE_URL.
"""

import asyncio
import random
import statistics
import sys
import time

from sqlalchemy import insert

from impasto_server.assets import repository
from impasto_server.assets.models import AssetRow, search_text
from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import migrate
from impasto_server.users.models import User
from impasto_server.utils import new_id, utc_now

ASSETS = 100_000
QUERIES = 300
COMMON = ["morning", "light", "on", "warm", "paper", "with", "blue", "jug", "and", "bright", "table"]


def asset(owner_id, number):
    """Return a row with a rare word of its own and common words."""
    words = " ".join(random.sample(COMMON, 6))
    name = f"shot-{number}.png"
    prompt = f"{words} rare{number % 20_000}"
    return {
        "id": new_id(), "owner_id": owner_id, "kind": "image", "media_type": "image/png", "name": name,
        "bytes": 1, "sha256": "x", "object_key": "x", "source": "run", "prompt": prompt,
        "input_asset_ids": [],
        "words": search_text(name, "Kiln", prompt, "image/png"),
    }  # fmt: skip


async def measure(database, owner_id, query_of):
    """Return the seconds of each query for a first page."""
    taken = []
    for number in range(QUERIES):
        begun = time.perf_counter()
        async with database.reading() as session:
            words = await repository.TEXT_INDEX.conditions(session, owner_id, query_of(number))
            query = repository.library_query(owner_id, repository.LibraryFilter()).where(*words)
            (await session.scalars(query.order_by(AssetRow.id.desc()).limit(51))).all()
        taken.append(time.perf_counter() - begun)
    return taken


async def main(url):
    """Fill the database and print a line for each kind of query."""
    random.seed(1)
    await migrate(url)
    database = Database(url)
    async with database.writing() as session:
        user = User(username="mara", username_key="mara", betas=[], created_at=utc_now())
        session.add(user)
        await session.flush()
        owner_id = user.id
    for start in range(0, ASSETS, 5000):
        rows = [asset(owner_id, start + number) for number in range(5000)]
        async with database.writing() as session:
            await session.execute(insert(AssetRow), rows)
    kinds = {
        "rare word": lambda number: f"rare{number * 61 % 20_000}",
        "rare and common word": lambda number: f"morning rare{number * 37 % 20_000}",
        "prefix of a rare word": lambda number: f"rare{number * 61 % 20_000}"[:-1],
        "word of every other asset": lambda number: COMMON[number % len(COMMON)],
        "word of none": lambda number: f"none{number}",
    }
    for name, query_of in kinds.items():
        taken = sorted(await measure(database, owner_id, query_of))
        p50, p99 = statistics.median(taken), taken[int(len(taken) * 0.99)]
        print(f"{name}: p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")
    await database.close()


asyncio.run(main(sys.argv[1]))
