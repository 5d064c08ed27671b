"""Search for parts of words with an index of trigrams: FTS5 on SQLite, GIN on PostgreSQL.

The index finds the rows that may match. The condition of `contains_words` decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.folding import fold

_GRAM_CHARS = 3
_MAX_GRAMS = 32
# With more rows, reading all in the order of the list finds a page sooner.
_MAX_ROWS = 500


@dataclass(frozen=True)
class SubstringIndex:
    """The index of a table with a column `id`, which a migration has created for `folded`, an expression."""

    table: str
    folded: str

    async def candidates(self, session: AsyncSession, query: str) -> Sequence[str] | None:
        """Return the ids of all rows that may have every word of a query as a part of their text.

        None if the index is of no use: words are shorter than three characters, or there are too many rows.
        """
        grams = _grams(query)
        if not grams:
            return None
        if session.get_bind().dialect.name == "sqlite":
            found = f"SELECT r.id FROM {self.table}_search s JOIN {self.table}_search_rows r"  # noqa: S608
            found += f" ON r.number = s.rowid WHERE {self.table}_search MATCH :grams LIMIT :limit"
            wanted: object = " AND ".join(f'"{gram.replace(chr(34), chr(34) * 2)}"' for gram in grams)
        else:
            found = f"SELECT id FROM {self.table} WHERE impasto_grams({self.folded})"  # noqa: S608
            found += " @> CAST(:grams AS text[]) LIMIT :limit"
            wanted = grams
        values = {"grams": wanted, "limit": _MAX_ROWS + 1}
        ids = (await session.scalars(text(found), values)).all()
        return ids if len(ids) <= _MAX_ROWS else None


def _grams(query: str) -> list[str]:
    parts = (
        word[at : at + _GRAM_CHARS]
        for word in fold(query).split()
        for at in range(len(word) - _GRAM_CHARS + 1)
    )
    return list(dict.fromkeys(parts))[:_MAX_GRAMS]
