"""Estimates of steps that run once per item of a list made on the way."""

import pytest

from impasto import Catalog, Image, Text, compile, node
from impasto.sdk.node_type import node_type_of
from impasto.testing import flow_of
from impasto_nodes.control import collect, condition
from impasto_nodes.control.lists import filter_list, flatten, pair, sort, take
from impasto_nodes.inputs import user_prompt
from impasto_nodes.transform.resize_crop import resize_crop


@node(cost=lambda settings, inputs: {"usd": 0.3, "items": 3})
async def draw() -> list[Image]: ...


@node(cost=0.1)
async def animate(image: Image) -> Text: ...


@pytest.mark.parametrize(
    ("edges", "calls"),
    [
        ([("draw.output", "animate.image")], 3),
        (
            [
                ("draw.output", "collect.items"),
                ("more.output", "collect.items"),
                ("collect.output", "animate.image"),
            ],
            6,
        ),
        ([("draw.output", "sizes.image"), ("sizes.output", "animate.image")], 9),
    ],
)
def test_paid_step_is_estimated_once_per_item(edges, calls):
    nodes = {
        "draw": "draw", "more": "draw", "collect": "collect", "animate": "animate",
        "sizes": ("resize_crop", {"sizes": "Instagram"}),
    }  # fmt: skip
    edges = [*edges, *([] if calls == 9 else [("draw.output", "sizes.image")])]
    plan = compile(flow_of(nodes, edges), Catalog([draw, animate, collect, resize_crop]))
    expected = plan.step_estimates()
    assert expected["animate"]["usd"] == pytest.approx(0.1 * calls)
    assert not {"collect", "sizes"} & set(expected), "they are free"


@node(cost=0.1)
async def dub(image: Image, other: Image) -> Text: ...


@node
async def user_photo() -> Image: ...


@node(cost=lambda settings, inputs: {"usd": 0.0, "items": 2})
async def shoot(image: Image) -> list[Image]: ...


@pytest.mark.parametrize(
    ("listed", "settings", "calls"),
    [
        ("take", {"count": 2}, 2),
        ("take", {"count": 5, "skip": 2}, 1),
        ("take", {"count": 5, "skip": 4}, 0),
        ("sort", {}, 3),
        ("filter", {}, 3),
    ],
)
def test_list_node_keeps_count_of_a_list_made_on_the_way(listed, settings, calls):
    nodes = {"draw": "draw", "it": (listed, settings), "animate": "animate"}
    edges = [("draw.output", "it.items"), ("it.output", "animate.image")]
    plan = compile(flow_of(nodes, edges), Catalog([draw, animate, take, sort, filter_list]))
    expected = plan.step_estimates()
    assert expected.get("animate", {"usd": 0})["usd"] == pytest.approx(0.1 * calls)
    assert "it" not in expected, "it is free"


@pytest.mark.parametrize(("how", "calls"), [("in order", 3), ("every combination", 9)])
def test_pairs_are_counted_before_they_are_made(how, calls):
    nodes = {"draw": "draw", "more": "draw", "pair": ("pair", {"how": how}), "dub": "dub"}
    edges = [
        ("draw.output", "pair.first"), ("more.output", "pair.second"),
        ("pair.first", "dub.image"), ("pair.second", "dub.other"),
    ]  # fmt: skip
    plan = compile(flow_of(nodes, edges), Catalog([draw, dub, pair]))
    expected = plan.step_estimates()
    assert expected["dub"]["usd"] == pytest.approx(0.1 * calls)
    assert "pair" not in expected, "it is free"


def test_pairs_in_order_are_counted_by_the_shorter_list():
    nodes = {
        "draw": "draw", "product": "user_photo", "shoot": "shoot", "pair": "pair", "dub": "dub",
    }  # fmt: skip
    for first, second in (("draw", "shoot"), ("shoot", "draw")):
        edges = [
            ("product.output", "shoot.image"), (f"{first}.output", "pair.first"),
            (f"{second}.output", "pair.second"),
            ("pair.first", "dub.image"), ("pair.second", "dub.other"),
        ]  # fmt: skip
        plan = compile(flow_of(nodes, edges), Catalog([draw, dub, pair, shoot, user_photo]))
        assert plan.step_estimates()["dub"]["usd"] == pytest.approx(0.2)


def test_nested_lists_are_counted_when_they_are_flattened():
    nodes = {"draw": "draw", "shoot": "shoot", "flat": "flatten", "animate": "animate"}
    edges = [("draw.output", "shoot.image"), ("shoot.output", "flat.lists"), ("flat.output", "animate.image")]
    plan = compile(flow_of(nodes, edges), Catalog([draw, shoot, flatten, animate]))
    expected = plan.step_estimates()
    assert expected["animate"]["usd"] == pytest.approx(0.6)
    assert "flat" not in expected, "it is free"


