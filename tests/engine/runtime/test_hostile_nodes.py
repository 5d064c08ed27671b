"""Functions that raise, report or return anything: only their step fails, and the run ends once."""

import asyncio
import math
import sys
from collections.abc import AsyncIterator

import orjson
import pytest
from tests.engine.runtime.run_nodes import FAST, NODES

from impasto import (
    SKIP,
    Any,
    Context,
    Image,
    Json,
    MemoryCache,
    NodeError,
    SqliteJournal,
    Text,
    Video,
    execute,
    node,
)
from impasto.events import TERMINAL
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


class Odd(BaseException):
    """An exception that `except Exception` does not catch."""


class Unsayable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


RAISED = [SystemExit(3), KeyboardInterrupt(), Odd("x"), GeneratorExit(), Unsayable(), ValueError("\ud800")]


async def run_beside_another(function, **options):
    """Run a node with this function beside a good one; every event must be serializable."""
    plan = plan_of(
        [*NODES, function],
        {"p": "say", "x": "hostile", "after": "shout", "other": "shout"},
        [("p.output", "x.text"), ("x.output", "after.text"), ("p.output", "other.text")],
    )
    result = await asyncio.wait_for(execute(plan, backoff=FAST, **options), 20)
    assert [event.seq for event in result.events] == list(range(1, len(result.events) + 1))
    assert [event.type in TERMINAL for event in result.events].count(True) == 1
    assert all(orjson.loads(event.body) == event.data for event in result.events)
    assert result.steps["other"].status == "finished"
    return result


@pytest.mark.parametrize("raised", RAISED, ids=lambda raised: type(raised).__name__)
@pytest.mark.parametrize("when", ["at once", "later", "in a thread", "before a deadline", "as it streams"])
async def test_any_exception_fails_only_its_step(raised, when):
    @node(id="hostile")
    async def at_once(text: Text) -> Text:
        raise raised

    @node(id="hostile")
    async def later(text: Text) -> Text:
        await asyncio.sleep(0.001)
        raise raised

    @node(id="hostile")
    def in_a_thread(text: Text) -> Text:
        raise raised

    @node(id="hostile", timeout=10)
    async def before_a_deadline(text: Text) -> Text:
        await asyncio.sleep(0.001)
        raise raised

    @node(id="hostile")
    async def as_it_streams(text: Text) -> AsyncIterator[Text]:
        yield text
        raise raised

    kinds = {each.__name__.replace("_", " "): each for each in (at_once, later, in_a_thread)}
    kinds |= {each.__name__.replace("_", " "): each for each in (before_a_deadline, as_it_streams)}
    result = await run_beside_another(kinds[when])
    assert result.status == "failed"
    assert result.steps["x"].error.code == "node_failed"
    assert type(raised).__name__ in result.steps["x"].error.detail
    assert result.steps["after"].because == "x"


def test_closing_the_event_loop_during_a_run_ends_the_program():
    @node(id="hostile")
    async def leaves_behind(text: Text) -> Text:
        asyncio.get_running_loop().call_soon(sys.exit, 3)
        await asyncio.sleep(30)
        return text

    plan = plan_of([*NODES, leaves_behind], {"p": "say", "x": "hostile"}, [("p.output", "x.text")])
    with pytest.raises(SystemExit):
        asyncio.run(asyncio.wait_for(execute(plan), 20))


@pytest.mark.parametrize("how", ["message", "detail", "items"])
async def test_exception_whose_str_fails_becomes_a_message(how):
    @node(id="hostile")
    async def hostile(text: Text) -> Text:
        raise NodeError(**{"message": "no", how: [{1: object()}]})

    result = await run_beside_another(hostile)
    assert result.steps["x"].status == "failed"


async def test_unserializable_reports_are_kept_as_far_as_possible():
    @node(id="hostile")
    async def hostile(text: Text, *, context: Context) -> Text:
        context.progress(math.nan, Odd("half"))
        context.partial("half \ud83d")
        return text

    result = await run_beside_another(hostile)
    said = {event.type: event.data for event in result.events if event.step == "x"}
    assert said["step.progress"] == {"fraction": 0.0, "message": "half"}
    assert said["step.partial"]["delta"] == "half ?"
    assert result.status == "finished"


SAYINGS = {
    "partial": lambda context: context.partial({"x": object()}),
    "partial text": lambda context: context.partial(["\ud800"]),
    "made_by": lambda context: context.made_by(model="\ud800"),
    "charge nan": lambda context: context.charge(math.nan),
    "charge less": lambda context: context.charge(-1.0),
    "charge units": lambda context: context.charge(1.0, tokens="many"),
}


@pytest.mark.parametrize("what", SAYINGS)
async def test_invalid_charge_raises_in_the_function_and_is_not_counted(what):
    @node(id="hostile")
    async def hostile(text: Text, *, context: Context) -> Text:
        SAYINGS[what](context)
        return text

    result = await run_beside_another(hostile, budget_usd=0.5)
    assert result.steps["x"].status == "failed"
    assert result.cost_usd == 0.0


@pytest.mark.parametrize("key", ["\ud800", 7])
async def test_unserializable_memo_raises_in_the_function(key, tmp_path):
    @node(id="hostile")
    async def hostile(text: Text, *, context: Context) -> Text:
        await context.remember(key, text)
        return text

    journal = SqliteJournal(tmp_path / "runs.db")
    result = await run_beside_another(hostile, journal=journal)
    await journal.close()
    assert result.steps["x"].status == "failed"


@pytest.mark.parametrize(
    "returned",
    [
        [Image(asset_id="a"), math.nan],
        Video(asset_id="a", seconds=math.inf),
        {"$type": "Image", "asset_id": "a", "width": math.nan},
        {"deep": [Image(asset_id="a"), SKIP]},
        [{"$type": "Skip"}],
    ],
)
async def test_output_that_json_would_change_is_refused(returned):
    @node(id="hostile")
    async def hostile(text: Text) -> Any:
        return returned

    assert (await run_beside_another(hostile)).steps["x"].status == "failed"


async def test_output_with_nested_images_is_equal_fresh_and_reused():
    @node
    async def give() -> Json:
        return {
            "shots": (Image(asset_id="a", sha256="s"), (1, {2: 3})),
            "as": {"$type": "File", "asset_id": "b"},
        }

    plan, cache = plan_of([give], {"g": "give"}), MemoryCache()
    fresh, reused = [(await execute(plan, cache=cache)).outputs["g.output"] for _ in range(2)]
    assert fresh == reused
    assert fresh["shots"] == [Image(asset_id="a", sha256="s"), [1, {"2": 3}]]
