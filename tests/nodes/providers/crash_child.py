"""What a process runs that is killed while its node waits: journal, store, node and settings are given.

With "before" or "after" it kills itself as its journal writes a charge: just before, or just after.
"""

import asyncio
import json
import os
import signal
from typing import Any

from tests.fakes.running import flow_of
from tests.fakes.state import GOOD_KEY

from impasto import Catalog, FolderStore, SqliteJournal, compile, execute


async def credentials(provider: str) -> str:
    return GOOD_KEY


def dying(journal: SqliteJournal, moment: str) -> SqliteJournal:
    """Return the journal, which kills the process when it writes a charge."""
    append = journal.append

    async def append_and_die(lease: Any, batch: Any) -> None:
        has_charge = any(entry.kind == "charge" for entry in batch)
        if has_charge and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        await append(lease, batch)
        if has_charge:
            os.kill(os.getpid(), signal.SIGKILL)

    vars(journal)["append"] = append_and_die
    return journal


async def main(journal: str, store: str, node: str, settings: str, moment: str = "") -> None:
    flow = flow_of(node, json.loads(settings), {"prompt": "A can"})
    plan = compile(flow, Catalog.discover())
    await execute(
        plan,
        {},
        run_id="crashed",
        journal=dying(SqliteJournal(journal), moment) if moment else SqliteJournal(journal),
        store=FolderStore(store),
        credentials=credentials,
        owner="the same machine",
    )


def live(environment: dict[str, str], given: list[str]) -> None:
    """Run the node in this environment."""
    os.environ.clear()
    os.environ.update(environment)
    asyncio.run(main(*given))
