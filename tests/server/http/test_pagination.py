"""Pages of a list, newest first."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from impasto_server.audit.models import AuditRow
from impasto_server.db.engine import Database
from impasto_server.http.pagination import PageQuery, decode_cursor, fetch_page

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("limit", "after", "found", "continues_after"),
    [
        (4, None, ["d", "c", "b", "a"], None),
        (5, None, ["d", "c", "b", "a"], None),
        (3, None, ["d", "c", "b"], "b"),
        (2, "d", ["c", "b"], "b"),
        (2, "c", ["b", "a"], None),
        (2, "a", [], None),
    ],
)
async def test_page_has_the_next_items_and_a_cursor_if_there_are_more(
    data_folder: Path, limit: int, after: str | None, found: list[str], continues_after: str | None
) -> None:
    database = Database(f"sqlite+aiosqlite:///{data_folder / 'impasto.db'}")
    about = {"at": datetime.now(UTC), "action": "sign_in", "outcome": "success", "actor_kind": "user"}
    async with database.writing() as session:
        session.add_all([AuditRow(id=name, **about) for name in "bdac"])
        await session.flush()
        rows, cursor = await fetch_page(session, select(AuditRow), PageQuery(limit, after), AuditRow.id)
    await database.close()
    assert [row.id for row in rows] == found
    assert (cursor and decode_cursor(cursor)) == continues_after
