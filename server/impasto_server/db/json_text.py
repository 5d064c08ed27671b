"""A JSON column kept as text: key order survives, and so does any character a model may write."""

from typing import Any

import orjson
from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator


class JsonText(TypeDecorator[Any]):
    """JSON as the text that orjson writes; None is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write the value."""
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read the value."""
        return None if value is None else orjson.loads(value)
