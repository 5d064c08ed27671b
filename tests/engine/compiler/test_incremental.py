"""Incremental compilation: the same plan as a full one, with only the edited steps compiled."""

import copy
import math
from typing import Annotated
from typing import Any as Anything

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impasto import Catalog, Flow, FlowInvalid, Integer, Json, Setting, Text, compile, execute, node
from impasto.compiler.incremental import Fingerprint
from impasto.document.model import FlowEdge, FlowNode

# Hundreds of compilations, which wait for nothing.
pytestmark = pytest.mark.timeout(120)


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node(variables="template")
async def fill(*, template: str = "", variables: dict[str, str]) -> Text:
    return template + str(sorted(variables.items()))


@node
async def repeat(text: Text = "", *, times: Annotated[int, Setting(ge=1)] = 1, loud: bool = False) -> Text:
    return text * times


@node
async def scale(numbers: list[Integer] = [], *, by: float = 1.0) -> list[Integer]:  # noqa: B006
    return [int(number * by) for number in numbers]


@node
async def count(text: Text) -> Integer:
    return len(text)


@node
async def collect(*, items: list[int] = [1], data: Json = None) -> list[Integer]:  # noqa: B006
    items.append(len(items))
    return items


def beware(settings: dict[str, Anything], configured: frozenset[str] | None) -> Anything:
    severity = "error" if settings["mood"] == "furious" else "warning"
    if settings["mood"] != "calm" or not configured:
        yield {"code": "mood", "message": f"Mood: {settings['mood']}", "severity": severity}


@node(check=beware, deprecated=True, replaced_by="repeat")
async def moody(text: Text = "", *, mood: str = "calm") -> Text:
    return text


@node
async def ask(*, times: int) -> Integer:
    return times


@node(version=3, migrations={1: lambda old: {"by": old["factor"]}})
async def grow(number: Integer = 1, *, by: int = 1) -> Integer:
    return number * by


TYPES = (ask, say, fill, repeat, scale, count, collect, moody, grow)
PIN = {"outputs": {"output": {"type": "Text", "depth": 0, "value": "x"}}}
FLOW = {
    "nodes": [
        {"id": "s", "type": "say"},
        {"id": "f", "type": "fill", "settings": {"template": "{{a}} {{b}}"}},
        {"id": "r", "type": "repeat", "title": "R", "settings": {"times": 1}},
        {"id": "m", "type": "moody", "settings": {"mood": "calm"}},
        {"id": "n", "type": "count"},
        {"id": "d", "type": "ask", "exposed": {"times": {}}},
        {"id": "c", "type": "collect", "settings": {"items": [1], "data": {"x": 1}}},
        {"id": "x", "type": "scale", "settings": {"by": 2}},
        {"id": "g", "type": "grow", "version": 1, "settings": {"factor": 2}},
    ],
    "edges": [
        {"from": "s.output", "to": "f.a"},
        {"from": "f.output", "to": "r.text"},
        {"from": "r.output", "to": "n.text"},
        {"from": "n.output", "to": "x.numbers"},
        {"from": "c.output", "to": "x.numbers"},
        {"from": "n.output", "to": "d.times"},
        {"from": "x.output", "to": "g.number"},
    ],
}
VALUES = {
    "s": [("text", "a"), ("text", "b"), ("text", 1)],
    "f": [("template", "{{a}} {{b}}"), ("template", "{{b}} {{a}}"), ("template", "{{a}}")],
    "r": [("times", 1), ("times", 2), ("times", True), ("times", 0), ("loud", True), ("loud", 1)],
    "m": [("mood", "calm"), ("mood", "sad"), ("mood", "furious"), ("other", 1)],
    "n": [("times", object), ("times", math.nan)],
    "d": [("times", 3)],
    "c": [("items", [1]), ("items", [1, 2]), ("data", {"x": 1}), ("data", {"x": True}), ("data", 1 << 70)],
    "x": [("by", 2), ("by", 2.0), ("by", True), ("by", math.nan), ("by", None)],
    "g": [("factor", 2), ("factor", 3), ("by", 3), ("factor", "2")],
}
PORTS = [
    "s.output",
    "f.output",
    "n.output",
    "r.text",
    "f.a",
    "f.b",
    "r.times",
    "x.by",
    "x.numbers",
    "no.where",
]


def put(flow, chosen, draw):
    name, value = draw(st.sampled_from(VALUES[chosen.id]))
    chosen.settings[name] = copy.deepcopy(value)


def take(flow, chosen, draw):
    chosen.settings.pop(draw(st.sampled_from(VALUES[chosen.id]))[0], None)


def entitle(flow, chosen, draw):
    chosen.title = draw(st.sampled_from([None, "R", "S"]))


def show(flow, chosen, draw):
    chosen.result = draw(st.sampled_from([None, True, False, 0]))


