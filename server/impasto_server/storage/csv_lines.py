"""Lines of CSV, and cells that spreadsheets show as text."""

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_lines(rows: Iterable[Sequence[str]], *, line_end: str = "\r\n") -> str:
    """Return rows of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows(rows)
    return text.getvalue()


def as_text(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, which it would execute."""
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell
