"""What a process runs that is killed while its node waits: settings, journal and store are given."""

import asyncio
import json
import os

from tests.fakes.running import flow_of

from impasto import Catalog, FolderStore, SqliteJournal, compile, execute


async def main(settings: str, journal: str, store: str) -> None:
    await execute(
        compile(flow_of("comfyui_workflow", json.loads(settings), {}), Catalog.discover()),
        {},
        run_id="crashed",
        journal=SqliteJournal(journal),
        store=FolderStore(store),
        owner="the same machine",
        lease_seconds=1.0,
    )


def live(environment: dict[str, str], given: list[str]) -> None:
    """Run the node in this environment."""
    os.environ.clear()
    os.environ.update(environment)
    asyncio.run(main(*given))
