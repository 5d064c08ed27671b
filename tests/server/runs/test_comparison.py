"""Comparing settings: one node runs once with each of several settings, everything before it once."""

import time
from decimal import Decimal
from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_fixtures import crash
from tests.server.sample_nodes import CALLS, arrived, chain, flow, gate, sample_catalog

from impasto_server.runs import repository
from impasto_server.runs.errors import NotComparable
from impasto_server.runs.launch.comparison import Derived, derive

pytestmark = pytest.mark.anyio


def variants(*settings: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"settings": each} for each in settings]


MARKS = variants({"mark": "?"}, {"mark": "..."})


async def compare(person: Any, made: dict[str, Any], status: int = 202, **body: Any) -> Any:
    request = {"node": "shout", "variants": MARKS, "inputs": {"ask": "hello"}, **body}
    response = await person.client.post(f"/flows/{made['id']}/comparisons", json=request)
    expect(response, status)
    return response.json()


def outputs(run: dict[str, Any]) -> dict[str, Any]:
    return {step["id"]: step["outputs"].get("output") for step in run["steps"]}


async def test_each_variant_runs_once_and_nodes_before_it_once(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("spell", "shout", "paint"))
    run = await finished(person, await compare(person, made))
    assert run["status"] == "finished"
    assert outputs(run) == {
        "ask": "hello",
        "spell": "hello",
        "shout": "HELLO!",
        "shout_2": "HELLO?",
        "shout_3": "HELLO...",
    }
    assert (CALLS["shout"], CALLS["paint"]) == (3, 0)
    assert run["comparison"] == {
        "node": "shout",
        "title": "Shout",
        "steps": ["shout", "shout_2", "shout_3"],
        "cancelled": [],
    }
    assert [result["title"] for result in run["results"]] == ["Shout A", "Shout B", "Shout C"]


