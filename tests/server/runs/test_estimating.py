"""The estimate of a launch: what the inputs as they stand would cost, with nothing started."""

from typing import Any

import pytest
from tests.server.sample_nodes import flow

pytestmark = pytest.mark.anyio

PAINTING = flow("ask", "lines", "paint", edges=["lines.output -> paint.text"])


async def estimate(person: Any, made: dict[str, Any], status: int = 200, **body: Any) -> Any:
    answer = await person.client.post(f"/flows/{made['id']}/estimate", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_an_estimate_follows_the_inputs(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    assert (await estimate(person, made))["usd"] == "0"
    told = await estimate(person, made, inputs={"ask": "hello", "lines": ["a", "b", "c"]})
    assert told == {"usd": "0.03", "seconds": None}


async def test_what_is_not_right_yet_counts_as_left_out(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    picture = {"$type": "Image", "asset_id": "nobody-has-it"}
    told = await estimate(person, made, inputs={"lines": ["a"], "ask": 7, "gone": 1, "show": picture})
    assert told["usd"] == "0.01"


async def test_asking_starts_and_counts_nothing(person: Any, publish: Any) -> None:
    made = await publish(person, PAINTING)
    await estimate(person, made, inputs={"lines": ["a"]})
    assert (await person.client.get("/runs/")).json()["items"] == []
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 0


async def test_another_version_has_an_estimate_of_its_own(person: Any, publish: Any) -> None:
    made = await publish(person, flow("ask", "paint", edges=["ask.output -> paint.text"]))
    await person.client.put(
        f"/flows/{made['id']}/draft", json=flow("ask"), headers={"If-Match": f'"{made["revision"]}"'}
    )
    assert (await estimate(person, made, version=1))["usd"] == "0.01"
    assert (await estimate(person, made, version="draft"))["usd"] == "0"


async def test_a_draft_of_ones_own_needs_no_published_version(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    made = await make_flow(person, flow("ask", "paint", edges=["ask.output -> paint.text"]))
    assert (await estimate(person, made))["usd"] == "0.01"
    await estimate(await new_person("noor"), made, status=404)


async def test_nothing_is_known_of_an_agent_that_cannot_run(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("paint"))
    assert await estimate(person, made, version="draft") == {"usd": None, "seconds": None}
