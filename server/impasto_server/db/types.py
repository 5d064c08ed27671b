"""Column types shared by every table."""

from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from sqlalchemy import JSON, DateTime, Dialect, String, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import mapped_column
from sqlalchemy.types import TypeDecorator

from impasto_server.utils import new_id

JsonColumn = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
JsonDict = dict[str, Any]
JsonList = list[Any]
Id = Annotated[str, mapped_column(String(36))]
PrimaryId = Annotated[str, mapped_column(String(36), primary_key=True, default=new_id)]


class UtcDateTime(TypeDecorator[datetime]):
    """A timestamp. Accepts timezone-aware datetimes only and always returns UTC, on SQLite too."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert an aware datetime to the stored value. Raises ValueError for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; pass a timezone-aware datetime")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert the stored value to an aware datetime in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def json_bytes(value: Any) -> int:
    """Return the size of a value in a `JsonText` column, in bytes; 0 for None."""
    return 0 if value is None else len(orjson.dumps(value))


class JsonText(TypeDecorator[Any]):
    """JSON stored as text. Unlike JSONB it keeps the order of keys and any character; None is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Serialize the value."""
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Parse the stored text."""
        return None if value is None else orjson.loads(value)
