"""Pages of a list, newest first."""

from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from impasto_server.audit.models import AuditRow
from impasto_server.db.engine import Database
from impasto_server.http.pagination import (
    OptionalPaging,
    PageQuery,
    Paging,
    decode_cursor,
    encode_cursor,
    fetch_page,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("limit", "after", "found", "continues_after"),
    [
        (4, None, ["d", "c", "b", "a"], None),
        (5, None, ["d", "c", "b", "a"], None),
        (3, None, ["d", "c", "b"], "b"),
        (2, None, ["d", "c"], "c"),
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


@pytest.mark.parametrize(
    ("query", "paging", "optional"),
    [
        ({}, [50, None], None),
        ({"limit": "1"}, [1, None], [1, None]),
        ({"limit": "100"}, [100, None], [100, None]),
        ({"cursor": encode_cursor("b")}, [50, "b"], [50, "b"]),
        ({"cursor": encode_cursor("b"), "limit": "7"}, [7, "b"], [7, "b"]),
    ],
    ids=["nothing", "one", "hundred", "cursor", "both"],
)
async def test_page_has_50_items_unless_another_limit_is_given(
    query: dict[str, str], paging: list[object], optional: list[object] | None
) -> None:
    app = FastAPI()

    @app.get("/pages")
    async def pages(asked: Paging) -> list[int | str | None]:
        return [asked.limit, asked.after]

    @app.get("/all")
    async def everything(asked: OptionalPaging) -> list[int | str | None] | None:
        return None if asked is None else [asked.limit, asked.after]

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        found = [(await client.get(path, params=query)).json() for path in ("/pages", "/all")]
        refused = [(await client.get("/pages", params={"limit": limit})).status_code for limit in (0, 101)]
    assert found == [paging, optional]
    assert refused == [422, 422]
