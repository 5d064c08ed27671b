"""Number: a number as input."""

from typing import Annotated

from impasto import NodeError, Number, Setting, node


@node(
    id="number",
    title="Number",
    category="inputs",
    keywords=("decimal", "float", "value", "slider", "variable"),
)
async def number(
    *,
    value: Annotated[float, Setting(title="Value", widget="number", input=True, main=True)] = 0.0,
    lowest: Annotated[float | None, Setting(title="Lowest", help="Smaller values are refused.")] = None,
    highest: Annotated[float | None, Setting(title="Highest", help="Larger values are refused.")] = None,
) -> Number:
    """A number, within limits if there are any."""
    refuse_outside(value, lowest, highest)
    return value


def refuse_outside(value: float, lowest: float | None, highest: float | None) -> None:
    """Raise a NodeError for a value beyond its limits."""
    if lowest is not None and value < lowest:
        raise NodeError(f"{value:g} is too small: use {lowest:g} or more.", code="out_of_range")
    if highest is not None and value > highest:
        raise NodeError(f"{value:g} is too large: use {highest:g} or less.", code="out_of_range")
