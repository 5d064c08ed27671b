"""Full-text search with an index: FTS5 on SQLite, `tsvector` on PostgreSQL.

A text is split into terms here, the same on both databases, and its terms are stored in a column. A query is
split likewise, so no character of it is syntax. The last word of a query matches as a prefix. Scripts without
spaces between words are split into pairs of characters.

Every indexed text has a term for its owner, so that the index finds one user's rows alone.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, false, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from impasto_server.db.text_normalization import nfkc_casefold

_MAX_QUERY_TERMS = 12
_MAX_TERM_CHARS = 60
# With more matches, reading the newest rows and comparing each is faster than sorting the matches.
_MAX_MATCHES = 500
_ASCII_TERM = re.compile(r"[a-z0-9]+")
# Thai, Lao, Burmese, Khmer, kana and Chinese characters.
_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
# The index of migration 0028 has this expression. A row of an older server may hold any text, which the index
# must not refuse.
_VECTOR = (
    "array_to_tsvector(array_remove(regexp_split_to_array("
    r"regexp_replace(owner_id || ' ' || words, '\S{255}\S*', ' ', 'g'), '\s+'), ''))"
)


@dataclass(frozen=True)
class TextIndex:
    """The index of a table's `words` column.

    `key` is the table's primary key and `words` its column of terms. `listed` is the key of the rows that are
    searched, which is another one if the terms are in a table beside them.
    """

    table: str
    key: InstrumentedAttribute[str]
    words: InstrumentedAttribute[str]
    listed: InstrumentedAttribute[str]

    @property
    def _matches(self) -> dict[str, str]:
        return {
            "sqlite": f"SELECT r.id FROM {self.table}_search s JOIN {self.table}_search_rows r"  # noqa: S608
            f" ON r.number = s.rowid WHERE {self.table}_search MATCH :query LIMIT :limit",
            "postgresql": f"SELECT {self.key.key} FROM {self.table}"  # noqa: S608
            f" WHERE {_VECTOR} @@ CAST(:query AS tsquery) LIMIT :limit",
        }

    async def conditions(
        self, session: AsyncSession, owner_id: str, query: str | None
    ) -> list[ColumnElement[bool]]:
        """Return the conditions that a row has every word of a query; none for a blank one."""
        if not query or not query.strip():
            return []
        terms = list(_query_terms(query))
        if not terms:
            return [false()]
        dialect = session.get_bind().dialect.name
        matching = _sqlite_query if dialect == "sqlite" else _postgresql_query
        found = await session.scalars(
            text(self._matches[dialect]), {"query": matching(owner_id, terms), "limit": _MAX_MATCHES + 1}
        )
        ids = found.all()
        if len(ids) <= _MAX_MATCHES:
            return [self.listed.in_(ids)]
        has_terms = [
            self.words.contains(f" {term}" if is_prefix else f" {term} ") for term, is_prefix in terms
        ]
        if self.listed is self.key:
            return has_terms
        return [exists().where(self.key == self.listed, *has_terms)]


def indexed_text(source: str) -> str:
    """Return the terms of a text in the form that a `words` column holds: with a space around each."""
    terms = dict.fromkeys(_terms(source))
    return f" {' '.join(terms)} " if terms else ""


def _sqlite_query(owner_id: str, terms: list[tuple[str, bool]]) -> str:
    parts = [f'"{term}"*' if is_prefix else f'"{term}"' for term, is_prefix in terms]
    return " AND ".join([*parts, f'"{owner_id.replace("-", "")}"'])


def _postgresql_query(owner_id: str, terms: list[tuple[str, bool]]) -> str:
    parts = [f"'{term}':*" if is_prefix else f"'{term}'" for term, is_prefix in terms]
    return " & ".join([*parts, f"'{owner_id}'"])


def _query_terms(query: str) -> Iterator[tuple[str, bool]]:
    """Yield the first terms of a query, and whether each is a prefix."""
    words = [part for word in _words(query) for part in _parts(word)][:_MAX_QUERY_TERMS]
    left = _MAX_QUERY_TERMS
    for index, part in enumerate(words):
        is_last = index == len(words) - 1
        if len(part) > 1 and _WITHOUT_SPACES.fullmatch(part):
            pairs = [part[at : at + 2] for at in range(len(part) - 1)][:left]
            left -= len(pairs)
            yield from ((pair, False) for pair in pairs)
        elif left > 0:
            left -= 1
            # One character of such a script is the start of a pair, or the end of a text.
            is_start = _WITHOUT_SPACES.fullmatch(part) is not None
            yield part[:_MAX_TERM_CHARS], is_start or (is_last and len(part) <= _MAX_TERM_CHARS)


def _terms(source: str) -> Iterator[str]:
    for word in _words(source):
        for part in _parts(word):
            if _WITHOUT_SPACES.fullmatch(part):
                yield from (part[at : at + 2] for at in range(len(part)))
            else:
                yield part[:_MAX_TERM_CHARS]


def _parts(word: str) -> Iterator[str]:
    """Split a word where a script without spaces begins or ends."""
    at = 0
    for run in _WITHOUT_SPACES.finditer(word):
        if run.start() > at:
            yield word[at : run.start()]
        yield run.group()
        at = run.end()
    if at < len(word):
        yield word[at:]


def _words(source: str) -> list[str]:
    """Split a text into words of letters and digits, in normalized spelling; a symbol is a word, too."""
    folded = nfkc_casefold(source)
    if folded.isascii():
        return _ASCII_TERM.findall(folded)
    return "".join(_spelled(character) for character in folded).split()


def _spelled(character: str) -> str:
    if character.isalnum():
        return character
    category = unicodedata.category(character)
    if category[0] == "M":
        return " " if "\ufe00" <= character <= "\ufe0f" else character
    # The databases take symbols for spaces: they are indexed by their code point.
    return f" u{ord(character):x} " if category[0] == "S" and character > "\x7f" else " "
