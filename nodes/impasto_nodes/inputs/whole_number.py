"""Whole number: a count as input."""

from typing import Annotated

from impasto import Integer, Setting, node
from impasto_nodes.inputs.number import refuse_outside


@node(
    id="whole_number",
    title="Whole number",
    category="inputs",
    keywords=("integer", "count", "int", "amount", "variable"),
)
async def whole_number(
    *,
    value: Annotated[int, Setting(title="Value", widget="number", step=1, input=True, main=True)] = 1,
    lowest: Annotated[int | None, Setting(title="Lowest", help="Smaller values are refused.")] = None,
    highest: Annotated[int | None, Setting(title="Highest", help="Larger values are refused.")] = None,
) -> Integer:
    """A count, such as how many images to make, within limits if there are any."""
    refuse_outside(value, lowest, highest)
    return value
