"""After three runs of an agent, estimates are what such runs cost and took."""

from dataclasses import replace
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.runs.test_estimate import PAINTING, estimate
from tests.server.sample_nodes import flow

from impasto_server.flows.schemas import LaunchEstimate, StepCost
from impasto_server.runs import journal_repository
from impasto_server.runs.journal_repository import StepTime
from impasto_server.runs.launch.history import EarlierRun, at_speed_of, corrected, whole_runs

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
    newest = [duration for _, duration in needed[:7]]
    assert found.seconds == pytest.approx(median(newest), rel=0.3)
    assert found.based_on_runs == len(needed)


@given(runs, amounts, amounts, st.integers(2, 50))
def test_estimate_grows_with_the_items_of_a_mapped_step(
    needed: list[tuple[float, float]], usd: float, seconds: float, times: int
) -> None:
    found = corrected(
        LaunchEstimate(usd=str(usd * times), seconds=seconds * times), earlier(needed, usd, seconds)
    )
    assert float(found.usd or 0) == pytest.approx(times * median(cost for cost, _ in needed), rel=0.3)
    newest = [duration for _, duration in needed[:7]]
    assert found.seconds == pytest.approx(times * median(newest), rel=0.3)


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


def local(seconds: float, reused: tuple[str, ...] = (), estimated: float = 4.0) -> EarlierRun:
    """A run of two free steps: images take nine tenths of the time, texts the rest."""
    shares = {"images": 0.9, "texts": 0.1}
    steps = {
        step: StepTime(0.0 if step in reused else share * seconds, step in reused)
        for step, share in shares.items()
    }
    taken = sum(time.seconds for time in steps.values())
    return EarlierRun(0.0, taken, 0.0, estimated, steps)


FREE = LaunchEstimate(usd="0", seconds=4.0)


@given(st.lists(st.floats(1, 100), min_size=3, max_size=7), st.integers(0, 4))
def test_free_runs_that_reused_their_results_do_not_shorten_the_estimate(
    durations: list[float], reused: int
) -> None:
    worked = [local(seconds) for seconds in durations]
    again = [local(seconds, ("images", "texts")) for seconds in durations] * reused
    found = corrected(FREE, [*again, *worked])
    assert found.seconds == pytest.approx(median(durations), rel=0.3)
    assert found.based_on_runs == len(worked)


def test_a_run_that_reused_little_of_its_time_is_whole() -> None:
    runs = [local(10), local(10, ("texts",)), local(10, ("images",)), local(10)]
    assert whole_runs(runs) == [runs[0], runs[1], runs[3]]


def test_a_run_whose_step_times_are_not_known_is_whole() -> None:
    runs = [local(10), EarlierRun(0.0, 9.0, 0.0, 4.0)]
    assert whole_runs(runs) == runs


@given(st.floats(2, 20))
def test_a_machine_that_becomes_slower_is_followed_within_four_runs(factor: float) -> None:
    before, now = [local(10)] * 16, [local(10 * factor)] * 4
    assert corrected(FREE, [*now, *before]).seconds == pytest.approx(10 * factor, rel=0.3)


@given(st.floats(0.1, 20))
def test_a_new_agent_is_estimated_at_the_speed_of_the_others(factor: float) -> None:
    others = [local(4.0 * factor), local(8.0 * factor, estimated=8.0), local(2.0 * factor, estimated=2.0)]
    assert at_speed_of(FREE, others).seconds == pytest.approx(4.0 * factor)
    assert at_speed_of(FREE, others[:2]) == FREE
    paid = LaunchEstimate(usd="0.1", seconds=4.0)
    assert at_speed_of(paid, others) == paid, "a paid model is not as fast as this machine"