def upgrade(flow, chosen, draw):
    chosen.version = draw(st.sampled_from([None, 1, 2, 3]))


def retype(flow, chosen, draw):
    chosen.type = draw(st.sampled_from(["moody", "repeat", "grow"]))


def add(flow, chosen, draw):
    flow.nodes.append(FlowNode(id="r", type="repeat") if draw(st.booleans()) else chosen)


def remove(flow, chosen, draw):
    flow.nodes.remove(chosen)


def join(flow, chosen, draw):
    ports = st.sampled_from(PORTS)
    flow.edges.append(FlowEdge(draw(ports), draw(ports)))


def part(flow, chosen, draw):
    if flow.edges:
        flow.edges.remove(draw(st.sampled_from(flow.edges)))


def redirect(flow, chosen, draw):
    if flow.edges:
        edge = draw(st.sampled_from(flow.edges))
        side = draw(st.sampled_from(["source", "target"]))
        setattr(edge, side, draw(st.sampled_from(PORTS)))


def reverse(flow, chosen, draw):
    draw(st.sampled_from([flow.nodes, flow.edges])).reverse()


EDITS = [*[put] * 12, *[take] * 2, entitle, show, upgrade, retype, add, remove, join, part, redirect, reverse]


def read_again(flow):
    try:
        return Flow.parse(flow.to_dict())
    except FlowInvalid:  # only a program can have put such a thing in
        return flow


COPIES = [lambda flow: flow, copy.deepcopy, read_again]


def outcome_of(flow: Flow, catalog: Catalog, configured: frozenset[str] | None = None) -> Anything:
    """Return the contents of a plan, or all its problems."""
    try:
        plan = compile(flow, catalog, configured=configured)
    except FlowInvalid as error:
        return [repr(problem.to_dict()) for problem in error.problems]
    shape = plan.shape
    return {
        "flow": plan.flow is flow,
        "steps": [_step(step) for step in plan.steps],
        "shape": [getattr(shape, name) for name in dir(shape) if not name.startswith("_")],
        "warnings": plan.warnings,
        "inputs": repr(plan.inputs),
        "results": plan.results,
    }


def _step(step: Anything) -> Anything:
    return (
        (step.index, step.id, step.title, step.type, repr(step.settings), step.type_part, step.static),
        ([port.name for port in step.ports], step.fan_out, step.sources, _feeds(step)),
        [_binding(binding) for binding in step.inputs],
        [(spec.name, _binding(binding)) for spec, binding in step.dynamic],
    )


def _binding(binding: Anything) -> Anything:
    if binding is None:
        return None
    return _sources(binding.sources), binding[1:]


def _feeds(step: Anything) -> Anything:
    return step.feeds and [feed._replace(many=_sources(feed.many)) for feed in step.feeds]


def _sources(sources: Anything) -> Anything:
    return sources and [source._replace(prepare=source.prepare is not None) for source in sources]


@settings(max_examples=300)
@given(data=st.data(), configured=st.booleans())
def test_incremental_compilation_equals_a_full_one(data, configured):
    draw, catalog = data.draw, Catalog(TYPES)
    having = frozenset({"acme"}) if configured else None
    flow = Flow.parse(copy.deepcopy(FLOW))
    compile(flow, catalog, configured=having)
    for _ in range(draw(st.integers(1, 5))):
        # What was compiled last may be what was edited: in place, in a copy, in the document.
        last = flow
        flow = draw(st.sampled_from(COPIES))(last)
        if flow.nodes:
            draw(st.sampled_from(EDITS))(flow, draw(st.sampled_from(flow.nodes)), draw)
        found = outcome_of(flow, catalog, having)
        assert found == outcome_of(flow, Catalog(TYPES), having)
        if isinstance(found, list) and draw(st.booleans()):
            flow = Flow.parse(copy.deepcopy(FLOW))


def plan_of_two(catalog, **settings):
    nodes = [FlowNode(id="p", type="say"), FlowNode(id="q", type="repeat", settings=settings)]
    return compile(Flow(nodes=nodes, edges=[FlowEdge("p.output", "q.text")]), catalog)


def test_only_the_edited_step_is_compiled():
    catalog = Catalog(TYPES)
    before, after = plan_of_two(catalog, times=1), plan_of_two(catalog, times=2)
    assert after.steps[0] is before.steps[0]
    assert after.steps[1].settings == {"times": 2, "loud": False}
    assert before.steps[1].settings == {"times": 1, "loud": False}
    assert after.shape is before.shape


def test_edit_of_a_template_changes_the_ports_of_its_step():
    catalog = Catalog(TYPES)
    for template, names in (("{{a}}", ["a"]), ("{{a}} {{b}}", ["a", "b"]), ("{{b}}", ["b"]), ("x", [])):
        node = FlowNode(id="f", type="fill", settings={"template": template})
        assert [port.name for port in compile(Flow(nodes=[node]), catalog).steps[0].ports] == names


