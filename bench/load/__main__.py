"""Load on a server: `python bench/load` prints what listeners of streams cost it."""

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

import streams
from installation import Installation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--listeners", default="1,20,100")
    chosen = parser.parse_args()
    table = Table(
        "listeners", "events", "live µs", "replayed µs", "ratio", "first event, slowest ms", "p99 ms"
    )
    with tempfile.TemporaryDirectory() as folder, Installation(Path(folder)) as installation:
        for listeners in map(int, chosen.listeners.split(",")):
            row = streams.measure(installation, listeners, chosen.samples)
            table.add_row(
                str(listeners),
                f"{row['events']:.0f}",
                f"{row['live']:.0f}",
                f"{row['replayed']:.0f}",
                f"{row['live'] / row['replayed']:.1f}",
                f"{row['first']:.0f}",
                f"{row['p99']:.0f}",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
