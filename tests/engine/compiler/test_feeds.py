"""Which steps take the values of other steps directly, because no edge changes them on the way."""

from typing import Any as Anything

import pytest

from impasto import Any, Catalog, Integer, Lazy, Text, compile, node
from impasto.compiler.step import Step
from impasto.testing import flow_of


def target_of(takes: Anything, *gives: Anything) -> Step:
    """Return the step whose input, of a type, gets results of these types."""

    async def take(value=None) -> Text: ...

    take.__annotations__["value"] = takes
    types = [node(id="take")(take)]
    for number, annotation in enumerate(gives):

        async def give(): ...

        give.__annotations__["return"] = annotation
        types.append(node(id=f"give{number}")(give))
    nodes = {f"g{number}": f"give{number}" for number, _ in enumerate(gives)}
    edges = [(f"{name}.output", "t.value") for name in nodes]
    return compile(flow_of({**nodes, "t": "take"}, edges), Catalog(types)).steps[-1]


DIRECT = [(0, 0, None, None)]
JOINED = [(-1, 0, [0], None)]


@pytest.mark.parametrize(
    ("takes", "gives", "feeds"),
    [
        (Text, [], [(-1, 0, None, None)]),
        (Text, [Text], DIRECT),
        (Text, [Integer], None),
        (Text, [list[Text]], None),
        (list[Text], [list[Text]], DIRECT),
        (list[Text], [Text], JOINED),
        (list[Text], [Text, list[Text]], [(-1, 0, [0, 1], None)]),
        (list[Text], [Text, Integer], None),
        (list[list[Text]], [list[list[Text]]], DIRECT),
        (list[list[Text]], [list[Text]], None),
        (list[list[Text]], [Text], None),
        (Any, [Any], DIRECT),
        (list[Any], [Any], JOINED),
        (list[Any], [list[list[Text]]], None),
        (Lazy[Text] | None, [], None),
        (Lazy[Text] | None, [Text], None),
    ],
    ids=str,
)
def test_values_that_stay_as_they_are_are_taken_directly(takes, gives, feeds):
    found = target_of(takes, *gives).feeds
    shown = found and [
        (feed.step, feed.port, feed.many and [each.step for each in feed.many], feed.default)
        for feed in found
    ]
    assert shown == feeds


@pytest.mark.parametrize(
    ("source", "joins"), [(Text, False), (list[Text], True), (Any, True)], ids=["value", "list", "any"]
)
def test_value_is_appended_to_a_list_and_a_list_joins_it(source, joins):
    (binding,) = target_of(list[Any], source).inputs
    assert [each.joins for each in binding.sources] == [joins]


async def with_a_setting(value: Text = "d", *, size: int = 1) -> Text: ...


async def with_a_template(*, template: str = "", variables: dict[str, str]) -> Text: ...


async def count() -> Integer: ...


def test_driven_settings_and_placeholders_are_not_taken_directly():
    nodes = {"c": "count", "s": "with_a_setting"}
    plan = compile(flow_of(nodes, [("c.output", "s.size")]), Catalog([node(count), node(with_a_setting)]))
    assert plan.steps[1].feeds is None
    catalog = Catalog([node(variables="template")(with_a_template)])
    for template, feeds in (("", ()), ("{{a}}", None)):
        flow = flow_of({"t": ("with_a_template", {"template": template})})
        assert compile(flow, catalog).steps[0].feeds == feeds
