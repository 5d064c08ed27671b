"""A process that runs one node and is killed while it waits: journal, store, node and settings are given."""

import asyncio
import json
import sys

from tests.fakes.running import flow_of
from tests.fakes.state import GOOD_KEY

from impasto import Catalog, FolderStore, SqliteJournal, compile, execute


async def credentials(provider: str) -> str:
    return GOOD_KEY


async def main(journal: str, store: str, node: str, settings: str) -> None:
    flow = flow_of(node, json.loads(settings), {"prompt": "A can"})
    plan = compile(flow, Catalog.discover())
    await execute(
        plan,
        {},
        run_id="crashed",
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        credentials=credentials,
        owner="the same machine",
    )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
