"""After three runs of an agent, estimates are what such runs cost and took."""

from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.runs.test_estimate import PAINTING, estimate

from impasto_server.flows.schemas import LaunchEstimate, StepCost
from impasto_server.runs.launch.history import EarlierRun, corrected

pytestmark = pytest.mark.anyio
amounts = st.floats(0.001, 1_000)
runs = st.lists(st.tuples(amounts, amounts), min_size=3, max_size=20)


def earlier(needed: list[tuple[float, float]], usd: float | None, seconds: float | None) -> list[EarlierRun]:
    return [EarlierRun(cost, duration, usd, seconds) for cost, duration in needed]


@given(runs, st.none() | amounts, st.none() | amounts)
def test_estimate_of_equal_runs_is_within_30_percent_of_their_median(
    needed: list[tuple[float, float]], usd: float | None, seconds: float | None
) -> None:
    computed = LaunchEstimate(usd=None if usd is None else str(usd), seconds=seconds)
    found = corrected(computed, earlier(needed, usd, seconds))
    assert float(found.usd or 0) == pytest.approx(median(cost for cost, _ in needed), rel=0.3)
    assert found.seconds == pytest.approx(median(duration for _, duration in needed), rel=0.3)
    assert found.based_on_runs == len(needed)


@given(runs, amounts, amounts, st.integers(2, 50))
def test_estimate_grows_with_the_items_of_a_mapped_step(
    needed: list[tuple[float, float]], usd: float, seconds: float, times: int
) -> None:
    found = corrected(
        LaunchEstimate(usd=str(usd * times), seconds=seconds * times), earlier(needed, usd, seconds)
    )
    assert float(found.usd or 0) == pytest.approx(times * median(cost for cost, _ in needed), rel=0.3)
    assert found.seconds == pytest.approx(times * median(duration for _, duration in needed), rel=0.3)


def test_costs_of_nodes_follow_the_sum() -> None:
    steps = [
        StepCost(node=node, usd=usd, price_unknown=False) for node, usd in (("hero", "0.3"), ("copy", "0.1"))
    ]
    found = corrected(
        LaunchEstimate(usd="0.4", seconds=4.0, steps=steps), earlier([(0.8, 9.0)] * 3, 0.4, 4.0)
    )
    assert [(step.node, step.usd) for step in found.steps] == [("hero", "0.6"), ("copy", "0.2")]
    unknown = [*steps, StepCost(node="clip", usd="0", price_unknown=True)]
    found = corrected(
        LaunchEstimate(usd="0.4", seconds=4.0, steps=unknown), earlier([(0.8, 9.0)] * 3, 0.4, 4.0)
    )
    assert found.steps == unknown


def test_two_runs_or_reused_ones_correct_nothing() -> None:
    computed = LaunchEstimate(usd="0.03", seconds=4.0)
    two = earlier([(1.0, 9.0)] * 2, 0.03, 4.0)
    assert corrected(computed, two) == computed
    assert corrected(computed, [*two, *earlier([(0.0, 0.1)] * 9, 0.03, 4.0)]) == computed


def test_price_that_was_unknown_is_that_of_earlier_runs() -> None:
    computed = LaunchEstimate(usd="0", seconds=None, price_unknown=True)
    found = corrected(computed, earlier([(0.5, 9.0)] * 3, 0.0, None))
    assert (found.usd, found.seconds, found.price_unknown) == ("0.5", 9.0, False)


async def test_estimate_says_how_many_own_runs_it_is_based_on(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, PAINTING, visibility="public")
    for number in range(3):
        assert (await estimate(person, made, inputs={"lines": ["x"]}))["based_on_runs"] == 0
        lines = [f"{number} {item}" for item in "ab"]
        run = await finished(person, await run_flow(person, made["id"], inputs={"lines": lines}))
        assert (run["status"], float(run["cost_usd"])) == ("finished", 0.025), "0.02 was expected"
    found = await estimate(person, made, inputs={"lines": list("abcdef")})
    assert (found["based_on_runs"], float(found["usd"])) == (3, pytest.approx(0.075))
    assert found["seconds"] > 0
    of_another = await estimate(await new_person("ines"), made, inputs={"lines": list("abcdef")})
    assert of_another["based_on_runs"] == 0