def test_adding_a_node_type_discards_compiled_plans():
    catalog = Catalog([say, repeat])
    plan_of_two(catalog)

    @node(id="repeat", version=2)
    async def newer(text: Text = "", *, times: int = 7) -> Text:
        return text

    catalog.add(newer)
    assert plan_of_two(catalog).steps[1].settings == {"times": 7}


@pytest.mark.anyio
async def test_settings_changed_by_a_function_do_not_reach_the_next_plan():
    catalog = Catalog(TYPES)
    document = {"nodes": [{"id": "c", "type": "collect", "settings": {"items": [1, 2]}}]}
    for _ in range(2):
        result = await execute(compile(Flow.loads(Flow.parse(document).dumps()), catalog))
        assert result.outputs["c.output"] == [1, 2, 2]


def test_connected_setting_is_no_input_after_an_edit_either():
    catalog = Catalog(TYPES)
    exposed = {"times": {}, "loud": {}}
    for loud in (False, True):
        nodes = [FlowNode(id="n", type="grow"), FlowNode(id="r", type="repeat", exposed=exposed)]
        nodes[1].settings["loud"] = loud
        plan = compile(Flow(nodes=nodes, edges=[FlowEdge("n.output", "r.times")]), catalog)
        assert list(plan.inputs["properties"]) == ["r.loud"]
        assert [each.code for each in plan.warnings] == ["connected_exposed"]


def test_check_runs_at_every_compilation():
    catalog = Catalog(TYPES)
    flow = Flow(nodes=[FlowNode(id="m", type="moody")])
    assert "mood" in [each.code for each in compile(flow, catalog).warnings]
    assert "mood" not in [each.code for each in compile(flow, catalog, configured=frozenset("x")).warnings]


def test_check_sees_what_has_changed_outside_of_the_flow():
    found = []

    @node(check=lambda settings, configured: list(found))
    async def looked_up(*, size: int = 1) -> Text:
        return ""

    catalog = Catalog([looked_up])
    flow = Flow(nodes=[FlowNode(id="l", type="looked_up")])
    assert compile(flow, catalog).warnings == []
    found.append({"code": "gone", "message": "It is gone.", "severity": "warning"})
    assert [each.code for each in compile(flow, catalog).warnings] == ["gone"]


def test_problem_of_an_edit_is_reported_with_earlier_warnings():
    catalog = Catalog(TYPES)
    flow = Flow(nodes=[FlowNode(id="m", type="moody"), FlowNode(id="r", type="repeat")])
    compile(flow, catalog)
    flow.nodes[1].settings["times"] = 0
    with pytest.raises(FlowInvalid) as raised:
        compile(flow, catalog)
    assert [each.code for each in raised.value.problems] == ["deprecated_type", "mood", "bad_setting"]


@pytest.mark.parametrize(
    ("sizes", "weight"),
    [([], 100), ([1] * 100, 100), ([1] * 101, 101), ([4096 * 101 - 1], 100), ([4096 * 101], 101)],
    ids=["empty", "100 nodes", "101 nodes", "almost 101 pages", "101 pages"],
)
def test_plan_weighs_as_much_as_its_nodes_or_their_settings(sizes, weight):
    assert Fingerprint([b"x" * size for size in sizes], [], [], None).weight() == weight


@pytest.mark.parametrize(
    ("changes", "kept"),
    [({}, 1), ({"mode": "disabled"}, 0), ({"mode": "bypassed"}, 0), ({"pin": PIN}, 0)],
    ids=["as it is", "disabled", "bypassed", "pinned"],
)
def test_plan_with_a_stand_in_is_not_kept(changes, kept):
    catalog = Catalog(TYPES)
    node = FlowNode(id="p", type="say", **changes)
    compile(Flow(nodes=[node, FlowNode(id="q", type="say")]), catalog)
    assert len([*catalog.compiled]) == kept


def test_edited_plan_takes_the_place_of_the_one_before():
    catalog = Catalog(TYPES)
    for times in (1, 2, 3):
        plan_of_two(catalog, times=times)
    assert len([*catalog.compiled]) == 1
    assert plan_of_two(catalog, times=3) is not plan_of_two(catalog, times=3)


def test_plans_of_other_providers_are_kept_beside_each_other():
    catalog = Catalog(TYPES)
    for having in (None, frozenset(), frozenset({"acme"})):
        compile(Flow(nodes=[FlowNode(id="m", type="moody")]), catalog, configured=having)
    assert [each.fingerprint.configured for each in catalog.compiled] == [
        frozenset({"acme"}),
        frozenset(),
        None,
    ]
