"""Comparing texts without case and accents, in SQL on both databases."""

import re
import unicodedata
from typing import Any

from sqlalchemy import ColumnElement, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

SQLITE_FUNCTION = "impasto_fold"
# The indexes of migrations 0039 and 0040 are of texts without these.
_ACCENT = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Return the text in lower case and without accents: "Café" and "cafe" are equal.

    Marks of other scripts stay, such as tones in Thai: words differ by them.
    """
    if text.isascii():
        return text.lower()
    return _ACCENT.sub("", unicodedata.normalize("NFKD", text)).lower()


class _Folded(FunctionElement[str]):
    """`fold` of columns, joined by spaces, computed by the database."""

    type = String()
    inherit_cache = True


@compiles(_Folded, "sqlite")
def _on_sqlite(element: _Folded, compiler: SQLCompiler, **options: Any) -> str:
    return f"{SQLITE_FUNCTION}({_joined(element, compiler, options)})"


@compiles(_Folded, "postgresql")
def _on_postgresql(element: _Folded, compiler: SQLCompiler, **options: Any) -> str:
    return _folded(_joined(element, compiler, options))


def folded_on_postgresql(*columns: str) -> str:
    """Return the expression of `fold` of columns, joined by spaces, as an index of PostgreSQL has it."""
    return _folded(" || ' ' || ".join(columns))


def _folded(text: str) -> str:
    return f"lower(regexp_replace(normalize({text}, NFKD), '{_ACCENT.pattern}', '', 'g'))"


def _joined(element: _Folded, compiler: SQLCompiler, options: dict[str, Any]) -> str:
    return " || ' ' || ".join(compiler.process(clause, **options) for clause in element.clauses)


def contains_words(query: str, *columns: InstrumentedAttribute[str]) -> list[ColumnElement[bool]]:
    """Return the conditions that each word of a query is a part of the columns' texts."""
    return [_Folded(*columns).contains(word, autoescape=True) for word in fold(query).split()]
