"""Cursor pagination: `{items, next_cursor}`, newest first."""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Depends, Query
from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.http.errors import FieldInvalid

Row = TypeVar("Row", bound=Any)


class PageQuery:
    """The requested page: at most `limit` items, those after the id `after`."""

    def __init__(self, limit: int = 50, after: str | None = None) -> None:
        self.limit = limit
        self.after = after


async def _page_query(
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of items.")] = 50,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> PageQuery:
    return PageQuery(limit, None if cursor is None else decode_cursor(cursor))


async def _optional_page_query(
    limit: Annotated[
        int | None, Query(ge=1, le=100, description="Maximum number of items of a page; 50 with a `cursor`.")
    ] = None,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> PageQuery | None:
    return None if limit is None and cursor is None else await _page_query(limit or 50, cursor)


Paging = Annotated[PageQuery, Depends(_page_query)]
OptionalPaging = Annotated[PageQuery | None, Depends(_optional_page_query)]
"""None if neither `limit` nor `cursor` is given."""


async def fetch_page(
    session: AsyncSession, query: Select[Row], paging: PageQuery, key: Any
) -> tuple[Sequence[Row], str | None]:
    """Run `query` ordered by `key` descending (ids sort by age); return the rows and the next cursor."""
    if paging.after is not None:
        query = query.where(key < paging.after)
    rows = (await session.scalars(query.order_by(key.desc()).limit(paging.limit + 1))).all()
    if len(rows) <= paging.limit:
        return rows, None
    page = rows[:-1]
    return page, encode_cursor(getattr(page[-1], key.key))


def encode_cursor(value: str) -> str:
    """Return the opaque cursor that continues after the item with this id."""
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode().rstrip("=")


def decode_cursor(cursor: str) -> str:
    """Return the id in a cursor. Raises `FieldInvalid` if the server has not made it."""
    try:
        value = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError):
        value = None
    if not isinstance(value, str):
        raise cursor_invalid()
    return value


def cursor_invalid() -> FieldInvalid:
    """Return the error for a cursor that the server has not made."""
    return FieldInvalid("cursor", "This cursor is not a next_cursor of this server.", "cursor_invalid")