async def test_results_of_earlier_runs_are_reused_and_the_draft_does_not_change(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    document = flow("ask", "buy", "shout", edges=["ask.output -> buy.text", "buy.output -> shout.text"])
    made = await make_flow(person, document)
    await finished(person, await run_flow(person, made["id"], reuse="changed", inputs={"ask": "hello"}))
    run = await finished(person, await compare(person, made))
    assert (run["cost_usd"], CALLS["buy"], CALLS["shout"]) == ("0", 1, 3)
    cached = {step["id"]: step["cached"] for step in run["steps"]}
    assert (cached["buy"], cached["shout"], cached["shout_2"]) == (True, True, False)
    assert (await person.client.get(f"/flows/{made['id']}")).json()["flow"] == made["flow"]


async def test_kept_settings_find_their_result_in_the_next_run(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    document = flow("ask", "buy", edges=["ask.output -> buy.text"])
    made = await make_flow(person, document)
    run = await finished(
        person, await compare(person, made, node="buy", variants=variants({"price": 0.2}, {"price": 0.3}))
    )
    assert (run["cost_usd"], CALLS["buy"]) == ("0.9", 3)
    document["nodes"][1]["settings"] = {"price": 0.3}
    headers = {"If-Match": "*"}
    await person.client.put(f"/flows/{made['id']}/draft", json=document, headers=headers)
    kept = await finished(
        person, await run_flow(person, made["id"], reuse="changed", inputs={"ask": "hello"})
    )
    assert (kept["cost_usd"], CALLS["buy"]) == ("0", 3)
    assert [step["cached"] for step in kept["steps"] if step["id"] == "buy"] == [True]


async def test_step_that_is_mapped_over_a_list_is_mapped_in_each_variant(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, flow("lines", "shout", edges=["lines.output -> shout.text"]))
    run = await finished(person, await compare(person, made, inputs={"lines": ["a", "b"]}))
    assert [step["outputs"]["output"] for step in run["steps"][1:]] == [
        ["A!", "B!"],
        ["A?", "B?"],
        ["A...", "B..."],
    ]


async def test_variant_that_fails_does_not_stop_the_others(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, flow("ask", "buy", edges=["ask.output -> buy.text"]))
    run = await finished(
        person, await compare(person, made, node="buy", variants=variants({"fails": True}, {"price": 0.1}))
    )
    statuses = {step["id"]: step["status"] for step in run["steps"]}
    assert statuses == {"ask": "finished", "buy": "finished", "buy_2": "failed", "buy_3": "finished"}
    failed = next(step for step in run["steps"] if step["id"] == "buy_2")
    assert failed["error"]["message"]


async def test_repeated_request_starts_one_comparison(person: Any, make_flow: Any, app_state: Any) -> None:
    made = await make_flow(person, chain("shout"))
    allowed = {"budget_usd": "1.5", "allow_unpriced": True}
    body = {"node": "shout", "variants": MARKS, "inputs": {"ask": "hello"}, **allowed}
    url, headers = f"/flows/{made['id']}/comparisons", {"Idempotency-Key": "once"}
    first = (await person.client.post(url, json=body, headers=headers)).json()["id"]
    await crash(app_state)
    assert (await person.client.post(url, json=body, headers=headers)).json()["id"] == first
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 1
    async with app_state.database.reading() as session:
        row = await repository.find(session, first)
    assert (row.budget_usd, row.allow_unpriced, row.reuse) == (Decimal("1.5"), True, "changed")
    assert (row.version, row.fresh, row.targets) == (None, [], ["shout", "shout_2", "shout_3"])


async def test_estimate_is_by_variant_and_starts_nothing(person: Any, make_flow: Any) -> None:
    document = flow("ask", "paint", "buy", edges=["ask.output -> buy.text", "ask.output -> paint.text"])
    made = await make_flow(person, document)
    body = {"node": "buy", "variants": variants({"expected": 0.1}), "inputs": {}}
    response = await person.client.post(f"/flows/{made['id']}/comparisons/estimate", json=body)
    expect(response, 200)
    found = response.json()
    assert [(each["step"], each["usd"]) for each in found["variants"]] == [("buy", "0.4"), ("buy_2", "0.1")]
    assert (found["usd"], found["before_usd"], found["can_run"]) == ("0.5", "0", True)
    assert (await person.client.get("/runs/")).json()["items"] == []


async def test_estimate_says_which_variant_cannot_run(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, chain("shout"))
    body = {"node": "shout", "variants": variants({"mark": "too long"}, {"mark": "?"})}
    found = (await person.client.post(f"/flows/{made['id']}/comparisons/estimate", json=body)).json()
    assert found["can_run"] is False
    assert [len(each["problems"]) for each in found["variants"]] == [0, 1, 0]
    refused = await compare(person, made, 422, variants=variants({"mark": "too long"}))
    assert refused["code"] == "flow_invalid"


async def test_what_cannot_be_compared_is_refused_with_a_reason(
    person: Any, make_flow: Any, subtests: pytest.Subtests
) -> None:
    made = await make_flow(person, chain("spell", "shout"))
    cases: list[tuple[dict[str, Any], str]] = [
        ({"node": "gone"}, "not in the saved draft"),
        ({"node": "ask"}, "takes its value from the launch"),
        ({"node": "spell"}, "no settings"),
        ({"variants": variants({"mark": "?"}, {"mark": "?"})}, "Variants B and C have the same settings"),
        ({"variants": variants({"mark": "!"})}, "Variants A and B have the same settings"),
    ]
    for change, sentence in cases:
        with subtests.test(sentence=sentence):
            refused = await compare(person, made, 422, **change)
            assert refused["code"] == "not_comparable"
            assert sentence in refused["detail"]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"mode": "disabled"}, "is disabled"),
        ({"mode": "bypassed"}, "is bypassed"),
        ({"pin": {"outputs": {"output": {"type": "Text", "depth": 0, "value": "x"}}}}, "is pinned"),
    ],
)
async def test_node_that_would_not_be_called_is_refused(
    person: Any, make_flow: Any, state: dict[str, Any], sentence: str
) -> None:
    document = chain("shout")
    document["nodes"][1] |= state
    made = await make_flow(person, document)
    assert sentence in (await compare(person, made, 422))["detail"]


async def test_setting_that_an_edge_sets_cannot_differ(person: Any, make_flow: Any) -> None:
    document = flow("ask", "shout", edges=["ask.output -> shout.text", "ask.output -> shout.mark"])
    made = await make_flow(person, document)
    assert "An edge sets" in (await compare(person, made, 422))["detail"]