def test_speed_is_that_of_free_runs_that_had_an_estimate() -> None:
    others = [local(8.0)] * 3
    assert at_speed_of(FREE, others) == LaunchEstimate(usd="0", seconds=8.0)
    for change in ({"usd": None}, {"price_unknown": True}, {"seconds": None}, {"seconds": 0.0}):
        computed = FREE.model_copy(update=change)
        assert at_speed_of(computed, others) == computed
    for run in (replace(others[0], usd=0.1), replace(others[0], estimated_seconds=None)):
        assert at_speed_of(FREE, [*others[:2], run]) == FREE


def test_a_run_that_saved_half_a_second_is_whole() -> None:
    def run(reused: float, worked: float, *, cached: bool) -> EarlierRun:
        steps = {"a": StepTime(0.0 if cached else reused, cached), "b": StepTime(worked, False)}
        return EarlierRun(0.0, worked, 0.0, 4.0, steps)

    for saved, is_whole in ((0.5, True), (0.75, False)):
        runs = [run(saved, 1.0, cached=False), run(saved, 1.0, cached=True)]
        assert whole_runs(runs) == (runs if is_whole else runs[:1])
    tenth = [run(1.0, 9.0, cached=False), run(1.0, 9.0, cached=True), run(1.0, 8.0, cached=True)]
    assert whole_runs(tenth) == tenth[:2]


def test_estimate_without_prices_or_seconds_is_what_the_runs_needed() -> None:
    steps = [StepCost(node="hero", usd="0", price_unknown=False)]
    computed = LaunchEstimate(usd=None, seconds=None, price_unknown=True, steps=steps)
    assert corrected(computed, earlier([(0.5, 9.0), (1.5, 3.0), (1.0, 4.0)], None, None)) == LaunchEstimate(
        usd="1", seconds=4.0, price_unknown=False, based_on_runs=3, steps=steps
    )
    known = [*earlier([(0.5, 9.0)] * 2, 0.25, 3.0), *earlier([(0.7, 8.0)] * 3, None, None)]
    found = corrected(LaunchEstimate(usd="0.5", seconds=6.0), known)
    assert (found.usd, found.seconds) == ("0.7", 8.0), "two of the runs had an estimate"


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


async def test_step_times_say_which_results_were_taken_from_earlier_runs(
    person: Any, publish: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await publish(person, PAINTING)
    for reuse, is_cached in (("none", False), ("changed", True)):
        run = await finished(person, await run_flow(person, made["id"], inputs={"lines": ["x"]}, reuse=reuse))
        async with app_state.database.reading() as session:
            times = (await journal_repository.step_times(session, [run["id"]]))[run["id"]]
        assert times["paint"].cached is is_cached


async def test_a_first_launch_is_expected_at_the_speed_of_the_users_other_agents(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    drawing = flow("ask", "draw", edges=["ask.output -> draw.text"])
    known, new = await publish(person, drawing, visibility="public"), await publish(person, drawing)
    assert (await estimate(person, new))["seconds"] == 4.0
    runs = [
        await finished(person, await run_flow(person, known["id"], inputs={"ask": f"{number}"}))
        for number in range(3)
    ]
    found = await estimate(person, new)
    assert found["seconds"] == pytest.approx(median(run["seconds"] for run in runs), rel=0.3)
    assert found["based_on_runs"] == 0
    assert (await estimate(await new_person("ines"), known))["seconds"] == 4.0


async def test_times_of_steps_with_large_outputs_are_not_read(
    person: Any, publish: Any, run_flow: Any, finished: Any, app_state: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(journal_repository, "MAX_TIMED_BYTES", 1500)
    made = await publish(person, flow("ask", "draw", edges=["ask.output -> draw.text"]))
    known = {}
    for text in ("short", "long " * 380):
        run = await finished(person, await run_flow(person, made["id"], inputs={"ask": text}))
        async with app_state.database.reading() as session:
            known[text] = (await journal_repository.step_times(session, [run["id"]]))[run["id"]].keys()
    assert list(map(sorted, known.values())) == [["ask", "draw"], []]