@pytest.mark.parametrize(
    ("listed", "settings", "inputs", "items"),
    [
        (flatten, {}, {"lists": [["a"], [], ["b", "c"]]}, 3),
        (flatten, {}, {"lists": None}, None),
        (collect, {}, {"items": ["a", "b"]}, 2),
        (collect, {}, {"items": None}, 0),
        (pair, {"how": "in order"}, {"first": ["a"], "second": ["b", "c"]}, 1),
        (pair, {"how": "every combination"}, {"first": ["a", "b"], "second": ["c", "d", "e"]}, 6),
        (pair, {"how": "in order"}, {"first": None, "second": ["a"]}, None),
        (pair, {"how": "in order"}, {"first": ["a"], "second": None}, None),
        (sort, {}, {"items": ["a", "b"]}, 2),
        (sort, {}, {"items": None}, None),
        (take, {"count": 2, "skip": 0}, {"items": ["a", "b", "c"]}, 2),
        (take, {"count": 2, "skip": 2}, {"items": ["a", "b", "c"]}, 1),
        (take, {"count": 2, "skip": 4}, {"items": ["a", "b", "c"]}, 0),
        (take, {"count": 2, "skip": 0}, {"items": None}, None),
    ],
)
def test_list_nodes_are_free_and_count_the_lists_that_are_known(listed, settings, inputs, items):
    known = {} if items is None else {"items": items}
    assert node_type_of(listed).cost(settings, inputs, frozenset()) == {"usd": 0.0, **known}


def test_list_of_unknown_length_counts_as_one_call():
    @node
    async def find() -> list[Image]: ...

    edges = [("find.output", "it.items"), ("it.output", "animate.image")]
    for listed in (("take", {"count": 4}), "sort", "filter"):
        nodes = {"find": "find", "it": listed, "animate": "animate"}
        plan = compile(flow_of(nodes, edges), Catalog([find, take, sort, filter_list, animate]))
        expected = plan.step_estimates()
        assert expected["animate"]["usd"] == pytest.approx(0.1)
        assert "it" not in expected, "it is free"


def test_lists_of_unknown_length_count_as_one_call_when_they_are_flattened():
    @node
    async def vary(image: Image) -> list[Image]: ...

    nodes = {"draw": "draw", "vary": "vary", "flat": "flatten", "animate": "animate"}
    edges = [("draw.output", "vary.image"), ("vary.output", "flat.lists"), ("flat.output", "animate.image")]
    plan = compile(flow_of(nodes, edges), Catalog([draw, vary, flatten, animate]))
    expected = plan.step_estimates()
    assert expected["animate"]["usd"] == pytest.approx(0.1)
    assert "flat" not in expected, "it is free"


@pytest.mark.parametrize("known", ["first", "second", "none"])
def test_pairs_of_a_list_of_unknown_length_count_as_one_call(known):
    @node
    async def find() -> list[Image]: ...

    first, second = ("draw" if known == side else "find" for side in ("first", "second"))
    nodes = {"one": first, "other": second, "pair": "pair", "dub": "dub"}
    edges = [("one.output", "pair.first"), ("other.output", "pair.second")]
    edges += [("pair.first", "dub.image"), ("pair.second", "dub.other")]
    plan = compile(flow_of(nodes, edges), Catalog([draw, find, dub, pair]))
    expected = plan.step_estimates()
    assert expected["dub"]["usd"] == pytest.approx(0.1)
    assert "pair" not in expected, "it is free"


def with_rule(kind, test, value, where="rules"):
    """Return the settings of a condition with one case: of the rule, or of films or a group with the rule."""
    rule = {"kind": kind, "test": test, "value": value}
    case = {"name": "Film", "port": "case_2", "rules": [rule], "groups": []}
    if where == "groups":
        rules = [{"kind": "text", "test": "is", "value": "film"}]
        case |= {"join": "or", "rules": rules, "groups": [{"join": "and", "rules": [rule]}]}
    return {"cases": [case]}


FORMAT = with_rule("text", "is", "film")


@node(cost=1)
async def film(text: Text) -> Text: ...


@node(cost=10)
async def write(text: Text) -> Text: ...


@pytest.mark.parametrize(
    ("settings", "by", "usd"),
    [
        (FORMAT, "Film", 1),
        (FORMAT, "post", 10),
        ({"cases": []}, "post", 10),
        (with_rule("number", "is more than", "3"), "4", 1),
        (with_rule("number", "is more than", "3"), "many", 11),
        (with_rule("text", "is", "post", "groups"), "post", 1),
        (with_rule("list", "is empty", ""), "post", 11),
        (with_rule("brand_check", "passed", "", "groups"), "post", 11),
        (with_rule("text", "matches", "p"), "post", 11),
        (with_rule("text", "does not match", "p", "groups"), "post", 11),
        (FORMAT, "a" * 1000, 10),
        (FORMAT, "a" * 1001, 11),
        (FORMAT, None, 11),
    ],
    ids=[
        "a case", "no case", "no cases", "a number", "not a number", "a group", "a list", "a brand check",
        "a pattern", "a pattern in a group",
        "1,000 characters", "1,001 characters", "unconnected",
    ],
)  # fmt: skip
def test_estimate_leaves_out_the_branches_that_a_known_value_closes(settings, by, usd):
    nodes = {"v": "user_prompt", "b": "user_prompt", "c": ("condition", settings), "f": "film", "w": "write"}
    edges = [("v.output", "c.value"), ("c.case_2", "f.text"), ("c.otherwise", "w.text")]
    if by is not None:
        edges.append(("b.output", "c.by"))
    plan = compile(flow_of(nodes, edges), Catalog([user_prompt, condition, film, write]))
    assert plan.estimate({"v": "film", "b": by} if by else {"v": "film"})["usd"] == usd
