"""The node types that stand in for pinned, bypassed and disabled nodes."""

from dataclasses import fields
from typing import Annotated, Any, NamedTuple

import pytest

from impasto import Catalog, FlowInvalid, Image, Integer, Lazy, Port, Setting, Text, compile, execute, node
from impasto.compiler.compile import Plan
from impasto.sdk.node_type import InputPort, NodeType, OutputPort
from impasto.testing import flow_of
from impasto.types import IMAGE, INTEGER, TEXT, PortType

pytestmark = pytest.mark.anyio


class Parts(NamedTuple):
    words: Annotated[Text, Port(title="The words", help="In order.")]
    count: Integer
    more: Text


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node
async def number() -> Integer:
    return 7


@node(
    title="Cut",
    version=3,
    generative=True,
    seeded=True,
    fingerprint=str,
    timeout=2,
    retries=1,
    limit="shop",
    beta=True,
    deprecated=True,
    cost=1,
    check=lambda settings, configured: [{"code": "bad", "message": "Bad."}],
    variables="template",
)
async def cut(
    later: Lazy[Text] | None = None,
    text: Text = "",
    other: Text = "",
    size: Integer = 0,
    *,
    template: Annotated[str, Setting(input=True)] = "",
    rows: list[int] = [],  # noqa: B006
    variables: dict[str, str],
) -> Parts:
    return Parts("never", 0, "never")


@node
async def draw(text: Text) -> Image:
    return Image(asset_id="a")


@node(subflow="flow")
def agent(*, flow: Any) -> None:
    """Run a flow."""


CATALOG = Catalog([say, number, cut, draw, agent])
EDGES = [("s.output", "c.later"), ("s.output", "c.other"), ("s.output", "c.text"), ("n.output", "c.size")]


def with_cut(edges: Any = EDGES, **changes: Any) -> Plan:
    flow = flow_of({"s": "say", "n": "number", "c": ("cut", {"template": "{{a}}", "rows": [1]})}, edges)
    for name, value in changes.items():
        setattr(flow.node("c"), name, value)
    return compile(flow, CATALOG)


def stand_in_of(plan: Plan) -> NodeType:
    return next(step.type for step in plan.steps if step.id == "c")


def pin(*outputs: tuple[str, str, int, Any]) -> dict[str, Any]:
    return {
        "outputs": {
            name: {"type": kind, "depth": depth, "value": value} for name, kind, depth, value in outputs
        }
    }


@pytest.mark.parametrize(
    "changes",
    [{"mode": "disabled"}, {"mode": "bypassed"}, {"pin": pin(("words", "Text", 0, "w"))}],
    ids=["disabled", "bypassed", "pinned"],
)
def test_stand_in_needs_nothing_of_its_node(changes: dict[str, Any]) -> None:
    found, own = stand_in_of(with_cut(**changes)), CATALOG["cut"]
    varying = {"function", "inputs", "outputs", "input_names", "output_names", "cost"}
    differing = {each.name for each in fields(NodeType)} - varying
    changed = {name: getattr(found, name) for name in differing if getattr(found, name) != getattr(own, name)}
    assert changed == {
        "settings": (), "setting_names": {}, "input": None, "variables": (), "generative": False,
        "seeded": False, "fingerprint": None, "timeout": None, "retries": 0, "limit": None, "beta": False,
        "deprecated": False, "check": None, "direct": True, "outside": False, "open": False,
    }  # fmt: skip
    assert (found.kind, found.single, found.context, found.simple, found.effects) == (
        "async", False, None, False, False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("edges", "inputs", "words", "count"),
    [
        (EDGES, ["text", "size"], "hi", 7),
        (EDGES[:2], ["other"], "hi", None),
        (EDGES[:1], [], None, None),
        (EDGES[3:], ["size"], None, 7),
        ([*EDGES[1:2], ("s.output", "c.a")], ["other"], "hi", None),
        ([("s.output", "c.a")], ["a"], "hi", None),
    ],
    ids=["all", "the second text", "only a lazy one", "number", "input before variable", "variable"],
)
async def test_bypassed_node_passes_the_first_connected_input_of_each_type(
    edges: Any, inputs: list[str], words: Any, count: Any
) -> None:
    plan = with_cut(edges, mode="bypassed", result=True)
    found = stand_in_of(plan)
    assert [port.name for port in found.inputs] == inputs
    assert found.input_names == {name: at for at, name in enumerate(inputs)}
    assert [(port.lazy, port.spread, port.variable, port.required) for port in found.inputs] == [
        (False, False, False, False)
    ] * len(inputs)
    optional = bool(inputs)
    assert found.outputs == (
        OutputPort(name="words", type=PortType(TEXT), title="The words", help="In order.", optional=optional),
        OutputPort(name="count", type=PortType(INTEGER), title="Count", optional=optional),
        OutputPort(name="more", type=PortType(TEXT), title="More", optional=optional),
    )
    values = {"c.words": words, "c.count": count, "c.more": words}
    outputs = (await execute(plan)).outputs
    given = {name: value for name, value in outputs.items() if name.startswith("c.")}
    assert given == {name: value for name, value in values.items() if value is not None}


