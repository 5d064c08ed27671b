"""Outputs that later runs reuse, on their way to the database."""

from typing import Any

import pytest
from anyio.lowlevel import checkpoint
from sqlalchemy import event

from impasto_server.runs.launch.reuse import ReuseWriter

pytestmark = pytest.mark.anyio


async def test_entries_of_a_quarter_of_a_second_are_written_together(person: Any, app_state: Any) -> None:
    owner_id = await person.id()
    writer = ReuseWriter(app_state.database, app_state.clock)
    written: list[str] = []

    @event.listens_for(app_state.database.engine.sync_engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT"):
            written.append(statement)

    for key in ("a", "b", "c"):
        await writer.add(owner_id, key, b"output")
        await checkpoint()  # without a delay the first one would be written alone
    await writer.flush()

    assert len(written) == 1
