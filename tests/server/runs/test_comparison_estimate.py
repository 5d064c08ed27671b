"""What each variant of a comparison is expected to cost and how long it takes."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import agent_node, chain, flow, sample_catalog

from impasto import Catalog, Text, node

pytestmark = pytest.mark.anyio


def unknown_price(settings: dict[str, Any], inputs: dict[str, Any]) -> dict[str, Any]:
    notice = {"code": "days", "message": f"For {settings['days']} days.", "hint": "Return it."}
    return {"usd": None, "notices": [notice]}


@node(id="rent", cost=unknown_price)
def rent(text: Text, *, days: int = 1) -> Text:
    """Return the text, at a price that is not known."""
    return text


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([*(found.function for found in sample_catalog()), rent])


async def estimate(
    person: Any, make_flow: Any, document: dict[str, Any], status: int = 200, **body: Any
) -> Any:
    made = await make_flow(person, document)
    response = await person.client.post(f"/flows/{made['id']}/comparisons/estimate", json=body)
    return expect(response, status).json()


async def test_steps_of_an_agent_count_for_its_variant_and_others_before_all(
    person: Any, make_flow: Any
) -> None:
    edges = ["ask.output -> draw.text", "draw.output -> draw_2.text"]
    inner = flow("ask", "draw", {"id": "draw_2", "type": "draw"}, edges=edges)
    edges = ["ask.output -> buy.text", "buy.output -> inner.ask"]
    document = flow("ask", "buy", agent_node("inner", inner), edges=edges)
    found = await estimate(
        person,
        make_flow,
        document,
        node="inner",
        variants=[{"settings": {"flow": chain("buy")}}, {"settings": {"flow": chain("spell")}}],
        inputs={"ask": "a", "inner.ask": "b", "other": 1},
    )
    assert [(each["step"], each["usd"], each["seconds"]) for each in found["variants"]] == [
        ("inner", "0", 8.0),
        ("inner_2", "0.4", None),
        ("inner_3", "0", None),
    ]
    assert (found["usd"], found["before_usd"]) == ("0.8", "0.4")
    assert (found["can_run"], found["problems"], found["price_unknown"]) == (True, [], False)
    assert all(each["problems"] == each["notices"] == [] for each in found["variants"])


async def test_problem_of_another_node_keeps_every_variant_from_running(person: Any, make_flow: Any) -> None:
    document = flow("ask", "shout", {"id": "other", "type": "shout", "settings": {"mark": "too long"}},
                    edges=["ask.output -> other.text", "other.output -> shout.text"])  # fmt: skip
    variants = [{"settings": {"mark": "also too long"}}]
    found = await estimate(person, make_flow, document, node="shout", variants=variants, inputs={})
    assert found["can_run"] is False
    assert [(each["step"], len(each["problems"])) for each in found["variants"]] == [
        ("shout", 0),
        ("shout_2", 1),
    ]
    assert all(problem["node"] == "shout_2" for problem in found["variants"][1]["problems"])
    assert [problem["node"] for problem in found["problems"]] == ["other"]


async def test_price_that_is_not_known_is_said_of_the_variants_and_of_all(
    person: Any, make_flow: Any
) -> None:
    edges = ["ask.output -> rent.text", "rent.output -> shout.text"]
    document = flow("ask", "rent", "shout", edges=edges)
    for name, changed, unknown in (("rent", {"days": 2}, True), ("shout", {"mark": "?"}, False)):
        variants = [{"settings": changed}]
        found = await estimate(person, make_flow, document, node=name, variants=variants, inputs={"ask": "a"})
        assert [each["price_unknown"] for each in found["variants"]] == [unknown, unknown]
        assert (found["price_unknown"], found["usd"], found["before_usd"]) == (True, "0", "0")
        messages = [[notice["message"] for notice in each["notices"]] for each in found["variants"]]
        assert messages == ([["For 1 days."], ["For 2 days."]] if unknown else [[], []])