async def test_pinned_node_gives_its_stored_outputs_and_closes_the_others() -> None:
    stored = pin(("count", "Integer", 0, 5), ("words", "Text", 1, ["a", "b"]))
    plan = with_cut(pin=stored, result=True)
    found = stand_in_of(plan)
    assert found.inputs == ()
    assert [(port.name, str(port.type), port.title, port.optional) for port in found.outputs] == [
        ("count", "Integer", "Count", False),
        ("words", "list[Text]", "The words", False),
        ("more", "Text", "More", True),
    ]
    assert found.output_names == {"count": 0, "words": 1, "more": 2}
    assert (await execute(plan)).outputs == {"c.count": 5, "c.words": ["a", "b"]}
    assert [step.id for step in plan.steps] == ["c"]


async def test_pinned_media_and_results_of_an_agent_are_read() -> None:
    image = {"$type": "Image", "asset_id": "a", "width": 3}
    flow = flow_of({"d": "draw", "g": ("agent", {"flow": "gone"})})
    flow.node("d").pin = pin(("output", "Image", 0, image))
    flow.node("g").pin = pin(("x.words", "Text", 0, "w"), ("cover", "Image", 0, image))
    plan = compile(flow, CATALOG)
    drawn, made = plan.steps
    assert (drawn.type.single, drawn.type.outputs) == (
        True,
        (OutputPort(name="output", type=PortType(IMAGE), title="Output"),),
    )
    assert (made.type.single, [(port.name, port.title) for port in made.type.outputs]) == (
        False,
        [("x.words", "x.words"), ("cover", "cover")],
    )
    cover = Image(asset_id="a", width=3)
    result = await execute(plan)
    assert result.outputs == result.results == {"d.output": cover, "g.x.words": "w", "g.cover": cover}
    assert result.steps["g"].outputs == {"x.words": "w", "cover": cover}
    for name in ("g.x", "g.words", "x.words", "g", "words", ".", "g.x.words."):
        assert name not in result.outputs


def test_disabled_agent_has_the_outputs_that_edges_name() -> None:
    flow = flow_of(
        {"g": ("agent", {"flow": "gone"}), "d": "draw", "c": "cut", "gg": "say"},
        [("g.x.words", "d.text"), ("g.y", "c.text"), ("g.y", "c.other"), ("gg.output", "c.a")],
    )
    flow.node("g").mode = "disabled"
    flow.node("c").mode = "disabled"
    agent_step = compile(flow, CATALOG).steps[0]
    assert [(port.name, str(port.type), port.title) for port in agent_step.type.outputs] == [
        ("x.words", "Any", "x.words"),
        ("y", "Any", "y"),
    ]
    assert stand_in_of(compile(flow, CATALOG)).outputs == CATALOG["cut"].outputs


@pytest.mark.parametrize(
    ("changes", "code", "message", "hint", "severity"),
    [
        (
            {"mode": "disabled"},
            "disabled",
            "Node 'c' is disabled: a run skips it, with what needs it.",
            "Enable it to run it.",
            "warning",
        ),
        (
            {"mode": "bypassed"},
            "bypassed",
            "Node 'c' is bypassed: a run passes its inputs on unchanged.",
            "End the bypass to run it.",
            "warning",
        ),
        (
            {"pin": pin(("words", "Text", 0, "w"))},
            "pinned",
            "Node 'c' has a pinned result, which runs use instead of a new one.",
            "Unpin it to run it.",
            "warning",
        ),
        (
            {"pin": pin(("words", "Text", 0, "w")), "mode": "disabled"},
            "disabled",
            "Node 'c' is disabled: a run skips it, with what needs it.",
            "Enable it to run it.",
            "warning",
        ),
        *(
            (
                {"pin": pin(output)},
                "bad_pin",
                f"The pinned result of node 'c' {why}.",
                "Unpin it, or pin a result of a new run.",
                "error",
            )
            for output, why in (
                (("words", "Verse", 0, "w"), "has the type 'Verse' at 'words', which is not installed"),
                (("sound", "Text", 0, "w"), "is for the output 'sound', which the node does not have"),
                (("words", "Text", 0, 5), "is not Text at 'words'"),
                (("words", "Text", 2, ["w"]), "is not list[list[Text]] at 'words'"),
            )
        ),
    ],
    ids=["disabled", "bypassed", "pinned", "pinned and disabled", "type", "output", "value", "depth"],
)
def test_node_with_a_stand_in_is_reported(
    changes: dict[str, Any], code: str, message: str, hint: str, severity: str
) -> None:
    try:
        found = with_cut(**changes).warnings[0]
    except FlowInvalid as error:
        found = next(each for each in error.problems if each.code == "bad_pin")
    assert (found.code, found.message, found.hint, found.severity, found.node) == (
        code, message, hint, severity, "c",
    )  # fmt: skip


