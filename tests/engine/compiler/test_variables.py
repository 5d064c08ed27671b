"""Variables of a flow: their values reach settings and templates as data, and keys depend on values only."""

import time
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impasto import (
    Catalog,
    FlowInvalid,
    Placeholder,
    Setting,
    Template,
    Text,
    compile,
    execute,
    node,
)
from impasto.compiler.plan import Plan
from impasto.compiler.variables import MAX_ADDED_CHARACTERS


@node
async def ask(*, text: Annotated[str, Setting(input=True)] = "") -> Text:
    return text


@node
async def repeat(
    text: Text = "",
    *,
    times: Annotated[int, Setting(ge=1, le=9)] = 1,
    mood: Literal["calm", "furious"] = "calm",
) -> Text:
    return text * times + mood


@node(variables="template")
async def fill(subject: Text = "", *, template: str = "", variables: dict[str, Text]) -> Text:
    def value_of(place: Placeholder) -> str:
        own = subject if place.path == "subject" else variables.get(place.path, place.source)
        return own or place.default or ""

    return Template.parse(template).render(value_of)


@node(subflow="flow")
async def agent(*, flow: Any = None, inputs: dict[str, Any] | None = None) -> Text:
    return ""


CATALOG = Catalog([ask, repeat, fill, agent])


def variable(name: str, value: Any, kind: str = "Text") -> dict[str, Any]:
    return {"name": name, "type": kind, "value": value}


def document(*nodes: Any, variables: Any = (), edges: Any = ()) -> dict[str, Any]:
    listed = [{"from": source, "to": target} for source, target in edges]
    return {"format": 2, "nodes": list(nodes), "edges": listed, "variables": list(variables)}


def compiled(*nodes: Any, catalog: Catalog = CATALOG, **more: Any) -> Plan:
    return compile(document(*nodes, **more), catalog)


def problems_of(*nodes: Any, **more: Any) -> list[Any]:
    with pytest.raises(FlowInvalid) as caught:
        compiled(*nodes, **more)
    return [(each.code, each.node, each.setting) for each in caught.value.problems]


async def text_of(*nodes: Any, inputs: Any = None, **more: Any) -> str:
    result = await execute(compiled(*nodes, **more), inputs or {})
    found: str = next(iter(result.results.values()))
    return found


def keys(plan: Plan) -> list[bytes]:
    return [step.static for step in plan.steps]


TIMES = {"id": "r", "type": "repeat", "settings": {"times": 2}, "variables": {"times": "n"}}


@pytest.mark.anyio
async def test_a_variable_sets_a_setting_instead_of_the_own_value() -> None:
    edges = [("a.output", "r.text")]
    ask_x = {"id": "a", "type": "ask", "settings": {"text": "x"}}
    assert await text_of(ask_x, TIMES, variables=[variable("n", 4, "Integer")], edges=edges) == "xxxxcalm"


@pytest.mark.anyio
async def test_an_edge_goes_before_a_variable() -> None:
    nodes = [
        {"id": "a", "type": "ask", "settings": {"text": "edge"}},
        {"id": "b", "type": "ask", "variables": {"text": "tone"}},
        {"id": "f", "type": "fill", "settings": {"template": "{{tone}} {{free}}"}},
    ]
    tone = [variable("tone", "variable"), variable("free", "filled")]
    edges = [("a.output", "f.tone"), ("a.output", "b.text")]
    result = await execute(compiled(*nodes, variables=tone, edges=edges), {})
    assert result.results == {"f.output": "edge filled", "b.output": "edge"}


@pytest.mark.anyio
async def test_placeholders_of_a_template_take_variables() -> None:
    template = "{{tone}}, {{ n }}, {{ok}}, {{data}}, {{empty|friend}}, {{other|free}}, {tone}, {{tone.x}}"
    found = await text_of(
        {"id": "f", "type": "fill", "settings": {"template": template}},
        variables=[
            variable("tone", "dry"),
            variable("n", 2.0, "Number"),
            variable("ok", True, "Boolean"),
            variable("data", {"a": 1}, "Json"),
            variable("empty", ""),
        ],
    )
    assert found == 'dry, 2, true, {"a":1}, friend, free, {tone}, {{tone.x}}'


