"""The rules of a condition: their validation, and whether a value meets them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import msgspec
import orjson

from impasto import NodeError
from impasto_nodes.control.choose import as_text, number_in
from impasto_nodes.control.patterns import matches, pattern_error

Kind = Literal["text", "number", "list", "brand_check"]
Join = Literal["and", "or"]

MAX_RULES = 50  # in a case or in a group
MAX_GROUPS = 20

TESTS: Mapping[str, tuple[str, ...]] = {
    "text": (
        "is", "is not", "contains", "does not contain", "starts with", "ends with", "matches",
        "does not match", "is empty", "is not empty",
    ),
    "number": ("equals", "does not equal", "is more than", "is at least", "is less than", "is at most"),
    "list": (
        "contains", "does not contain", "has exactly", "has at least", "has at most", "is empty",
        "is not empty",
    ),
    "brand_check": ("passed", "failed", "was not checked"),
}  # fmt: skip
BRAND_CHECKS = ("palette", "contrast", "logo", "fonts", "words", "names", "tone")
_WITHOUT_VALUE = ("is empty", "is not empty")


class Rule(TypedDict):
    """One comparison.

    `test` is one of `TESTS[kind]`. `field` is a path into data, `items.0.title`; empty: the whole value.
    `value` is what is compared with; for a brand check the name of one check, empty: all of them.
    """

    kind: Kind
    test: str
    value: NotRequired[str]
    field: NotRequired[str]
    match_case: NotRequired[bool]


class Group(TypedDict):
    """Rules that are evaluated together, as in brackets."""

    join: Join
    rules: Annotated[list[Rule], msgspec.Meta(max_length=MAX_RULES)]


class Case(TypedDict):
    """A branch: its output port, the name that the port shows, and when a value takes it."""

    port: str
    name: str
    join: NotRequired[Join]
    rules: Annotated[list[Rule], msgspec.Meta(max_length=MAX_RULES)]
    groups: NotRequired[Annotated[list[Group], msgspec.Meta(max_length=MAX_GROUPS)]]


class Subjects(NamedTuple):
    """Values to compare: `by` for texts and numbers, `items` for lists, `report` for brand checks."""

    by: object
    items: object
    report: object


def is_met(case: Case, subjects: Subjects) -> bool:
    """Return whether the values meet a case. Raises NodeError for values that cannot be compared."""
    rules = (_meets(rule, subjects) for rule in case["rules"])
    groups = (_joined(each["join"], _each_of(each, subjects)) for each in case.get("groups", ()))
    return _joined(case.get("join", "and"), chain(rules, groups))


def _each_of(group: Group, subjects: Subjects) -> Iterator[bool]:
    return (_meets(rule, subjects) for rule in group["rules"])


def _meets(rule: Rule, subjects: Subjects) -> bool:
    return _TESTERS[rule["kind"]](rule, subjects)


def _joined(join: Join, results: Iterable[bool]) -> bool:
    """Evaluates the results only until the outcome is known."""
    return any(results) if join == "or" else all(results)


def rule_error(rule: Mapping[str, Any]) -> str:
    """Return why a rule cannot be evaluated, as a clause that ends a sentence about it, or an empty text."""
    kind, test, value = rule.get("kind"), rule.get("test"), str(rule.get("value", ""))
    tests = TESTS.get(str(kind), ())
    if test not in tests:
        return f"'{test}' is not one of {', '.join(tests)}"
    if kind == "brand_check":
        known = value in ("", *BRAND_CHECKS)
        return "" if known else f"there is no check '{value}', only {', '.join(BRAND_CHECKS)}"
    if test in _WITHOUT_VALUE:
        return ""
    if "match" in str(test):
        match_case = bool(rule.get("match_case"))
        if value == "":
            return "it has no regular expression"
        why = pattern_error(value, match_case=match_case)
        return f"the regular expression is not supported: {why}" if why else ""
    if kind == "number" or str(test).startswith("has "):
        if value.strip() == "":
            return "it has no number"
        return "" if number_in(value) is not None else f"'{value}' is not a number"
    return "" if value != "" else "it has no value to compare with"


def _test_text(rule: Rule, subjects: Subjects) -> bool:
    said, value = as_text(_at(subjects.by, rule)), rule.get("value", "")
    test = rule["test"]
    if "match" in test:
        found = matches(value, said, match_case=rule.get("match_case", False))
        return found == (test == "matches")
    said, value = said.strip(), value.strip()
    if not rule.get("match_case"):
        said, value = said.casefold(), value.casefold()
    return {
        "is": said == value,
        "is not": said != value,
        "contains": value in said,
        "does not contain": value not in said,
        "starts with": said.startswith(value),
        "ends with": said.endswith(value),
        "is empty": not said,
        "is not empty": bool(said),
    }[test]


def _test_number(rule: Rule, subjects: Subjects) -> bool:
    said = as_text(_at(subjects.by, rule)).strip()
    one, other = number_in(said), _number_of(rule)
    if one is None:
        raise NodeError(
            f"'{said[:100]}' is not a number, so it can't be compared as one.", code="not_a_number"
        )
    return {
        "equals": one == other,
        "does not equal": one != other,
        "is more than": one > other,
        "is at least": one >= other,
        "is less than": one < other,
        "is at most": one <= other,
    }[rule["test"]]


def _test_list(rule: Rule, subjects: Subjects) -> bool:
    given = _at(subjects.by if subjects.items is None else subjects.items, rule)
    items = [] if given is None else given
    if not isinstance(items, list):
        raise NodeError("A rule about a list has no list. Connect one to 'List'.", code="not_a_list")
    test, value = rule["test"], rule.get("value", "")
    if test in ("contains", "does not contain"):
        fold = str if rule.get("match_case") else str.casefold
        texts = [fold(as_text(item)).strip() for item in items if _is_plain(item)]
        return (fold(value).strip() in texts) == (test == "contains")
    if test in _WITHOUT_VALUE:
        return (not items) == (test == "is empty")
    count = _number_of(rule)
    return {
        "has exactly": len(items) == count,
        "has at least": len(items) >= count,
        "has at most": len(items) <= count,
    }[test]


def _test_brand_check(rule: Rule, subjects: Subjects) -> bool:
    report = subjects.by if subjects.report is None else subjects.report
    if not isinstance(report, Mapping) or "checks" not in report:
        raise NodeError(
            "A rule about a brand check has no report. Connect the report of a Brand check.",
            code="not_a_report",
        )
    name = rule.get("value", "")
    part = report.get(name) if name else report
    passed = part.get("passed") if isinstance(part, Mapping) else None
    return {
        "passed": passed is True,
        "failed": passed is False,
        "was not checked": not isinstance(passed, bool),
    }[rule["test"]]


_TESTERS: Mapping[str, Callable[[Rule, Subjects], bool]] = {
    "text": _test_text,
    "number": _test_number,
    "list": _test_list,
    "brand_check": _test_brand_check,
}


def _at(value: object, rule: Rule) -> object:
    """Return the value at the rule's field; None if there is no such field."""
    path = [name for name in rule.get("field", "").strip().split(".") if name]
    if path and isinstance(value, str):
        value = _parsed(value)
    for name in path:
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, Sequence) and not isinstance(value, str) and name.isdecimal():
            # No list has so many items, and longer numbers cannot be read.
            value = value[int(name)] if len(name) < 10 and int(name) < len(value) else None
        else:
            return None
    return value


def _parsed(text: str) -> object:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _is_plain(item: object) -> bool:
    return isinstance(item, str | int | float)


def _number_of(rule: Rule) -> float:
    number = number_in(rule["value"])
    assert number is not None, "rule_error finds rules without a number"
    return number
