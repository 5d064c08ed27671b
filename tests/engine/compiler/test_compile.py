"""Compiling a flow: problems, conversions, inputs and results."""

from typing import Annotated, NamedTuple
from typing import Any as Anything

import pytest

from impasto import (
    Audio,
    Boolean,
    Catalog,
    File,
    Flow,
    FlowInvalid,
    Image,
    Integer,
    Json,
    Number,
    Setting,
    Text,
    compile,
    execute,
    node,
)
from impasto.compiler.catalog import BrokenPlugin
from impasto.plugins.allow_list import RefusedPlugin
from impasto.testing import flow_of, plan_of


@node
async def say(*, text: Annotated[str, Setting(input=True, title="Words")] = "hi") -> Text:
    return text


@node
async def ask(*, text: Annotated[str, Setting(input=True)]) -> Text:
    return text


@node
async def shout(text: Text, *, times: Annotated[int, Setting(ge=1, le=3)] = 1, tags: list[int] = []) -> Text:  # noqa: B006
    return text.upper() * times


@node
async def paint(text: Text, *, size: int) -> Image:
    return Image(asset_id="x")


@node
async def count(text: Text) -> Integer:
    return len(text)


@node
async def half(number: Number) -> Number:
    return number / 2


@node
async def join(parts: list[Text]) -> Text:
    return ",".join(parts)


@node(deprecated=True, replaced_by="shout")
async def yell(text: Text) -> Text:
    return text


NODES = [say, ask, shout, paint, count, half, join, yell]


def problems_of(flow: Anything, **options: Anything) -> list[Anything]:
    with pytest.raises(FlowInvalid) as raised:
        compile(flow, Catalog(NODES), **options)
    return raised.value.problems


def test_all_problems_are_reported_in_document_order():
    flow = flow_of(
        {
            "a": "nothing_like_it",
            "b": ("shout", {"times": 9, "colour": 1}),
            "c": ("paint", {"size": "big"}),
            "d": "count",
            "e": "half",
            "f": "half",
        },
        [
            ("c.output", "d.text"),
            ("d.sum", "e.number"),
            ("ghost.output", "e.number"),
            ("d.output", "f.number"),
            ("d.output", "f.number"),
            ("d.output", "f.colour"),
        ],
    )
    flow.nodes.append(flow.nodes[0])
    found = [(problem.code, problem.node) for problem in problems_of(flow)]
    assert found == [
        ("unknown_type", "a"),
        ("bad_setting", "b"),
        ("unknown_setting", "b"),
        ("required_input", "b"),
        ("bad_setting", "c"),
        ("required_input", "c"),
        ("duplicate_id", "a"),
        ("wrong_type", "d"),
        ("unknown_port", "d"),
        ("unknown_node", "ghost"),
        ("two_edges", "f"),
        ("unknown_port", "f"),
    ]


def test_problem_is_readable_as_attributes_and_as_a_mapping():
    problem = problems_of(flow_of({"b": "shout"}))[0]
    assert problem["code"] == problem.code == "required_input"
    assert dict(problem)["port"] == problem.port == "text"
    assert problem.get("nothing", 3) == 3
    assert problem.to_dict()["port"] == "text"
    with pytest.raises(KeyError):
        problem["nothing"]


def test_type_mismatch_names_both_ports_both_types_and_a_fix():
    problem = problems_of(
        flow_of(
            {"a": ("paint", {"size": 1}), "s": "say", "h": "half"},
            [("s.output", "a.text"), ("a.output", "h.number")],
        )
    )[0]
    assert problem.code == "wrong_type"
    for word in ("a.output", "h.number", "Image", "Number"):
        assert word in problem.message
    assert "File" in problem.hint


@pytest.mark.parametrize(
    ("name", "hint"), [("time", "Did you mean 'times'?"), ("volume", "It has: times, tags.")]
)
def test_unknown_setting_is_named_beside_those_that_the_node_has(name, hint):
    flow = flow_of({"s": "say", "b": ("shout", {"times": 2, "tags": [], name: 1})}, [("s.output", "b.text")])
    (problem,) = problems_of(flow)
    assert (problem.code, problem.node, problem.setting, problem.hint) == ("unknown_setting", "b", name, hint)
    assert problem.message == f"Node 'b' (Shout) has no setting '{name}'."


def test_bad_setting_has_its_json_path():
    problem = problems_of(
        flow_of({"s": "say", "b": ("shout", {"tags": [1, "x"]})}, [("s.output", "b.text")])
    )[0]
    assert problem.setting == "tags[1]"
    assert "whole number" in problem.message
    assert "$.tags[1]" in problem.message


