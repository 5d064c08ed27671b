"""Tables of inputs: CSV with a header, or JSON."""

from typing import Any

import pytest

from impasto_server.batches.errors import TableInvalid
from impasto_server.batches.service import UploadedTable
from impasto_server.batches.table import MAX_CELLS, MAX_ROWS, count_cells, read_table

FORM: dict[str, dict[str, Any]] = {
    "brief": {"type": "string", "title": "Brief"},
    "count": {"type": "integer", "title": "Number"},
    "share": {"anyOf": [{"type": "number"}, {"type": "null"}], "title": "Share"},
    "bold": {"type": ["boolean", "null"], "title": "Bold"},
    "tags": {"type": "array", "title": "Tags"},
    "any": {"anyOf": [{"type": "object"}, {"type": "string"}], "title": "Same"},
    "free": {"title": "Same"},
}


def read(text: str, content_type: str = "text/csv; charset=utf-8") -> list[dict[str, Any]]:
    return read_table(content_type, text.encode(), FORM)


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("brief", "7", "7"),
        ("Brief", "7", "7"),
        (" BRIEF ", "7", "7"),
        ("count", "7", 7),
        ("share", "0.5", 0.5),
        ("bold", " Yes ", True),
        ("bold", "1", True),
        ("bold", "no", False),
        ("bold", "0", False),
        ("brief,bold", "a, ", False),
        ("tags", '"[1, ""a""]"', [1, "a"]),
        ("any", "{}", "{}"),
        ("free", "x", "x"),
    ],
)
def test_cell_is_read_as_the_type_of_its_input(column: str, cell: str, value: Any) -> None:
    (row,) = read(f"{column}\n{cell}\n")
    found = list(row.values())[-1]
    assert (len(row), found, type(found)) == (column.count(",") + 1, value, type(value))


def test_empty_cells_and_lines_are_left_out() -> None:
    assert read("\ufeffbrief,count\n\na,\n , \n,2\nb\n") == [{"brief": "a"}, {"count": 2}, {"brief": "b"}]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This table is empty."),
        ("brief\n", "This table has no rows."),
        ("nothing\na\n", "This agent has no input 'nothing'."),
        ("same\na\n", "This agent has no input 'same'."),
        ("brief,Brief\na,b\n", "Two columns of this table have the same name."),
        ("brief\na\nb,c\n", "Line 3 has more cells than the header."),
        ("count\nmany\n", "Line 2: 'many' is not a valid value for 'count'."),
        ("brief,bold\na,yes\na,maybe\n", "Line 3: 'maybe' is not a valid value for 'bold'."),
        ("tags\n[\n", "Line 2: '[' is not a valid value for 'tags'."),
        ('brief\n"a\n', "This CSV table cannot be read."),
        (f"count\n{2**64}\n", "This contains a number or a character that JSON cannot represent."),
        ("brief\n" + "a\n" * (MAX_ROWS + 1), "This table has 1,001 rows; the limit is 1,000."),
        ("brief\n" + "a,\n" * (MAX_CELLS // 2), "This table has at least 150,002 cells"),
    ],
)
def test_unreadable_csv_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(TableInvalid) as refused:
        read(text)
    assert str(refused.value.detail).startswith(sentence)


def test_table_may_have_1000_rows() -> None:
    assert len(read("brief\n" + "a\n" * MAX_ROWS)) == MAX_ROWS


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('[{"brief": "a"}, {"inputs": {"brief": "b"}}]', [{"brief": "a"}, {"brief": "b"}]),
        ('[{"inputs": "c"}, {"inputs": {}, "brief": "d"}]', [{"inputs": "c"}, {"inputs": {}, "brief": "d"}]),
    ],
)
def test_json_rows_may_name_their_inputs(text: str, rows: list[dict[str, Any]]) -> None:
    assert read(text, "application/json") == rows


@pytest.mark.parametrize("text", ["{}", "[1]", '[{"a": 1}, 2]', "brief\na\n", "[]"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(TableInvalid):
        read(text, "application/json")


def test_separators_in_quotes_count_only_below_the_limit() -> None:
    body = b'a,b\n"1,2,3",4\n'
    assert count_cells(body, 100) == 7, "an upper bound is enough"
    assert count_cells(body, 7) == 7
    assert count_cells(body, 6) == 5


@pytest.mark.parametrize(
    ("commas", "sentence"),
    [
        (MAX_CELLS - 2, "Line 2 has more cells than the header."),
        (MAX_CELLS - 1, "This table has at least 150,001 cells; the limit is 150,000."),
    ],
)
def test_table_has_at_most_150_000_cells(commas: int, sentence: str) -> None:
    with pytest.raises(TableInvalid) as refused:
        read("brief\n" + "," * commas + "a")
    assert str(refused.value.detail).startswith(sentence)


@pytest.mark.parametrize(("version", "requested"), [("draft", "draft"), ("7", 7), (None, None), ("", None)])
def test_version_of_an_uploaded_table_is_that_of_its_launches(version: str | None, requested: Any) -> None:
    assert UploadedTable("text/csv", b"", version).requested_version == requested


def test_uploaded_tables_differ_by_their_type_their_version_and_their_content() -> None:
    tables = [
        UploadedTable("text/csv", b"a", None),
        UploadedTable("text/csv", b"b", None),
        UploadedTable("text/csv", b"a", "1"),
        UploadedTable("application/json", b"a", None),
    ]
    assert len({table.digest for table in tables}) == 4
    assert UploadedTable("text/csv", b"a", None).digest == tables[0].digest
