"""Time limits of steps, how often their calls are repeated, and what is reported of each attempt."""

import asyncio
import time

import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import Backoff, NodeError, Text, execute, node
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


async def test_step_that_exceeds_its_limit_says_which():
    @node(timeout=0.01)
    async def hang() -> Text:
        await asyncio.Event().wait()
        return ""

    result = await execute(plan_of([hang], {"h": "hang"}))
    error = result.steps["h"].error
    assert (error.code, error.retryable) == ("timeout", True)
    assert "0.01" in f"{error.message} {error.detail}"
    assert result.steps["h"].seconds > 0.005


class Limited(NodeError):
    """An error after which a call is repeated once at most."""

    retryable = True
    max_retries = 1


@pytest.mark.parametrize(
    ("retries", "error", "attempts"),
    [
        (0, NodeError("busy", retryable=True), 1),
        (1, NodeError("busy", retryable=True), 2),
        (2, NodeError("busy", retryable=True), 3),
        (2, NodeError("no", retryable=False), 1),
        (3, Limited("busy"), 2),
        (1, Limited("busy"), 2),
        (0, Limited("busy"), 1),
    ],
)
async def test_call_is_repeated_as_often_as_the_node_and_the_error_allow(retries, error, attempts):
    calls = []

    @node(retries=retries)
    async def call() -> Text:
        calls.append(1)
        raise error

    result = await execute(plan_of([call], {"c": "call"}), backoff=Backoff(base=0, max_delay=0))
    assert len(calls) == attempts
    retrying = [event.data for event in result.events if event.type == "step.retrying"]
    assert retrying == [
        {"attempt": number, "seconds": 0.0, "error": error.to_dict()} for number in range(2, attempts + 1)
    ]


@pytest.mark.parametrize(("retry_after", "attempts"), [(30, 1), (0, 3)])
async def test_delay_that_ends_after_the_deadline_is_not_begun(retry_after, attempts):
    calls = []

    @node(retries=2, timeout=30)
    async def call() -> Text:
        calls.append(1)
        raise NodeError("busy", retryable=True, retry_after=retry_after)

    started = time.perf_counter()
    result = await execute(plan_of([call], {"c": "call"}))
    assert time.perf_counter() - started < 20
    assert (len(calls), result.steps["c"].error.message) == (attempts, "busy")


async def test_step_within_its_limit_has_its_result():
    @node(timeout=30)
    async def quick(text: Text) -> Text:
        await asyncio.sleep(0)
        return text + "!"

    @node(timeout=30)
    async def at_once(text: Text) -> Text:
        return text + "?"

    plan = plan_of(
        [*NODES, quick, at_once],
        {"p": "say", "q": "quick", "a": "at_once"},
        [("p.output", "q.text"), ("q.output", "a.text")],
    )
    assert (await execute(plan)).outputs["a.output"] == "hi!?"
