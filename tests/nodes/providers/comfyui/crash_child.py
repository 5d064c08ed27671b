"""A process that runs the node and is killed while it waits: journal and store are given."""

import asyncio
import sys

from tests.fakes.running import flow_of
from tests.nodes.providers.comfyui.test_job import SETTINGS

from impasto import Catalog, FolderStore, SqliteJournal, compile, execute


async def main(journal: str, store: str) -> None:
    await execute(
        compile(flow_of("comfyui_workflow", SETTINGS, {}), Catalog.discover()),
        {},
        run_id="crashed",
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        owner="the same machine",
        lease_seconds=1.0,
    )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