def test_cycles_are_named_each_in_order():
    flow = flow_of(
        dict.fromkeys("abcdef", "shout"),
        [
            ("a.output", "b.text"),
            ("b.output", "c.text"),
            ("c.output", "a.text"),
            ("d.output", "e.text"),
            ("e.output", "d.text"),
            ("f.output", "f.text"),
        ],
    )
    found = [problem.message for problem in problems_of(flow) if problem.code == "cycle"]
    assert found == [
        "These nodes wait for each other: a → b → c → a.",
        "These nodes wait for each other: d → e → d.",
        "These nodes wait for each other: f → f.",
    ]


def test_unknown_type_may_belong_to_a_plugin_that_was_not_loaded():
    def hint(**catalog: Anything) -> str:
        with pytest.raises(FlowInvalid) as raised:
            compile(flow_of({"a": "sparkle"}), Catalog(**catalog))
        return str(raised.value.problems[0].hint)

    broken = [BrokenPlugin(name="nodes", package="sparkle-tools", error="ImportError", traceback="")]
    refused = [RefusedPlugin(package="glitter", reason="it is not on the list", hint="Add it.")]
    assert "failed to load: sparkle-tools" in hint(broken=broken)
    assert "refuses: glitter" in hint(broken=broken, refused=refused)
    assert hint() == "Install the plugin that provides it, or choose another node."


def test_missing_plugin_is_named():
    flow = Flow.parse({"nodes": [{"id": "a", "type": "sparkle", "package": "sparkle-tools"}]})
    problem = problems_of(flow)[0]
    assert problem.code == "missing_plugin"
    assert "pip install sparkle-tools" in problem.hint


def test_deprecated_type_is_a_warning():
    plan = plan_of(NODES, {"s": "say", "y": "yell"}, [("s.output", "y.text")])
    assert [(problem.code, problem.severity) for problem in plan.warnings] == [("deprecated_type", "warning")]
    assert "shout" in plan.warnings[0].hint


def test_newer_version_than_the_installed_one_is_refused():
    flow = Flow.parse({"nodes": [{"id": "a", "type": "say", "version": 4}]})
    assert problems_of(flow)[0].code == "bad_version"


def test_settings_are_migrated_version_by_version():
    @node(
        version=3, migrations={1: lambda s: {"words": s["text"]}, 2: lambda s: {"loud": s["words"].upper()}}
    )
    async def grown(*, loud: str) -> Text:
        return loud

    flow = Flow.parse({"nodes": [{"id": "a", "type": "grown", "version": 1, "settings": {"text": "x"}}]})
    assert compile(flow, Catalog([grown])).steps[0].settings == {"loud": "X"}

    @node(version=2, migrations={1: lambda s: s["gone"]})
    async def broken(*, loud: str = "") -> Text:
        return loud

    flow.nodes[0].type = "broken"
    with pytest.raises(FlowInvalid, match="could not be migrated to version 2"):
        compile(flow, Catalog([broken]))


def test_node_type_checks_its_settings():
    def check(settings, configured):
        if settings["provider"] not in (configured or settings["provider"]):
            yield {"code": "no_key", "message": "There is no key.", "setting": "provider", "hint": "Add one."}

    @node(check=check)
    async def call(*, provider: str = "openai") -> Text:
        return provider

    compile(flow_of({"a": "call"}), Catalog([call]))
    with pytest.raises(FlowInvalid, match="There is no key"):
        compile(flow_of({"a": "call"}), Catalog([call]), configured=frozenset(("other",)))


@pytest.mark.parametrize(
    "said", [[{"message": "no code"}], ["words"], 5, [{"code": "a", "message": "b"}, None]]
)
def test_failing_check_is_a_warning(said):
    @node(check=lambda settings, configured: said)
    async def call(*, provider: str = "openai") -> Text:
        return provider

    [warning] = compile(flow_of({"a": "call"}), Catalog([call])).warnings
    assert (warning.code, warning.node) == ("bad_setting", "a")
    assert "The check of node type 'call' failed" in warning.message


def test_edge_between_nodes_instead_of_ports_is_reported():
    with pytest.raises(FlowInvalid) as raised:
        compile(flow_of({"a": "say", "b": "shout"}, [("a", "b")]), Catalog(NODES))
    found = [each for each in raised.value.problems if each.code == "unknown_port"]
    assert [(each.node, each.hint) for each in found] == [
        ("a", "Write edges as node.port."),
        ("b", "Write edges as node.port."),
    ]


