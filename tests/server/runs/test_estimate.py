"""Estimates of launches."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import flow

pytestmark = pytest.mark.anyio

PAINTING = flow("ask", "lines", "paint", edges=["lines.output -> paint.text"])


async def estimate(person: Any, made: dict[str, Any], status: int = 200, **body: Any) -> Any:
    response = await person.client.post(f"/flows/{made['id']}/estimate", json=body)
    expect(response, status)
    return response.json()


async def test_estimate_depends_on_inputs(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    assert (await estimate(person, made))["usd"] == "0"
    estimated = await estimate(person, made, inputs={"ask": "hello", "lines": ["a", "b", "c"]})
    assert estimated == {
        "usd": "0.03",
        "seconds": None,
        "price_unknown": False,
        "based_on_runs": 0,
        "notices": [],
        "steps": [{"node": "paint", "usd": "0.03", "price_unknown": False}],
    }


async def test_invalid_inputs_count_as_missing(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    image = {"$type": "Image", "asset_id": "unknown"}
    estimated = await estimate(person, made, inputs={"lines": ["a"], "ask": 7, "gone": 1, "show": image})
    assert estimated["usd"] == "0.01"


async def test_estimate_starts_no_run_and_uses_no_quota(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    await estimate(person, made, inputs={"lines": ["a"]})
    assert (await person.client.get("/runs/")).json()["items"] == []
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 0


async def test_estimate_is_of_the_requested_version(person: Any, new_person: Any, publish: Any) -> None:
    document = flow("ask", "paint", edges=["ask.output -> paint.text"])
    made = await publish(person, document, visibility="public")
    await person.client.put(
        f"/flows/{made['id']}/draft", json=flow("ask"), headers={"If-Match": f'"{made["revision"]}"'}
    )
    assert (await estimate(person, made, version=1))["usd"] == "0.01"
    assert (await estimate(person, made, version="draft"))["usd"] == "0"
    other = await new_person("noor")
    assert (await estimate(other, made))["usd"] == "0.01"
    assert (await estimate(other, made, status=403, version="draft"))["code"] == "not_owner"
    await estimate(other, made, status=404, version=2)


async def test_own_draft_is_estimated_without_published_version(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    made = await make_flow(person, flow("ask", "paint", edges=["ask.output -> paint.text"]))
    assert (await estimate(person, made))["usd"] == "0.01"
    await estimate(await new_person("noor"), made, status=404)


async def test_invalid_agent_has_no_estimate(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("paint"))
    found = await estimate(person, made, version="draft")
    assert (found["usd"], found["seconds"], found["steps"]) == (None, None, [])
