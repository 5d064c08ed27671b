"""Rows that are inserted without a session's unit of work."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import String, inspect, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

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


class _Base(DeclarativeBase):
    """The base of a table of this test alone."""


class Jug(_Base):
    """A row whose colour the database chooses."""

    __tablename__ = "jugs"

    id: Mapped[str] = mapped_column(String, primary_key=True)
    colour: Mapped[str] = mapped_column(String, server_default="blue")


async def test_a_default_that_only_the_database_knows_is_refused(no_rows: str) -> None:
    database = Database(no_rows)
    try:
        async with database.writing() as session:
            with pytest.raises(TypeError, match=r"^Jug\.colour has a default in the database only$"):
                await rows.insert(session, [Jug(id="a")])  # type: ignore[list-item]
    finally:
        await database.close()