@pytest.mark.anyio
async def test_only_the_ancestors_of_targets_must_be_valid():
    flow = flow_of(
        {"s": "say", "good": "shout", "bad": "shout", "worse": "unheard_of"},
        [("s.output", "good.text"), ("worse.output", "bad.text")],
    )
    assert {problem.code for problem in problems_of(flow)} == {"unknown_type"}
    plan = compile(flow, Catalog(NODES), targets=["good"])
    result = await execute(plan, {"s": "yes"})
    assert dict(result.outputs) == {"s.output": "yes", "good.output": "YES"}
    assert {problem.code for problem in problems_of(flow, targets=["bad"])} == {"unknown_type"}
    assert problems_of(flow, targets=["missing"])[0].code == "unknown_node"


def test_inputs_of_a_plan_are_its_input_nodes_in_document_order():
    nodes = {"z": ("say", {"text": "default"}), "a": "ask", "b": "shout", "c": "shout"}
    flow = flow_of(nodes, [("z.output", "b.text"), ("a.output", "c.text")])
    flow.nodes[0].title = "Your words"
    form = compile(flow, Catalog(NODES)).inputs
    assert list(form["properties"]) == ["z", "a"]
    assert form["required"] == ["a"]
    assert form["properties"]["z"]["title"] == "Your words"
    assert form["properties"]["z"]["default"] == "default"
    assert form["properties"]["z"]["x-type"] == "Text"
    assert form["properties"]["z"]["x-node"] == "say"


def test_results_are_terminal_and_marked_outputs():
    flow = flow_of(
        {"s": "say", "a": "shout", "b": "shout", "c": "count"},
        [("s.output", "a.text"), ("a.output", "b.text"), ("a.output", "c.text")],
    )
    flow.node("a").result = True
    flow.node("c").result = False
    results = compile(flow, Catalog(NODES)).results
    assert [(item["node"], item["port"], item["type"]) for item in results] == [
        ("a", "output", "Text"),
        ("b", "output", "Text"),
    ]


def test_fan_out_makes_results_lists():
    @node
    async def many() -> list[Text]:
        return []

    plan = plan_of(
        [many, *NODES],
        {"m": "many", "s": "shout", "c": "count"},
        [("m.output", "s.text"), ("s.output", "c.text")],
    )
    assert [step.fan_out for step in plan.steps] == [0, 1, 1]


def test_conversions():
    kinds = {
        "Text": Text,
        "Number": Number,
        "Integer": Integer,
        "Boolean": Boolean,
        "Json": Json,
        "Image": Image,
        "Audio": Audio,
        "File": File,
    }

    def compiles(source, target):
        async def make() -> None: ...

        make.__annotations__["return"] = kinds[source]

        async def take(value) -> Text: ...

        take.__annotations__["value"] = kinds[target]
        try:
            plan_of(
                [node(id="make")(make), node(id="take")(take)],
                {"m": "make", "t": "take"},
                [("m.output", "t.value")],
            )
        except FlowInvalid:
            return False
        return True

    good = {(a, b) for a in kinds for b in kinds if a != b and compiles(a, b)}
    assert good == {
        ("Integer", "Number"), ("Integer", "Text"), ("Number", "Text"), ("Boolean", "Text"), ("Json", "Text"),
        ("Text", "Json"), ("Integer", "Json"), ("Number", "Json"), ("Boolean", "Json"),
        ("Image", "File"), ("Audio", "File"),
    }  # fmt: skip


def test_catalog_lists_exactly_the_possible_conversions():
    pairs = {(item["from"], item["to"]) for item in Catalog(NODES).describe()["conversions"]}
    assert ("Integer", "Number") in pairs
    assert ("Image", "Any") in pairs
    assert ("Image", "Text") not in pairs


def test_plan_is_available_as_a_networkx_graph():
    plan = plan_of(NODES, {"s": "say", "a": "shout"}, [("s.output", "a.text")])
    graph = plan.to_networkx()
    assert list(graph.edges(data=True)) == [("s", "a", {"source": "output", "target": "text"})]
    assert plan.dependants(["s"]) == ["s", "a"]
    assert plan.dependants(["a"]) == ["a"]


class Several(NamedTuple):
    one: Text
    two: Text


def test_results_of_a_node_with_several_outputs_are_titled_by_port():
    @node(title="Split")
    async def split() -> Several: ...

    assert [item["title"] for item in plan_of([split], {"a": "split"}).results] == [
        "Split: One",
        "Split: Two",
    ]


def test_compile_time_is_linear_in_nodes():
    def chain(n):
        return flow_of(
            {"n0": "say", **{f"n{i}": "shout" for i in range(1, n)}},
            [(f"n{i}.output", f"n{i + 1}.text") for i in range(n - 1)],
        )

    assert len(compile(chain(10_000), Catalog(NODES)).steps) == 10_000
