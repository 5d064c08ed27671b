import math
import re

import pytest

from impasto import (
    Backoff,
    Catalog,
    Context,
    Flow,
    Limits,
    MemoryJournal,
    Text,
    compile,
    execute,
    node,
    resume,
    start,
)
from impasto.runtime.options import Options

pytestmark = pytest.mark.anyio


@node
async def word(*, text: str) -> Text:
    return text


@node
async def shout(text: Text, *, context: Context) -> Text:
    context.progress(0.5)
    context.charge(0.25)
    await context.remember("asked", text)
    return f"{await context.recall('asked')}!"


@node
async def fail(text: Text) -> Text:
    raise RuntimeError(text)


def plan_of(last="shout"):
    data = {
        "format": 1,
        "nodes": [{"id": "a", "type": "word", "settings": {"text": "hey"}}, {"id": "b", "type": last}],
        "edges": [{"from": "a.output", "to": "b.text"}],
    }
    return compile(Flow.parse(data), Catalog([word, shout, fail]))


async def test_run_without_events_gives_the_same_result():
    result = await execute(plan_of(), events=False)
    assert (result.status, result.outputs["b.output"], result.cost_usd) == ("finished", "hey!", 0.25)
    assert result.events == []


async def test_run_without_events_reports_failures():
    result = await execute(plan_of("fail"), events=False)
    assert (result.status, result.steps["b"].status, result.steps["a"].status) == (
        "failed",
        "failed",
        "finished",
    )


async def test_event_stream_of_a_run_without_events_ends():
    async with start(plan_of(), events=False) as run:
        assert [event async for event in run.events()] == []
    assert (await run.result()).status == "finished"


@pytest.mark.parametrize("extra", [{"journal": MemoryJournal()}, {"listener": print}])
async def test_run_without_events_refuses_a_journal_and_a_listener(extra):
    with pytest.raises(ValueError, match="with events=False"):
        await execute(plan_of(), events=False, **extra)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reuse": "sometimes"}, "reuse must be 'changed', 'pure' or 'none', got 'sometimes'"),
        ({"max_concurrency": 0}, "max_concurrency must be an integer of at least 1, got 0"),
        ({"max_concurrency": 2.0}, "max_concurrency must be an integer of at least 1, got 2.0"),
        ({"budget_usd": -0.5}, "budget_usd must be a number of dollars of at least 0, got -0.5"),
        ({"budget_usd": "1"}, "budget_usd must be a number of dollars of at least 0, got '1'"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, got 0"),
        ({"seed": 2**64}, f"seed must be an integer of at most 64 bits, got {2**64}"),
        ({"seed": -(2**63) - 1}, f"seed must be an integer of at most 64 bits, got {-(2**63) - 1}"),
        ({"seed": 1.0}, "seed must be an integer of at most 64 bits, got 1.0"),
        ({"seed": "1"}, "seed must be an integer of at most 64 bits, got '1'"),
        ({"grace": -1}, "grace must be a number of seconds of at least 0, got -1"),
        ({"lease_seconds": 0}, "lease_seconds must be a number of seconds above 0, got 0"),
        ({"lease_seconds": math.nan}, "lease_seconds must be a number of seconds above 0, got nan"),
        ({"targets": "p"}, "targets must be a list of node ids, got 'p'"),
        ({"targets": [None]}, "targets must be a list of node ids, got [None]"),
        ({"fresh": b"p"}, "fresh must be a list of node ids, got b'p'"),
        ({"fresh": None}, "fresh must be a list of node ids, got None"),
        ({"limits": {"gpu": 0}}, "limit for 'gpu' must be at least 1, got 0"),
    ],
    ids=lambda value: (
        next(f"{name} {given!r}" for name, given in value.items()) if isinstance(value, dict) else ""
    ),
)
def test_option_out_of_range_is_refused(options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Options(**options)


def test_smallest_values_are_taken_as_numbers_and_lists():
    options = Options(
        budget_usd=0, grace=0, timeout=1, lease_seconds=1, max_concurrency=1, targets=("a", "b"), fresh={"c"}
    )
    found = (options.budget_usd, options.grace, options.timeout, options.lease_seconds)
    assert [(each, type(each)) for each in found] == [(0, float), (0, float), (1, float), (1, float)]
    assert (options.max_concurrency, options.targets, options.fresh) == (1, ["a", "b"], ["c"])
    assert Options(budget_usd=math.inf, timeout=math.inf).timeout == math.inf
    assert Options(targets=[]).targets == []
    assert [Options(seed=seed).seed for seed in (-(2**63), 0, 2**64 - 1)] == [-(2**63), 0, 2**64 - 1]


def test_options_that_are_not_given_have_their_defaults():
    found = {name: getattr(Options(), name) for name in Options.__slots__}
    limits, backoff = found.pop("limits"), found.pop("backoff")
    assert {name: value for name, value in found.items() if value is not None} == {
        "fresh": [],
        "reuse": "changed",
        "allow_private_hosts": False,
        "events": True,
        "grace": 1.0,
        "lease_seconds": 30.0,
        "durable_starts": False,
    }
    assert (limits.max_running, backoff) == ({}, Backoff(base=0.25, max_delay=30.0))
    shared = Limits({"gpu": 2})
    assert Options(limits=shared).shared_limits is shared
    assert Options(limits={"gpu": 2}).shared_limits.max_running == {"gpu": 2}


@pytest.mark.parametrize("allow_unpriced", [None, False, True])
def test_journal_keeps_the_options_with_which_a_run_goes_on(allow_unpriced):
    options = Options(
        targets=["a"],
        fresh=["b"],
        reuse="pure",
        budget_usd=2,
        seed=3,
        allow_unpriced=allow_unpriced,
        timeout=9,
    )
    assert options.recorded() == {
        "targets": ["a"],
        "fresh": ["b"],
        "reuse": "pure",
        "budget_usd": 2.0,
        "seed": 3,
        **({"allow_unpriced": True} if allow_unpriced else {}),
    }


KEPT = {
    "targets": ["b"], "fresh": ["a"], "reuse": "pure", "budget_usd": 2.0, "seed": 3, "allow_unpriced": True,
}  # fmt: skip
OWN = {
    "targets": ["a"], "fresh": ["b"], "reuse": "none", "budget_usd": 4.0, "seed": 5, "allow_unpriced": False,
}  # fmt: skip


@pytest.mark.parametrize("given", [{}, *({name: value} for name, value in OWN.items()), OWN], ids="-".join)
async def test_resumed_run_has_its_earlier_options_unless_others_are_given(given):
    journal = MemoryJournal()
    await execute(plan_of("fail"), run_id="r", journal=journal, **KEPT)
    run = resume("r", catalog=Catalog([word, shout, fail]), journal=journal, **given)
    await run
    assert {name: getattr(run.options, name) for name in KEPT} == {**KEPT, **given}
