"""The operations of a compiler process."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import orjson
import pytest
from tests.server.sample_nodes import agent_node, chain, flow, sample_catalog, shout

from impasto import Catalog, Text, node
from impasto_server.compiler import operations
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.operations import MAX_PROBLEMS, Operations
from impasto_server.flows.schemas import Estimate

LIMITS = FlowLimits(
    nodes=2000, edges=2000, steps=2000, settings_bytes=100_000, setting_values=1000, setting_depth=10
)


@node(id="say")
def say(*, text: str = "x" * 50, other: str = "") -> Text:
    """Return the text."""
    return text + other


@node(id="rent", cost=lambda settings, inputs: {"usd": None})
def rent(text: Text) -> Text:
    """Return the text, at a price that is not known."""
    return text


CATALOG = Catalog([*(found.function for found in sample_catalog()), say, rent])


def header(key: str = "one", **about: Any) -> dict[str, Any]:
    return {"key": key, "flow_id": None, "targets": None, "configured": None, "fresh": [], **about}


def ask(
    operation: str, *parts: Any, made: Operations | None = None, limits: FlowLimits = LIMITS, **about: Any
) -> Any:
    asked = made or Operations(CATALOG, limits)
    return [
        orjson.loads(part) for part in getattr(asked, operation)(header(**about), [*map(orjson.dumps, parts)])
    ]


def test_each_type_is_compiled_before_the_first_document() -> None:
    """What they import is imported once, and one that fails without settings hinders none."""
    asked: list[tuple[str, int]] = []

    def asking(name: str) -> Any:
        def check(settings: Mapping[str, Any], configured: frozenset[str] | None) -> list[Any]:
            asked.append((name, len(settings)))
            raise KeyError(name)

        @node(id=name, check=check)
        def text(*, text: str = "") -> Text:
            return text

        return text

    Operations(Catalog([asking("one"), shout, asking("two")]), LIMITS).warm_up()
    assert asked == [("one", 1), ("two", 1)]


def test_checked_document_says_what_it_makes_and_takes() -> None:
    started = perf_counter()
    answer, inputs, results, estimates, steps, contents, own = ask("check", chain("shout"), {})
    assert 0 < answer["seconds"] <= perf_counter() - started
    assert (answer["can_run"], answer["problems"], answer["parse_error"]) == (True, [], None)
    assert (answer["kinds"], answer["node_types"]) == (["text"], {"ask": False, "shout": False})
    assert [*inputs["properties"]] == ["ask"]
    assert [(result["node"], result["title"]) for result in results] == [("shout", "Shout")]
    assert steps == [
        {"id": "ask", "type": "ask", "title": "Ask"},
        {"id": "shout", "type": "shout", "title": "Shout"},
    ]
    assert (contents, own) == ([], [])
    assert estimates == {}, "none of the steps has a price"
    priced = ask("check", flow("ask", "buy", edges=["ask.output -> buy.text"]), {})[3]
    assert {step: estimate["usd"] for step, estimate in priced.items()} == {"buy": "0.4"}


def test_document_that_cannot_run_has_problems_and_no_plan() -> None:
    answer, _, results, _, steps, contents, own = ask("check", flow("unknown"), {})
    assert (answer["can_run"], answer["parse_error"]) == (False, None)
    assert [problem["node"] for problem in answer["problems"]] == ["unknown"]
    assert (results, steps, contents, own) == ([], [], [], [])
    answer, *_ = ask("check", {"format": 99, "nodes": []}, {})
    assert answer["parse_error"]


def test_too_large_document_is_refused_with_the_limit() -> None:
    limits = FlowLimits(nodes=1, edges=9, steps=9, settings_bytes=999, setting_values=99, setting_depth=9)
    [answer] = ask("check", chain("shout"), {}, limits=limits)
    assert answer["refused"].pop("message").startswith("This flow has 2 nodes")
    assert answer == {"refused": {"limit": "IMPASTO_MAX_FLOW_NODES", "max": 1, "actual": 2}}


@pytest.mark.parametrize(("nodes", "more"), [(MAX_PROBLEMS, None), (MAX_PROBLEMS + 1200, "1,200")])
def test_first_500_problems_are_listed_with_the_number_of_others(nodes: int, more: str | None) -> None:
    document = {"format": 1, "nodes": [{"id": f"n{number}", "type": "gone"} for number in range(nodes)]}
    problems = ask("check", document, {})[0]["problems"]
    assert len(problems) == (MAX_PROBLEMS if more is None else MAX_PROBLEMS + 1)
    assert [problem["message"] for problem in problems if problem["code"] == "more_problems"] == (
        [] if more is None else [f"There are {more} more problems."]
    )


def saying(node_id: str, text: str, **settings: Any) -> dict[str, Any]:
    return {"id": node_id, "type": "say", "settings": {"text": text, **settings}}


def test_content_of_a_flow_is_the_steps_with_80_characters_of_their_own() -> None:
    def contents(*nodes: dict[str, Any], subflows: Any = None) -> tuple[int, int]:
        *_, found, own = ask("check", {"format": 1, "nodes": [*nodes]}, subflows or {})
        return len(found), len(own)

    assert contents(saying("a", "y" * 80)) == (1, 1)
    assert contents(saying("a", "y" * 79)) == (0, 0)
    assert contents(saying("a", "x" * 50, other="y" * 79)) == (0, 0), "the default says nothing"
    assert contents(saying("a", "y" * 40, other="z" * 40)) == (1, 1)
    assert contents(saying("a", "y" * 80), saying("b", "y" * 80), saying("c", "z" * 80)) == (2, 2)
    inner = {"format": 1, "nodes": [saying("x", "i" * 80)]}
    assert contents(saying("a", "y" * 80), agent_node("b", "f1"), subflows={"f1": inner}) == (2, 1)
    assert contents(agent_node("b", inner)) == (1, 1)
    outer = {"format": 1, "nodes": [agent_node("c", "f1"), saying("d", "o" * 80)]}
    assert contents(agent_node("b", outer), subflows={"f1": inner}) == (2, 1)


def test_inputs_are_checked_and_estimated_row_by_row() -> None:
    document = flow("ask", "buy", edges=["ask.output -> buy.text"])
    [found] = ask("inputs", document, {}, [{"ask": "a"}, {"ask": 7}, {"gone": 1}])
    assert found["ids"] is None
    good, *bad = found["rows"]
    assert good == {
        "problems": [], "estimate": Estimate(usd="0.4").model_dump(), "provider_costs": {"openai": 0.4},
        "is_unpriced": False,
    }  # fmt: skip
    assert [[problem["node"] for problem in row["problems"]] for row in bad] == [["ask"], ["gone", "ask"]]
    assert all(row.keys() == {"problems"} for row in bad)
    assert bad[1]["problems"][0] == {
        "node": "gone",
        "code": "unknown_input",
        "message": "This flow has no input 'gone' (its inputs: ask).",
    }
    for step, is_unpriced in (("pay", True), ("rent", True), ("shout", False)):
        [found] = ask("inputs", flow("ask", step, edges=[f"ask.output -> {step}.text"]), {}, [{"ask": "a"}])
        assert [row["is_unpriced"] for row in found["rows"]] == [is_unpriced]


def test_plans_of_the_documents_that_were_checked_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two steps counts as 102 steps: a document costs memory however few steps it has."""
    monkeypatch.setattr(operations, "_MAX_KEPT_STEPS", 204)
    made = Operations(CATALOG, LIMITS)

    def is_kept(key: str) -> bool:
        try:
            [found] = ask("inputs", flow("unknown"), {}, [{"ask": "a"}], made=made, key=key)
        except ValueError:  # of the document that is sent, which does not compile
            return False
        return [row["problems"] for row in found["rows"]] == [[]]

    for key in ("one", "two", "one", "three"):
        ask("check", chain("shout"), {}, made=made, key=key)
    assert {key: is_kept(key) for key in ("one", "two", "three")} == {
        "one": True, "two": False, "three": True,
    }  # fmt: skip
    ask("check", chain("shout", "spell"), {}, made=made, key="longer")
    assert [is_kept(key) for key in ("one", "three", "longer")] == [False, False, True]
    monkeypatch.setattr(operations, "_MAX_KEPT_STEPS", 1)
    ask("check", chain("shout"), {}, made=made, key="last")
    assert [is_kept(key) for key in ("longer", "last")] == [False, True]


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"targets": ["gone"]}, "targets"),
        ({"fresh": ["gone"]}, "fresh"),
        ({"targets": ["shout"], "fresh": ["ask"]}, None),
    ],
)
def test_unknown_ids_are_named_by_their_field(about: dict[str, Any], field: str | None) -> None:
    made = Operations(CATALOG, LIMITS)
    ask("check", chain("shout"), {}, made=made)
    [found] = ask("inputs", chain("shout"), {}, [{"ask": "a"}], made=made, **about)
    assert (found["ids"] and found["ids"]["field"]) == field
    assert len(found["rows"]) == (1 if field is None else 0)


def test_estimate_leaves_out_invalid_inputs_and_form_has_what_a_table_needs() -> None:
    document = flow("ask", "buy", edges=["ask.output -> buy.text"])
    for inputs in ({"ask": "a"}, {"ask": 7, "gone": 1}, {}):
        [found] = ask("estimate", document, {}, inputs)
        assert found["usd"] == "0.4"
    [form] = ask("form", document, {})
    assert form == {"ask": {"type": "string", "title": "Ask"}}


def test_documents_are_compared() -> None:
    [found] = ask("diff", chain("shout"), chain("shout", "spell"))
    edge = {"from": "shout.output", "to": "spell.text"}
    assert found == {
        "nodes": {"added": ["spell"], "removed": [], "changed": []},
        "edges": {"added": [edge], "removed": []},
        "variables": {"added": [], "removed": [], "changed": []},
    }


def test_document_that_does_not_compile_has_no_inputs_to_check() -> None:
    with pytest.raises(ValueError, match="flows that compile"):
        ask("inputs", flow("unknown"), {}, [])
