"""Settings that an inner flow offers, and the flow around it offers again, from any depth."""

from typing import Annotated, Any

import pytest

from impasto import Catalog, FlowInvalid, InputsInvalid, Setting, Text, compile, execute, node


@node
async def speak(
    text: Text = "",
    *,
    count: Annotated[int, Setting(ge=1, le=8, title="Number")] = 1,
    voice: str = "calm",
) -> Text:
    return f"{voice} {text}" * count


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node(subflow="flow")
def agent(*, flow: dict[str, Any], inputs: dict[str, Any] | None = None) -> None:
    """Run a flow."""


CATALOG = Catalog([speak, say, agent])
LIMITS = {"label": "How often", "maximum": 5, "order": 3}
INNER = {
    "format": 1,
    "name": "Teaser",
    "nodes": [
        {"id": "say", "type": "say"},
        {"id": "it", "type": "speak", "exposed": {"count": LIMITS, "voice": {}}},
    ],
    "edges": [{"from": "say.output", "to": "it.text"}],
}


def inner_with(**attributes: Any) -> dict[str, Any]:
    """Return the inner flow, with these attributes of its node `it`."""
    say, it = INNER["nodes"]
    return {**INNER, "nodes": [say, {**it, **attributes}]}


def around(
    inner: dict[str, Any], exposed: dict[str, Any], edges=(), nodes=(), **inputs: Any
) -> dict[str, Any]:
    use = {
        "id": "use",
        "type": "agent",
        "settings": {"flow": inner, "inputs": {name.replace("__", "."): it for name, it in inputs.items()}},
        "exposed": exposed,
    }
    return {"format": 1, "name": "Campaign", "nodes": [*nodes, use], "edges": list(edges)}


def nested(depth: int, name: str = "it.count", **limits: Any) -> tuple[dict[str, Any], str]:
    """Return a flow of so many agents around the inner one, and the name of the setting in it."""
    document = INNER
    for _ in range(depth):
        document = around(document, {name: limits})
        name = f"use.{name}"
    return document, name


def codes(document: dict[str, Any]) -> list[tuple[str, str | None]]:
    try:
        return [(one.code, one.node) for one in compile(document, CATALOG).warnings]
    except FlowInvalid as error:
        return [(one.code, one.node) for one in error.problems]


def test_settings_inside_are_not_offered_unless_the_node_offers_them():
    assert compile(around(INNER, {}), CATALOG).inputs["properties"] == {}


def test_a_promoted_setting_has_the_form_of_its_node_and_the_words_of_the_outermost_flow():
    document = around(
        INNER, {"it.voice": {"label": "Who", "order": 2}, "it.count": {"maximum": 4, "order": 1}}
    )
    properties = compile(document, CATALOG).inputs["properties"]
    assert list(properties) == ["use.it.count", "use.it.voice"]
    assert properties["use.it.voice"]["title"] == "Who"
    count = properties["use.it.count"]
    assert (count["title"], count["minimum"], count["maximum"]) == ("How often", 1, 4)
    assert (count["x-group"], count["x-node"], count["x-setting"]) == ("Teaser", "speak", "count")
    assert count["x-step"] == "use/it"


@pytest.mark.anyio
@pytest.mark.parametrize("depth", [1, 2, 5])
async def test_a_run_sets_a_promoted_setting_at_any_depth(depth):
    document, name = nested(depth)
    plan = compile(document, CATALOG)
    assert list(plan.inputs["properties"]) == [name]
    result = await execute(plan, inputs={name: 3})
    assert next(iter(result.results.values())) == "calm hi" * 3


def test_every_limit_on_the_way_out_holds():
    document, name = nested(2, maximum=4)
    with pytest.raises(InputsInvalid, match="at most 4"):
        compile(document, CATALOG).decode_inputs({name: 5})
    wide, name = nested(2, maximum=8)
    with pytest.raises(InputsInvalid, match="at most 5"):
        compile(wide, CATALOG).decode_inputs({name: 6})


def test_a_value_of_the_outermost_node_reaches_the_innermost_setting():
    document = around(nested(2)[0], {}, use__use__it__count=4)
    assert compile(document, CATALOG).steps[-1].settings["count"] == 4


def test_limits_that_the_value_does_not_fit_are_a_problem_of_the_node_that_set_them():
    document = around(around(INNER, {"it.count": {"minimum": 2}}), {})
    assert codes(document) == [("bad_exposed", "use/use")]


