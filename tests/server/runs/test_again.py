"""Regenerating a part of a run keeps the rest of that run, and not of a later one."""

from typing import Any

import pytest
from tests.server.sample_nodes import flow

pytestmark = pytest.mark.anyio
THREE_PAINTINGS = flow("lines", "paint", edges=["lines.output -> paint.text"])


def images(run: dict[str, Any]) -> list[str]:
    return [image["asset_id"] for image in run["results"][0]["value"]]


@pytest.fixture
async def runs(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> list[dict[str, Any]]:
    """Two runs of one agent with the same inputs and other images."""
    made = await make_flow(person, THREE_PAINTINGS)
    launch = {"inputs": {"lines": ["one", "two", "three"]}, "reuse": "pure"}
    return [await finished(person, await run_flow(person, made["id"], **launch)) for _ in range(2)]


async def again(
    person: Any, run_flow: Any, finished: Any, run: dict[str, Any], **body: Any
) -> dict[str, Any]:
    launch = {
        "inputs": run["inputs"],
        "fresh": ["paint#1"],
        "reuse": "changed",
        "again_of": run["id"],
        **body,
    }
    return dict(await finished(person, await run_flow(person, run["flow_id"], **launch)))


async def test_other_images_are_those_of_the_run_that_is_regenerated(
    person: Any, run_flow: Any, finished: Any, runs: Any
) -> None:
    first, second = runs
    third = await again(person, run_flow, finished, first)
    assert (third["again_of"], third["fresh"]) == (first["id"], ["paint#1"])
    (before, newest, after) = (images(run) for run in (first, second, third))
    assert [after[0], after[2]] == [before[0], before[2]]
    assert after[1] not in (before[1], newest[1])


async def test_nothing_is_kept_from_a_run_with_other_inputs(
    person: Any, run_flow: Any, finished: Any, runs: Any
) -> None:
    first, _ = runs
    other = await again(person, run_flow, finished, first, inputs={"lines": ["four", "five", "six"]})
    assert not set(images(first)) & set(images(other))


async def test_images_that_were_deleted_are_generated_again(
    person: Any, run_flow: Any, finished: Any, runs: Any
) -> None:
    first, _ = runs
    await person.client.delete(f"/assets/{images(first)[0]}")
    after = await again(person, run_flow, finished, first)
    assert images(after)[0] != images(first)[0]
    assert after["status"] == "finished"


async def test_runs_of_others_cannot_be_regenerated(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, runs: Any
) -> None:
    other = await new_person("ines")
    made = await make_flow(other)
    refused = await run_flow(other, made["id"], status=404, again_of=runs[0]["id"])
    assert refused["code"] == "not_found"
