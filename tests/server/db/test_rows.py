"""Rows that are inserted without a session's unit of work."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import inspect, select

from impasto_server.db import rows
from impasto_server.db.engine import Database
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def _user(name: str) -> User:
    return User(username=name, username_key=name, email=None, email_key=name, created_at=_TIME)


async def test_an_inserted_row_has_what_a_session_would_have_written(no_rows: str) -> None:
    database = Database(no_rows)
    one, two, flushed = _user("one"), _user("two"), _user("three")
    one.info = {"a": [1]}
    try:
        async with database.writing() as session:
            await rows.insert(session, [one])
            await rows.insert(session, [two])
            await rows.insert(session, [])
            session.add(flushed)
            two.username = "changed"
        async with database.reading() as session:
            stored = {row.id: row for row in await session.scalars(select(User))}
    finally:
        await database.close()

    columns = [each.key for each in inspect(User).column_attrs]
    assert {name: getattr(one, name) for name in columns} == {
        name: getattr(stored[one.id], name) for name in columns
    }
    assert stored[two.id].username == "two"
    own = {"id", "username", "username_key", "email_key"}
    assert [getattr(stored[two.id], name) for name in columns if name not in own] == [
        getattr(stored[flushed.id], name) for name in columns if name not in own
    ]
