"""Condition: sends a value through the first case whose rules it meets; the other cases are closed."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple
from typing import Any as Value

from impasto import SKIP, Any, Json, NodeError, Port, Setting, node
from impasto_nodes.control.rules import TESTS, Case, Rule, Subjects, is_met, rule_error

MAX_CASES = 8
_MAX_KNOWN = 1000  # characters that an estimate compares: it must not take longer than its request
_PORTS = tuple(f"case_{number}" for number in range(1, MAX_CASES + 1))
_Branch = Annotated[Any, Port(item_of="cases", help="The value, if this is the first case that it meets.")]


class Branches(NamedTuple):
    """Exactly one of these has the value; the others are closed."""

    case_1: _Branch
    case_2: _Branch
    case_3: _Branch
    case_4: _Branch
    case_5: _Branch
    case_6: _Branch
    case_7: _Branch
    case_8: _Branch
    otherwise: Annotated[Any, Port(title="Otherwise", help="The value, if it meets none of the cases.")]


def find_problems(
    settings: Mapping[str, Value], configured: frozenset[str] | None
) -> Iterator[dict[str, str]]:
    """Yield the problems of the cases that are known before a run."""
    ports: set[str] = set()
    names: set[str] = set()
    for at, case in enumerate(settings.get("cases") or ()):
        name, port = str(case["name"]).strip(), case["port"]
        if port not in _PORTS or port in ports:
            why = f"has the port '{port}'; each needs another of {_PORTS[0]} to {_PORTS[-1]}"
            yield _problem(at, "port", f"Case {at + 1} {why}.", "Change its port.")
        if not name or name.casefold() in names:
            why = "has no name" if not name else f"has the name '{name}', as another case does"
            yield _problem(at, "name", f"Case {at + 1} {why}.", "Give each case a name of its own.")
        ports.add(port)
        names.add(name.casefold())
        yield from _rule_problems(at, name or f"Case {at + 1}", case)


def _rule_problems(at: int, name: str, case: Mapping[str, Value]) -> Iterator[dict[str, str]]:
    groups = case.get("groups") or ()
    if not case["rules"] and not groups:
        yield _problem(at, "rules", f"The case '{name}' has no rules.", "Add a rule, or remove the case.")
    listed = [("rules", f"the case '{name}'", case["rules"])]
    listed += [
        (f"groups[{number}].rules", f"group {number + 1} of the case '{name}'", group["rules"])
        for number, group in enumerate(groups)
    ]
    for path, owner, rules in listed:
        if path != "rules" and not rules:
            yield _problem(at, path, f"There are no rules in {owner}.", "Add a rule, or remove the group.")
        for number, rule in enumerate(rules):
            why = rule_error(rule)
            if why:
                message = f"Rule {number + 1} of {owner}: {why}."
                part = "value" if rule["test"] in TESTS[rule["kind"]] else "test"
                yield _problem(at, f"{path}[{number}].{part}", message, "Correct the rule.")


def _problem(at: int, path: str, message: str, hint: str) -> dict[str, str]:
    setting = f"cases[{at}].{path}"
    return {
        "code": "bad_condition",
        "message": message,
        "setting": setting,
        "hint": hint,
        "severity": "error",
    }


def expect(settings: Mapping[str, Value], inputs: Mapping[str, Value]) -> dict[str, Value]:
    """Return the branches that a known 'By' closes.

    Nothing if a rule looks at a list or a brand check, or has a regular expression: compiling thousands would
    take seconds, and cost functions are asked on the event loop.
    """
    by, cases = inputs.get("by"), settings.get("cases") or []
    rules = [rule for case in cases for part in (case, *case.get("groups", ())) for rule in part["rules"]]
    is_known = isinstance(by, str | int | float) and len(str(by)) <= _MAX_KNOWN
    if not is_known or not all(_is_quick(rule) for rule in rules):
        return {}
    try:
        taken = _taken(cases, Subjects(by, None, None))
    except NodeError:  # the run will say so
        return {}
    return {"closed": [name for name in Branches._fields if name != taken]}


def _is_quick(rule: Rule) -> bool:
    return rule["kind"] in ("text", "number") and "match" not in rule["test"]


def _taken(cases: list[Case], subjects: Subjects) -> str:
    """Return the port of the first case that is met. Raises NodeError."""
    problem = next(find_problems({"cases": cases}, None), None)
    if problem is not None:
        raise NodeError(problem["message"], code="bad_condition")
    return next((case["port"] for case in cases if is_met(case, subjects)), "otherwise")


@node(
    id="condition",
    title="Condition",
    category="transform_assets",
    keywords=(
        "if",
        "else",
        "switch",
        "branch",
        "case",
        "route",
        "router",
        "when",
        "choose",
        "rules",
        "regex",
    ),
    check=find_problems,
    cost=expect,
)
async def condition(
    value: Annotated[Any, Port(title="Value", help="What goes on.")],
    by: Annotated[
        Any | None,
        Port(title="By", help="What rules about text and numbers look at. Unconnected: the value itself."),
    ] = None,
    items: Annotated[list[Any] | None, Port(title="List", help="What rules about lists look at.")] = None,
    report: Annotated[
        Json | None, Port(title="Brand check", help="The report that rules about a brand check look at.")
    ] = None,
    *,
    cases: Annotated[
        list[Case],
        Setting(title="Cases", widget="conditions", help="The first case that is met is taken.", main=True),
    ] = [],  # noqa: B006
) -> Branches:
    """Send a value down the branch of the first case whose rules it meets; the other branches are skipped.

    A case joins its rules by *and* or by *or*; a group is a bracket around rules that are joined in another
    way. Rules compare texts (also by a regular expression), numbers, lists, and the results of a brand check.
    A field, such as `items.0.title`, picks a part of data.
    """
    subjects = Subjects(value if by is None else by, items, report)
    # Thousands of rules may look at a text of megabytes.
    taken = await asyncio.to_thread(_taken, cases, subjects)
    return Branches(*(value if name == taken else SKIP for name in Branches._fields))