def test_mode_of_a_node_of_an_unknown_type_is_no_problem_of_its_own() -> None:
    flow = flow_of({"x": "unknown", "g": ("agent", {"flow": flow_of({"s": "say"}).to_dict()})})
    flow.node("x").mode = "bypassed"
    flow.node("g").mode = "bypassed"
    with pytest.raises(FlowInvalid) as raised:
        compile(flow, CATALOG)
    assert [(each.code, each.message, each.hint) for each in raised.value.problems] == [
        ("unknown_type", "Node 'x' is of an unknown type 'unknown'.", raised.value.problems[0].hint),
        ("bad_mode", "Node 'g' runs another flow, so it cannot be bypassed.", "Disable it instead."),
    ]


def test_inputs_of_a_stand_in_take_their_values_unless_the_source_is_closed() -> None:
    (port, _) = stand_in_of(with_cut(mode="bypassed")).inputs
    assert port == InputPort(name="text", type=PortType(TEXT), title="Text", default=port.default)
    assert repr(port.default) == "SKIP"


@pytest.mark.parametrize(
    ("value", "depth", "usd"), [("a", 0, 1), (["a", "b", "c"], 1, 3), ([], 1, 0), ([["a"], ["b"]], 2, 2)]
)
def test_estimate_counts_the_items_of_a_pinned_list(value: Any, depth: int, usd: int) -> None:
    @node(cost=5)
    async def split(text: Text) -> list[Text]: ...

    @node(cost=1)
    async def paint(text: Text) -> Image: ...

    edges = [("s.output", "c.text"), ("c.output", "p.text")]
    flow = flow_of({"s": "say", "c": "split", "p": "paint"}, edges)
    flow.node("c").pin = pin(("output", "Text", depth, value))
    assert compile(flow, Catalog([say, split, paint])).estimate()["usd"] == usd


@pytest.mark.parametrize(
    ("source", "usd", "seen"),
    [
        (("listed", {"texts": ["a", "b"]}), 2, ["a", "b"]),
        (("drawn", {"n": 3}), 3, [None] * 3),
        (("drawn", {"n": 0}), 0, []),
        ("found", 1, None),
    ],
    ids=["known", "counted", "empty", "unknown"],
)
def test_estimate_counts_the_items_that_a_bypass_passes_on(source: Any, usd: int, seen: Any) -> None:
    asked: list[Any] = []

    @node
    async def listed(*, texts: Annotated[list[str], Setting(input=True)] = []) -> list[Text]: ...  # noqa: B006

    @node(cost=lambda settings, inputs: {"items": settings["n"]})
    async def drawn(*, n: int = 1) -> list[Text]: ...

    @node
    async def found() -> list[Text]: ...

    @node(cost=100)
    async def sort(texts: list[Text]) -> list[Text]: ...

    @node(cost=1)
    async def paint(text: Text) -> Image: ...

    @node(cost=lambda settings, inputs: asked.append(inputs["texts"]))
    async def join(texts: list[Text]) -> Text: ...

    edges = [("s.output", "c.texts"), ("c.output", "p.text"), ("c.output", "j.texts")]
    flow = flow_of({"s": source, "c": "sort", "p": "paint", "j": "join"}, edges)
    flow.node("c").mode = "bypassed"
    plan = compile(flow, Catalog([listed, drawn, found, sort, paint, join]))
    assert plan.estimate()["usd"] == usd
    assert asked == [seen]


def test_estimate_knows_the_value_that_a_bypass_passes_on() -> None:
    asked: list[Any] = []

    @node(cost=100)
    async def trim(text: Text) -> Text: ...

    @node(cost=lambda settings, inputs: asked.append(inputs["text"]))
    async def speak(text: Text) -> Text: ...

    edges = [("s.output", "c.text"), ("c.output", "p.text")]
    flow = flow_of({"s": "say", "c": "trim", "p": "speak"}, edges)
    flow.node("c").mode = "bypassed"
    plan = compile(flow, Catalog([say, trim, speak]))
    assert plan.estimate({"s": "tea"}) == {"usd": 0, "seconds": None}
    assert asked == ["tea"]


@pytest.mark.parametrize(
    ("changes", "usd"),
    [({}, 111.0), ({"mode": "bypassed"}, 10.0), ({"pin": pin(("count", "Integer", 0, 4))}, 10.0)],
    ids=["as it is", "bypassed", "pinned"],
)
def test_estimate_leaves_out_what_needs_a_closed_output_of_a_stand_in(
    changes: dict[str, Any], usd: float
) -> None:
    @node(cost=100)
    async def split(size: Integer = 0) -> Parts: ...

    @node(cost=1)
    async def speak(text: Text) -> Text: ...

    @node(cost=10)
    async def buy(number: Integer) -> Text: ...

    edges = [("n.output", "c.size"), ("c.words", "s.text"), ("c.count", "b.number")]
    flow = flow_of({"n": "number", "c": "split", "s": "speak", "b": "buy"}, edges)
    for name, value in changes.items():
        setattr(flow.node("c"), name, value)
    assert compile(flow, Catalog([number, split, speak, buy])).estimate()["usd"] == usd
