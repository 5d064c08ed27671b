"""Table: rows as input; a step that takes one row runs once per row."""

from typing import Annotated, Any

from impasto import Json, NodeError, Setting, node

MAX_ROWS = 1_000


@node(
    id="table",
    title="Table",
    category="inputs",
    keywords=("csv", "spreadsheet", "rows", "excel", "sheet", "data"),
)
async def table(
    *,
    rows: Annotated[
        list[dict[str, Any]],
        Setting(title="Rows", widget="table", help="Column names and values.", input=True, main=True),
    ] = [],  # noqa: B006
) -> list[Json]:
    """Gives the rows of a table as data: a step that takes one row runs once per row."""
    if len(rows) > MAX_ROWS:
        raise NodeError(f"The table has {len(rows)} rows; {MAX_ROWS} is the limit.", code="too_many_rows")
    return list(rows)