def test_a_connected_setting_is_not_offered_further():
    words = {"id": "words", "type": "say"}
    edge = {"from": "words.output", "to": "use.it.voice"}
    document = around(INNER, {"it.voice": {}}, edges=[edge], nodes=[words])
    assert codes(document) == [("connected_exposed", "use")]
    assert list(compile(document, CATALOG).inputs["properties"]) == ["words"]


def test_what_the_inner_flow_no_longer_offers_is_a_warning_that_names_it():
    plan = compile(around(INNER, {"it.size": {}, "it.count": {}}), CATALOG)
    assert [(one.code, one.node, one.setting) for one in plan.warnings] == [("bad_exposed", "use", "it.size")]
    assert list(plan.inputs["properties"]) == ["use.it.count"]


@pytest.mark.anyio
async def test_an_inner_input_can_be_offered_too():
    plan = compile(around(INNER, {"say": {"label": "Words"}}), CATALOG)
    assert plan.inputs["properties"]["use.say"]["title"] == "Words"
    result = await execute(plan, inputs={"use.say": "hello"})
    assert next(iter(result.results.values())) == "calm hello"


@pytest.mark.anyio
async def test_source_of_a_setting_of_a_pinned_inner_node_is_not_run():
    pinned = {"outputs": {"output": {"type": "Text", "depth": 0, "value": "PINNED"}}}
    use = {"id": "use", "type": "agent", "settings": {"flow": inner_with(pin=pinned)}}
    words = {"id": "words", "type": "say", "settings": {"text": "loud"}}
    edge = {"from": "words.output", "to": "use.it.voice"}
    document = {"format": 1, "name": "Campaign", "nodes": [words, use], "edges": [edge]}
    result = await execute(compile(document, CATALOG))
    assert result.outputs == {"use/it.output": "PINNED"}
    assert "words" not in result.steps
    use["settings"]["flow"] = inner_with(mode="disabled")
    assert (await execute(compile(document, CATALOG))).steps["words"].status == "finished"


def test_an_offered_setting_is_titled_by_its_node_then_its_flow_then_its_type():
    def group(title: str | None, name: str) -> str:
        document = around({**INNER, "name": name}, {"it.count": {}})
        document["nodes"][-1]["title"] = title
        shown: str = compile(document, CATALOG).inputs["properties"]["use.it.count"]["x-group"]
        return shown

    assert [group("Mine", "Teaser"), group(None, "Teaser"), group(None, "")] == ["Mine", "Teaser", "Speak"]


def test_values_of_each_node_on_the_way_in_are_kept_beside_each_other():
    middle = around(INNER, {"it.count": {}, "say": {}}, it__voice="loud", it__count=2)
    plan = compile(around(middle, {}, use__it__count=4, use__say="outer"), CATALOG)
    settings = {step.id: step.settings for step in plan.steps}
    assert settings == {"use/use/say": {"text": "outer"}, "use/use/it": {"count": 4, "voice": "loud"}}


def test_a_value_of_the_outer_node_goes_before_a_variable_inside():
    inner = inner_with(variables={"count": "n"})
    inner["variables"] = [{"name": "n", "type": "Integer", "value": 3}]
    assert compile(around(inner, {}), CATALOG).steps[-1].settings["count"] == 3
    assert compile(around(inner, {}, it__count=4), CATALOG).steps[-1].settings["count"] == 4
    assert codes(around(inner, {}, it__count=9)) == [("bad_setting", "use"), ("bad_setting", "use/it")]


@pytest.mark.parametrize(
    "inputs", [None, {}, {"other.count": 4}, {"count": 4}, {"it": {"count": 4}}], ids=str
)
def test_values_for_no_input_change_nothing(inputs):
    document = around(INNER, {})
    document["nodes"][-1]["settings"]["inputs"] = inputs
    assert compile(document, CATALOG).steps[-1].settings == {"count": 1, "voice": "calm"}


def test_a_value_that_is_refused_names_the_input_and_the_node():
    with pytest.raises(FlowInvalid) as raised:
        compile(around(INNER, {}, it__count=6), CATALOG)
    first = raised.value.problems[0]
    assert (first.message, first.node, first.setting, first.hint) == (
        "The input 'it.count' of node 'use' must be at most 5.",
        "use",
        "inputs",
        "Change it, or remove it.",
    )


def test_what_is_no_longer_offered_says_what_to_do():
    (warning,) = compile(around(INNER, {"it.size": {}}), CATALOG).warnings
    assert (warning.message, warning.hint) == (
        "Node 'use' cannot offer 'it.size' to launchers: its flow has no such input.",
        "Hide it, or offer it in the inner flow again.",
    )
