"""How features export the data of a user: in pages, and as JSON that is written while it is read."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.engine import Database
from impasto_server.users.data_owners import DataOwner, Entry, Erasure, json_array, pages_of
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)


async def written(*items: Any) -> bytes:
    async def given() -> AsyncIterator[Any]:
        for item in items:
            yield item

    return b"".join([piece async for piece in json_array(given())])


async def test_json_array_has_a_line_for_each_item() -> None:
    assert await written() == b"[]\n"
    assert await written({"a": 1}) == b'[\n{"a":1}\n]\n'
    three = await written({"a": 1}, None, [2])
    assert three == b'[\n{"a":1},\nnull,\n[2]\n]\n'
    assert orjson.loads(three) == [{"a": 1}, None, [2]]


async def test_rows_are_read_in_pages_in_the_order_of_the_key(app_state: AppState) -> None:
    async def pages(size: int) -> list[list[str]]:
        query = select(User).where(User.username != "d")
        return [
            [user.id for user in page] async for page in pages_of(app_state.database, query, User.id, size)
        ]

    assert await pages(2) == []
    async with app_state.database.writing() as session:
        session.add_all(User(id=name, username=name, username_key=name, created_at=AT) for name in "ecdabf")
    assert await pages(2) == [["a", "b"], ["c", "e"], ["f"]]
    assert await pages(5) == [["a", "b", "c", "e", "f"]]


async def test_stored_objects_of_a_feature_are_optional() -> None:
    async def export(database: Database, user_id: str) -> AsyncIterator[Entry]:
        yield Entry("a.json")

    async def erase(session: AsyncSession, user_id: str) -> Erasure:
        return Erasure()

    assert await DataOwner(export, erase).references(AsyncSession(), "avatars/a") is False
    entry, erasure = Entry("a.json"), Erasure()
    assert (entry.data, entry.object_key, entry.pieces) == (b"", None, None)
    assert (erasure.object_keys, erasure.topics) == ((), ())