async def test_exposed_settings_are_those_of_the_variants(person: Any, make_flow: Any, finished: Any) -> None:
    document = chain("shout")
    document["nodes"][1]["exposed"] = {"mark": {}}
    made = await make_flow(person, document)
    run = await finished(person, await compare(person, made, inputs={"ask": "hello", "shout.mark": "#"}))
    assert outputs(run)["shout"] == "HELLO!"


async def test_only_the_owner_compares(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, chain("shout"), visibility="public")
    assert (await compare(await new_person("ines"), made, 403))["code"] == "not_owner"


async def test_agents_are_compared_as_nodes(person: Any, make_flow: Any, finished: Any) -> None:
    inner = chain("shout")
    document = flow("ask")
    document["nodes"].append({"id": "inner", "type": "agent", "settings": {"flow": inner}})
    document["edges"] = [{"from": "ask.output", "to": "inner.ask"}]
    other = chain("spell")
    made = await make_flow(person, document)
    run = await finished(
        person, await compare(person, made, node="inner", variants=variants({"flow": other}))
    )
    assert run["status"] == "finished"
    assert outputs(run)["inner/shout"] == "HELLO!"
    assert outputs(run)["inner_2/spell"] == "hello"


async def cancel(person: Any, run: dict[str, Any], step: str, status: int = 202) -> Any:
    response = await person.client.post(f"/runs/{run['id']}/variants/{step}/cancel")
    expect(response, status)
    return response.json()


def waiting(*names: str) -> list[dict[str, Any]]:
    return variants(*({"name": name} for name in names))


