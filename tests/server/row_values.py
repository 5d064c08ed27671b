"""The values of a row of the database, to compare all of them at once."""

from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import DeclarativeBase


def values_of(row: DeclarativeBase, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the values of a row by column, except those that a test cannot know."""
    columns = inspect(type(row)).column_attrs
    return {column.key: getattr(row, column.key) for column in columns if column.key not in without}
