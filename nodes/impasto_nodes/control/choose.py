"""Choose: sends a value through the first branch that matches; the other branches are closed."""

import math
from typing import Annotated, Literal, NamedTuple

from impasto import SKIP, Any, NodeError, Port, Setting, Text, node

How = Literal["equals", "contains", "starts with", "greater than", "less than", "is empty"]


class Branches(NamedTuple):
    """Exactly one of these has the value; the others are closed."""

    case_1: Annotated[Any, Port(title="Case 1", help="The first case fits.")]
    case_2: Annotated[Any, Port(title="Case 2", help="The second case fits.")]
    case_3: Annotated[Any, Port(title="Case 3", help="The third case fits.")]
    case_4: Annotated[Any, Port(title="Case 4", help="The fourth case fits.")]
    otherwise: Annotated[Any, Port(title="Otherwise", help="None of the cases fits.")]


@node(
    id="choose",
    title="Choose",
    category="transform_assets",
    deprecated=True,
    replaced_by="condition",
    keywords=("if", "else", "switch", "condition", "branch", "case", "route", "router", "when"),
)
async def choose(
    value: Annotated[Any, Port(title="Value", help="What goes on.")],
    by: Annotated[Text | None, Port(title="By", help="What decides. Unconnected: the value itself.")] = None,
    *,
    cases: Annotated[
        list[str],
        Setting(title="Cases", widget="list", help="Up to four; the first that fits is taken.", main=True),
    ] = [],  # noqa: B006
    match: Annotated[How, Setting(title="Fits when it", widget="select")] = "equals",
    same_case: Annotated[bool, Setting(title="Capitals count", advanced=True)] = False,
) -> Branches:
    """Send a value down the branch whose case fits; what hangs on the other branches is skipped."""
    if len(cases) > 4:
        raise NodeError(
            "Choose has four cases at most. Put another Choose behind 'Otherwise'.", code="too_many_cases"
        )
    said = as_text(value) if by is None else by
    fits = [number for number, case in enumerate(cases) if meets(said, case, match, same_case)]
    taken = fits[0] if fits else 4
    return Branches(*(value if number == taken else SKIP for number in range(5)))


def as_text(value: object) -> str:
    """Return a text or number as text; raises NodeError for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if value is None or isinstance(value, str | int | float):
        return "" if value is None else str(value)
    raise NodeError(
        "Only text and numbers can be compared. Connect what decides to 'By'.", code="not_comparable"
    )


def meets(said: str, case: str, match: How, same_case: bool) -> bool:
    """Return whether a text meets a condition; raises NodeError if it must be a number and is none."""
    said, case = (said, case) if same_case else (said.casefold(), case.casefold())
    said, case = said.strip(), case.strip()
    if match == "is empty":
        return not said
    if match in {"greater than", "less than"}:
        one, other = _number(said), _number(case)
        return one > other if match == "greater than" else one < other
    return {"equals": said == case, "contains": case in said, "starts with": said.startswith(case)}[match]


def _number(text: str) -> float:
    number = number_in(text)
    if number is None:
        raise NodeError(f"'{text}' is not a number, so it can't be compared as one.", code="not_a_number")
    return number


def number_in(text: str) -> float | None:
    """Return a text as a finite number, with a point or a comma before its decimals; None if it is none."""
    try:
        number = float(text.replace(",", "."))  # two separators of any kind make no number
    except ValueError:
        return None
    return number if math.isfinite(number) else None
