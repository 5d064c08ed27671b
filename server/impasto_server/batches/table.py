"""Reading a table of inputs: CSV with a header, or a JSON list."""

import csv
import io
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic_core import PydanticCustomError

from impasto.compiler.suggestions import listed
from impasto_server.batches.errors import TableInvalid
from impasto_server.http.schemas import storable

MAX_ROWS = 1000
MAX_CELLS = 150_000
_NUMBERS = {"integer": int, "number": float}
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
Rows = list[dict[str, Any]]


def read_table(content_type: str, body: bytes, form: Mapping[str, Any]) -> Rows:
    """Return the inputs of each row.

    `form` are the JSON Schemas of the agent's inputs by node id. A CSV header names inputs by id or title.
    Raises `TableInvalid`.
    """
    rows = (
        _csv_rows(body, form)
        if content_type.split(";", maxsplit=1)[0].strip() == "text/csv"
        else _json_rows(body)
    )
    if not rows:
        raise TableInvalid("This table has no rows.")
    try:
        storable(rows)
    except PydanticCustomError as error:
        raise TableInvalid(error.message()) from error
    if len(rows) > MAX_ROWS:
        raise TableInvalid(f"This table has {len(rows):,} rows; the limit is {MAX_ROWS:,}.")
    return rows


def _json_rows(body: bytes) -> Rows:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise TableInvalid("The body is not JSON. Send CSV tables as text/csv.") from error
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise TableInvalid("A batch is a JSON list of objects: the inputs of each run.")
    return [
        row["inputs"] if set(row) == {"inputs"} and isinstance(row["inputs"], dict) else row for row in data
    ]


def _csv_rows(body: bytes, form: Mapping[str, Any]) -> Rows:
    try:
        cells = count_cells(body, MAX_CELLS)
        if cells > MAX_CELLS:
            raise TableInvalid(
                f"This table has at least {cells:,} cells; the limit is {MAX_CELLS:,}. "
                "Split it into several tables."
            )
        text = body.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise TableInvalid("This CSV table cannot be read. Save it as UTF-8 with commas.") from error
    lines = [line for line in lines if any(cell.strip() for cell in line)]
    if not lines:
        raise TableInvalid("This table is empty.")
    columns = _columns(lines[0], form)
    if len(set(columns)) != len(columns):
        raise TableInvalid("Two columns of this table have the same name.")
    return [_row(index, columns, line, form) for index, line in enumerate(lines[1:], 2)]


def _columns(header: list[str], form: Mapping[str, Any]) -> list[str]:
    """Return the node id of each column, which names an input by its id or by its title."""
    by_title: dict[str, list[str]] = {}
    for node, schema in form.items():
        by_title.setdefault(str(schema.get("title", "")).lower(), []).append(node)
    return [_column(cell.strip(), form, by_title) for cell in header]


def _column(name: str, form: Mapping[str, Any], by_title: Mapping[str, list[str]]) -> str:
    if name in form:
        return name
    nodes = by_title.get(name.lower(), [])
    if len(nodes) != 1:
        raise TableInvalid(f"This agent has no input '{name[:100]}'. Its inputs are: {listed(form)}.")
    return nodes[0]


def count_cells(body: bytes, max_cells: int) -> int:
    """Return how many cells a CSV table holds, in time linear in its size; exact if more than `max_cells`."""
    upper_bound = _separators(body)
    return upper_bound if upper_bound <= max_cells else _separators(b"".join(body.split(b'"')[::2]))


def _separators(text: bytes) -> int:
    return text.count(b",") + text.count(b"\n") + 1


def _row(index: int, columns: list[str], line: list[str], form: Mapping[str, Any]) -> dict[str, Any]:
    if len(line) > len(columns):
        raise TableInvalid(f"Line {index} has more cells than the header.")
    cells = zip(columns, line, strict=False)
    return {name: _value(index, name, cell, form[name]) for name, cell in cells if cell != ""}


def _value(index: int, name: str, cell: str, schema: Mapping[str, Any]) -> Any:
    types = _types(schema)
    try:
        for kind, read in _NUMBERS.items():
            if kind in types:
                return read(cell)
        if "boolean" in types:
            return _BOOLEANS[cell.strip().lower()]
        if types & {"object", "array"} and "string" not in types:
            return orjson.loads(cell)
    except (ValueError, KeyError) as error:
        raise TableInvalid(f"Line {index}: '{cell}' is not a valid value for '{name}'.") from error
    return cell


def _types(schema: Mapping[str, Any]) -> set[str]:
    kind = schema.get("type")
    found = set(kind) if isinstance(kind, list) else {str(kind)} if kind else set()
    for option in schema.get("anyOf", ()):
        found |= _types(option)
    return found
