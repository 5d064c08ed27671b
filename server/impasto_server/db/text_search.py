"""Search of normalized text columns."""

from sqlalchemy import ColumnElement
from sqlalchemy.orm import InstrumentedAttribute

from impasto_server.db.text_normalization import nfkc_casefold

_MAX_WORDS = 8


def has_words(column: InstrumentedAttribute[str], text: str | None) -> list[ColumnElement[bool]]:
    """Return the conditions that `column` contains each of the first words of a text, in any order.

    `column` must hold text in the spelling of `nfkc_casefold`.
    """
    words = nfkc_casefold(text or "").split()[:_MAX_WORDS]
    return [column.contains(word, autoescape=True) for word in words]
