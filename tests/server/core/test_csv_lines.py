"""Lines of CSV, and cells that no spreadsheet executes."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto_server.storage.csv_lines import as_text, csv_lines

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(st.lists(st.lists(CELLS, min_size=2), min_size=1))
def test_reader_gets_the_same_cells(rows: list[list[str]]) -> None:
    assert list(csv.reader(io.StringIO(csv_lines(rows), newline=""))) == rows


@pytest.mark.parametrize(("line_end", "expected"), [("\r\n", "a,b\r\nc,d\r\n"), ("\n", "a,b\nc,d\n")])
def test_lines_have_the_given_end(line_end: str, expected: str) -> None:
    assert csv_lines([["a", "b"], ["c", "d"]], line_end=line_end) == expected


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_formulas_are_marked_as_text(start: str) -> None:
    assert as_text(f"{start}1") == f"'{start}1"


@pytest.mark.parametrize("cell", ["", "1", "a=1", " =1", "'"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert as_text(cell) == cell