def test_a_placeholder_with_a_variable_is_no_port_of_the_node() -> None:
    made = {"id": "f", "type": "fill", "settings": {"template": "{{tone}} {{topic}}"}}
    names = [port.name for port in compiled(made, variables=[variable("tone", "dry")]).steps[0].ports]
    assert names == ["subject", "topic"]


@pytest.mark.anyio
async def test_an_input_of_the_node_goes_before_a_variable_of_its_name() -> None:
    nodes = [
        {"id": "a", "type": "ask", "settings": {"text": "own"}},
        {"id": "f", "type": "fill", "settings": {"template": "{{subject}}"}},
    ]
    variables = [variable("subject", "variable")]
    assert await text_of(*nodes, variables=variables, edges=[("a.output", "f.subject")]) == "own"


@pytest.mark.anyio
async def test_the_default_of_an_input_takes_variables_and_the_words_of_a_launch_do_not() -> None:
    made = {"id": "a", "type": "ask", "settings": {"text": "Sell {{what}} {{who}}"}}
    variables = [variable("what", "{{who}} jugs")]
    assert await text_of(made, variables=variables) == "Sell {{who}} jugs {{who}}"
    assert await text_of(made, variables=variables, inputs={"a": "{{what}}"}) == "{{what}}"
    schema = compiled(made, variables=variables).inputs
    assert schema["properties"]["a"]["default"] == "Sell {{who}} jugs {{who}}"


braces = st.text(alphabet="{}ab |", max_size=8)


@given(before=braces, value=braces, after=braces)
def test_a_value_is_never_read_as_a_template(before: str, value: str, after: str) -> None:
    template = f"{before}{{{{v|d}}}}{after}"
    if "v" not in Template.parse(template).names or "a" in Template.parse(template).names:
        return
    plan = compiled(
        {"id": "f", "type": "fill", "settings": {"template": template}}, variables=[variable("v", value)]
    )
    filled = Template.parse(plan.steps[0].settings["template"])
    expected = Template.parse(template).render(
        lambda place: (value or place.default or "") if place.path == "v" else place.source
    )
    assert filled.render(lambda place: place.source) == expected
    kept = [place.source for place in Template.parse(template).placeholders if place.path != "v"]
    assert [place.source for place in filled.placeholders] == kept


def test_a_template_that_is_set_to_a_variable_is_data_too() -> None:
    made = {"id": "f", "type": "fill", "variables": {"template": "text"}}
    plan = compiled(made, variables=[variable("text", "{{topic}}")])
    assert [port.name for port in plan.steps[0].ports] == ["subject"]


@pytest.mark.parametrize("catalog", [Catalog([ask, repeat, fill]), None], ids=["kept plans", "fresh"])
def test_renaming_changes_no_key_and_a_new_value_only_those_that_use_it(catalog: Catalog | None) -> None:
    def steps(name: str, value: str, count: int) -> list[bytes]:
        return keys(
            compiled(
                {"id": "a", "type": "ask", "settings": {"text": "plain"}},
                {"id": "b", "type": "ask", "variables": {"text": name}},
                {"id": "f", "type": "fill", "settings": {"template": f"{{{{{name}}}}}!"}},
                {"id": "r", "type": "repeat", "variables": {"times": "n"}},
                catalog=catalog or Catalog([ask, repeat, fill]),
                variables=[variable(name, value), variable("n", count, "Integer")],
            )
        )

    first = steps("tone", "dry", 2)
    assert steps("voice", "dry", 2) == first
    changed = [old != new for old, new in zip(first, steps("tone", "warm", 2), strict=True)]
    assert changed == [False, True, True, False]
    changed = [old != new for old, new in zip(first, steps("tone", "dry", 3), strict=True)]
    assert changed == [False, False, False, True]
    assert steps("tone", "dry", 2) == first


def test_a_value_by_variable_has_the_key_of_the_same_value_by_hand() -> None:
    by_hand = compiled({"id": "r", "type": "repeat", "settings": {"times": 4}})
    assert keys(compiled(TIMES, variables=[variable("n", 4, "Integer")])) == keys(by_hand)