async def test_one_variant_is_cancelled_while_the_others_go_on(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await compare(person, made, node="wait", variants=waiting("second", "third"))
    for name in ("gate", "second", "third"):
        await arrived(name)
    seen = await cancel(person, run, "wait_2")
    assert seen["comparison"]["cancelled"] == ["wait_2"]
    gate("gate").set()
    gate("third").set()
    run = await finished(person, run)
    statuses = {step["id"]: step["status"] for step in run["steps"]}
    assert statuses == {"ask": "finished", "wait": "finished", "wait_2": "cancelled", "wait_3": "finished"}
    assert run["status"] == "finished"
    assert (await cancel(person, run, "wait", 409))["code"] == "run_over"


async def test_variant_that_was_cancelled_before_it_started_never_runs(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    run = await compare(person, made)
    await arrived("gate")
    await cancel(person, run, "shout_3")
    gate("gate").set()
    run = await finished(person, run)
    assert (run["status"], CALLS["shout"]) == ("finished", 2)
    assert outputs(run)["shout_3"] is None


async def test_cancelling_the_last_variant_cancels_the_run(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    run = await compare(person, made, variants=MARKS[:1])
    await arrived("gate")
    for step in ("shout", "shout_2"):
        await cancel(person, run, step)
    run = await finished(person, run)
    assert (run["status"], CALLS["shout"]) == ("cancelled", 0)
    assert run["can_resume"] is False
    expect(await person.client.post(f"/runs/{run['id']}/resume"), 409, code="nothing_to_resume")


async def test_a_resumed_comparison_does_not_run_cancelled_variants(
    person: Any, make_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    run = await compare(person, made)
    await arrived("gate")
    await cancel(person, run, "shout_2")
    expect(await person.client.post(f"/runs/{run['id']}/cancel"), 202)
    assert (await finished(person, run))["can_resume"] is True
    resumed = await person.client.post(f"/runs/{run['id']}/resume")
    expect(resumed, 202)
    assert resumed.json()["comparison"]["cancelled"] == ["shout_2"]
    gate("gate").set()
    run = await finished(person, run)
    assert (run["status"], CALLS["shout"]) == ("finished", 2)
    statuses = {step["id"]: step["status"] for step in run["steps"]}
    assert (statuses["shout"], statuses["shout_2"], statuses["shout_3"]) == (
        "finished",
        "cancelled",
        "finished",
    )


async def test_only_variants_of_own_comparisons_can_be_cancelled(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await compare(person, made, node="wait", variants=waiting("second"))
    await cancel(person, run, "ask", 404)
    await cancel(await new_person("ines"), run, "wait", 404)
    plain = await run_flow(person, made["id"])
    await cancel(person, plain, "wait", 404)
    for name in ("gate", "second"):
        gate(name).set()


@pytest.mark.parametrize(
    "document",
    [
        {"nodes": {"shout": 1}},
        {"nodes": ["shout", None, {"id": "shout", "type": ["shout"]}]},
        {"nodes": [{"id": "shout"}]},
        {"nodes": [{"id": "other", "type": "shout"}]},
    ],
)
def test_damaged_drafts_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(NotComparable):
        derive(document, sample_catalog(), "shout", [{"mark": "?"}])


def test_variants_are_called_by_letters_and_show_their_results() -> None:
    node = {"id": "say", "type": "shout", "title": "Slogan", "settings": {"mark": "!"}, "x": 1}
    end = {"id": "end", "type": "shout"}
    document = {
        "nodes": ["damaged", node | {"exposed": {"mark": {}}, "result": False}, end],
        "edges": 7,
        "y": 2,
    }
    variant = {**node, "result": True, "variables": {}}
    assert derive(document, sample_catalog(), "say", [{"mark": "?"}, {"mark": "#"}]) == Derived(
        {
            "nodes": [
                "damaged",
                {**node, "title": "Slogan A", "result": True},
                {**variant, "id": "say_2", "title": "Slogan B", "settings": {"mark": "?"}},
                {**variant, "id": "say_3", "title": "Slogan C", "settings": {"mark": "#"}},
                end,
            ],
            "edges": [],
            "y": 2,
        },
        "say",
        ["say", "say_2", "say_3"],
        "Slogan",
    )


def test_copies_have_free_ids_and_the_edges_of_their_node_alone() -> None:
    nodes = [{"id": name, "type": "shout"} for name in ("say", "say_2", "say.text")]
    edges = [
        {"from": "x.output", "to": "say.text"},
        {"from": "x.output", "to": "say.text.text"},
        {"from": "say.output", "to": "say_2.text"},
        "damaged",
    ]
    derived = derive({"nodes": nodes, "edges": edges}, sample_catalog(), "say", [{"mark": "?"}])
    assert derived.steps == ["say", "say_3"]
    assert derived.document["edges"] == [*edges, {"from": "x.output", "to": "say_3.text"}]


def test_a_draft_with_many_nodes_and_edges_is_derived_in_linear_time() -> None:
    document = {
        "nodes": [{"id": "shout", "type": "shout"}, *({"id": f"n{index}"} for index in range(5000))],
        "edges": [{"from": "n1.output", "to": "shout.text"}] * 20_000,
    }
    began = time.process_time()
    assert len(derive(document, sample_catalog(), "shout", [{"mark": "?"}]).document["edges"]) == 40_000
    assert time.process_time() - began < 1


def test_variables_set_what_variants_do_not_change() -> None:
    tone = {"name": "tone", "type": "Text", "value": "?"}
    document = chain("shout") | {"variables": [tone]}
    node = next(each for each in document["nodes"] if each["id"] == "shout")
    node |= {"settings": {"mark": "own", "other": 1}, "variables": {"mark": "tone", "inputs.a": "tone"}}
    changed = [
        {"mark": "own", "other": 1},
        {"mark": "?", "other": 2},
        {"other": 3},
        {"mark": "?", "other": 1, "inputs": {"a": "!"}},
    ]
    derived = derive(document, sample_catalog(), "shout", changed)
    made = [each for each in derived.document["nodes"] if each["id"] in derived.steps]
    assert [(each["settings"], each["variables"]) for each in made] == [
        ({"mark": "own", "other": 1}, {"mark": "tone", "inputs.a": "tone"}),
        ({"mark": "own", "other": 1, "inputs": {"a": "?"}}, {"inputs.a": "tone"}),
        ({"mark": "?", "other": 2, "inputs": {"a": "?"}}, {"mark": "tone", "inputs.a": "tone"}),
        ({"mark": "?", "other": 3, "inputs": {"a": "?"}}, {"mark": "tone", "inputs.a": "tone"}),
        ({"mark": "?", "other": 1, "inputs": {"a": "!"}}, {"mark": "tone"}),
    ]
    with pytest.raises(NotComparable, match="same settings"):
        derive(document, sample_catalog(), "shout", [{"mark": "?", "other": 1}])
