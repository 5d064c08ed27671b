"""What an estimate counts where values are not known yet: the lengths of lists, and closed outputs."""

from typing import Annotated, NamedTuple

import pytest

from impasto import Setting, Text, node
from impasto.testing import plan_of


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


@node(cost=lambda settings, inputs: {"usd": 1, "items": settings["n"]})
async def draw(text: Text = "", *, n: int = 1) -> list[Text]: ...


@node
async def search() -> list[Text]: ...


@node
async def one() -> Text: ...


@node(cost=lambda settings, inputs: {"usd": 0, "items": 2})
async def chapters() -> list[list[Text]]: ...


@node(cost=lambda settings, inputs: 100 if inputs["texts"] is None else len(inputs["texts"]))
async def join(texts: list[Text]) -> Text: ...


@node(cost=lambda settings, inputs: 10 + len(inputs["texts"]))
async def publish(texts: list[Text]) -> Text: ...


@node(cost=lambda settings, inputs: len(inputs["texts"]))
async def mix(*texts: Text) -> Text: ...


@node(cost=lambda settings, inputs: 1)
async def animate(text: Text, music: Text = "") -> Text: ...


TYPES = [say, draw, one, search, chapters, join, publish, mix, animate]
UNKNOWN = 100  # what the cost function of `join` answers


def usd_of(sources, target, port):
    """The dollars of a node whose input gets these nodes."""
    nodes = {f"s{number}": source for number, source in enumerate(sources)}
    edges = [(f"{name}.output", f"t.{port}") for name in nodes]
    return plan_of(TYPES, {**nodes, "t": target}, edges).step_estimates().get("t", {"usd": 0})["usd"]


def drawn(n):
    return ("draw", {"n": n})


@pytest.mark.parametrize(
    ("sources", "count"),
    [
        (["say"], 1),
        (["one"], 1),
        (["one", "say"], 2),
        ([drawn(3)], 3),
        ([drawn(0)], 0),
        (["search"], UNKNOWN),
        (["say", "say"], 2),
        ([drawn(3), "say"], 4),
        ([drawn(3), drawn(4)], 7),
        (["say", "search"], UNKNOWN),
        ([drawn(10_000)], 10_000),
        ([drawn(10_001)], UNKNOWN),
        ([drawn(9_999), "say"], 10_000),
        ([drawn(10_000), "say"], UNKNOWN),
    ],
)
def test_a_list_has_as_many_values_as_its_sources_unless_one_is_of_unknown_length(sources, count):
    assert usd_of(sources, "join", "texts") == pytest.approx(count)


@pytest.mark.parametrize(
    ("sources", "count"),
    [
        (["say"], 1),
        (["one"], 1),
        (["say", "say"], 2),
        ([drawn(3)], 3),
        ([drawn(3), "say", drawn(2)], 6),
        (["search", "say"], 2),
        ([drawn(20_000), "say"], 10_000),
    ],
)
def test_an_input_for_any_number_of_values_counts_a_list_of_unknown_length_as_one(sources, count):
    assert usd_of(sources, "mix", "texts") == count


@pytest.mark.parametrize(
    ("source", "calls"), [("say", 1), (drawn(3), 3), (drawn(0), 0), ("search", 1), ("chapters", 2)]
)
def test_a_step_is_called_once_for_each_value_of_a_list(source, calls):
    assert usd_of([source], "animate", "text") == calls


@pytest.mark.parametrize(("text", "music", "calls"), [(3, 2, 3), (2, 5, 5), (4, 0, 4)])
def test_of_two_lists_the_longer_one_counts(text, music, calls):
    nodes = {"a": drawn(text), "b": drawn(music), "t": "animate"}
    plan = plan_of(TYPES, nodes, [("a.output", "t.text"), ("b.output", "t.music")])
    assert plan.step_estimates()["t"]["usd"] == calls


@pytest.mark.parametrize(
    ("outer", "inner", "calls"), [(3, 4, 12), (3, 0, 0), (0, 4, 0), (100_000, 100_000, 10**9)]
)
def test_lists_in_lists_multiply_up_to_a_thousand_million_calls(outer, inner, calls):
    nodes = {"a": drawn(outer), "b": drawn(inner), "t": "animate"}
    plan = plan_of(TYPES, nodes, [("a.output", "b.text"), ("b.output", "t.text")])
    estimates = plan.step_estimates()
    assert estimates.get("t", {"usd": 0})["usd"] == calls
    assert estimates.get("b", {"usd": 0})["usd"] == outer


@pytest.mark.parametrize(("inner", "calls"), [(0, 0), (1, 10**9)])
def test_empty_lists_in_very_long_ones_are_no_calls(inner, calls):
    nodes = {"a": drawn(100_000), "b": drawn(100_000), "c": drawn(inner), "t": "animate"}
    edges = [("a.output", "b.text"), ("b.output", "c.text"), ("c.output", "t.text")]
    estimates = plan_of(TYPES, nodes, edges).step_estimates()
    assert estimates.get("t", {"usd": 0})["usd"] == calls


def test_the_inner_lists_of_a_fanned_out_step_are_joined_each_for_itself():
    nodes = {"a": drawn(3), "b": drawn(4), "t": "publish"}
    plan = plan_of(TYPES, nodes, [("a.output", "b.text"), ("b.output", "t.texts")])
    assert plan.step_estimates()["t"]["usd"] == 3 * (10 + 4)


class Ways(NamedTuple):
    left: Text
    right: Text


@node(cost=lambda settings, inputs: {"closed": [settings["way"], "unknown"]})
async def fork(text: Text, *, way: str = "") -> Ways: ...


@node(cost=1)
async def walk(text: Text, other: Text | None = None) -> Text: ...


@node(cost=10)
async def count(texts: list[Text]) -> Text: ...


@pytest.mark.parametrize(
    ("way", "edges", "usd"),
    [
        ("", [("f.left", "w.text"), ("w.output", "x.text")], 2),
        ("right", [("f.left", "w.text"), ("w.output", "x.text")], 2),
        ("left", [("f.left", "w.text"), ("w.output", "x.text")], 0),
        ("left", [("s.output", "w.text"), ("f.left", "w.other"), ("w.output", "x.text")], 2),
        ("left", [("f.right", "w.text"), ("f.left", "w.other"), ("w.output", "x.text")], 2),
        ("left", [("f.left", "c.texts"), ("f.right", "c.texts")], 10),
        ("left", [("f.left", "c.texts"), ("f.left", "c.texts")], 0),
    ],
    ids=[
        "open", "the other is closed", "closed", "only an optional input is closed", "of both, one is closed",
        "one of a list is closed", "all of a list are closed",
    ],
)  # fmt: skip
def test_estimate_leaves_out_what_needs_an_output_that_will_be_closed(way, edges, usd):
    used = {end.split(".")[0] for edge in edges for end in edge}
    nodes = {"s": "say", "f": ("fork", {"way": way}), "w": "walk", "x": "walk", "c": "count"}
    nodes = {name: kind for name, kind in nodes.items() if name in used | {"s", "f"}}
    plan = plan_of([say, fork, walk, count], nodes, [("s.output", "f.text"), *edges])
    assert plan.estimate()["usd"] == usd


def test_estimate_counts_what_takes_a_list_from_which_a_closed_output_is_missing():
    @node
    async def many() -> list[Text]: ...

    edges = [("m.output", "f.text"), ("f.left", "c.texts")]
    plan = plan_of([many, fork, count], {"m": "many", "f": ("fork", {"way": "left"}), "c": "count"}, edges)
    assert plan.estimate()["usd"] == 10