def test_a_missing_variable_is_a_problem_of_the_setting() -> None:
    assert problems_of(TIMES) == [("unknown_variable", "r", "times")]
    with pytest.raises(FlowInvalid, match="set to the variable 'n', which the flow does not have") as caught:
        compiled(TIMES, variables=[variable("m", 4, "Integer")])
    assert caught.value.problems[0].hint == "It has: m."


@pytest.mark.parametrize(
    ("setting", "kind", "value"),
    [
        ("times", "Text", "4"),
        ("times", "Integer", 20),
        ("times", "Boolean", True),
        ("mood", "Text", "happy"),
        ("mood", "Number", 1),
    ],
)
def test_a_variable_that_does_not_fit_is_a_problem_of_the_setting(
    setting: str, kind: str, value: Any
) -> None:
    made = {"id": "r", "type": "repeat", "variables": {setting: "v"}}
    assert problems_of(made, variables=[variable("v", value, kind)]) == [("wrong_variable", "r", setting)]


def test_problems_of_every_node_are_reported_at_once_after_a_good_compilation() -> None:
    catalog = Catalog([ask, repeat, fill])
    good = [variable("n", 4, "Integer")]
    compiled(TIMES, catalog=catalog, variables=good)
    with pytest.raises(FlowInvalid, match="does not have"):
        compiled(TIMES, catalog=catalog)
    with pytest.raises(FlowInvalid, match="does not fit"):
        compiled(TIMES, catalog=catalog, variables=[variable("n", "x")])
    assert compiled(TIMES, catalog=catalog, variables=good).warnings == []


INNER = document(
    {"id": "r", "type": "repeat", "variables": {"times": "n"}, "exposed": {"times": {}, "mood": {}}},
    variables=[variable("n", 2, "Integer"), variable("tone", "inner")],
)


def test_an_inner_agent_has_variables_of_its_own() -> None:
    held = {"id": "g", "type": "agent", "settings": {"flow": INNER}}
    plan = compiled(held, variables=[variable("n", 7, "Integer")])
    assert plan.steps[0].settings["times"] == 2
    assert problems_of(
        {"id": "g", "type": "agent", "settings": {"flow": document(TIMES)}},
        variables=[variable("n", 7, "Integer")],
    ) == [("unknown_variable", "g/r", "times")]


def test_a_variable_sets_an_input_of_an_inner_agent() -> None:
    held = {
        "id": "g",
        "type": "agent",
        "settings": {"flow": INNER, "inputs": {"r.mood": "furious"}},
        "variables": {"inputs.r.times": "n"},
    }
    settings = compiled(held, variables=[variable("n", 7, "Integer")]).steps[0].settings
    assert (settings["times"], settings["mood"]) == (7, "furious")
    assert ("bad_setting", "g", "inputs") in problems_of(held, variables=[variable("n", 70, "Integer")])


def test_a_variable_does_not_choose_a_flow() -> None:
    held = {"id": "g", "type": "agent", "variables": {"flow": "which"}}
    assert ("wrong_variable", "g", "flow") in problems_of(held, variables=[variable("which", "f1")])


def test_what_variables_add_is_limited() -> None:
    template = "{{v}}" * (MAX_ADDED_CHARACTERS // 20_000 + 1)
    made = [{"id": f"f{at}", "type": "fill", "settings": {"template": template}} for at in range(3)]
    variables = [variable("v", "x" * 20_000)]
    start = time.process_time()
    assert problems_of(*made, variables=variables) == [("too_large", f"f{at}", None) for at in range(3)]
    assert time.process_time() - start < 2


@pytest.mark.timeout(60)
def test_hostile_templates_take_linear_time() -> None:
    start = time.process_time()
    for template in ("{{" * 400_000, "}}" * 400_000, "{{v}" * 200_000, "{{v|" * 200_000 + "}}" * 200_000):
        compiled(
            {"id": "f", "type": "fill", "settings": {"template": template}}, variables=[variable("v", "x")]
        )
    assert time.process_time() - start < 10
