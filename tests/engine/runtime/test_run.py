import asyncio
import json
import threading
from typing import Annotated, NamedTuple

import pytest
from tests.engine.runtime.run_nodes import NODES, say, types_of

from impasto import (
    Any,
    Brand,
    Catalog,
    File,
    Image,
    InputsInvalid,
    Integer,
    Json,
    Limits,
    MemoryJournal,
    Setting,
    Text,
    compile,
    execute,
    node,
    resume,
    run_sync,
    start,
)
from impasto.testing import flow_of, plan_of

pytestmark = pytest.mark.anyio


async def test_flow_runs_in_three_lines():
    plan = compile(flow_of({"p": "say", "s": "shout"}, [("p.output", "s.text")]), Catalog(NODES))
    result = await execute(plan)
    assert (result.status, result.outputs["s.output"], dict(result.results)) == (
        "finished",
        "HI",
        {"s.output": "HI"},
    )


def test_run_sync_needs_no_event_loop():
    result = run_sync(plan_of(NODES, {"p": "say"}), {"p": "yes"}, run_id="mine")
    assert (result.run_id, result.outputs["p.output"]) == ("mine", "yes")


async def test_events_are_complete_and_numbered_without_gaps():
    heard = []
    result = await execute(
        plan_of(NODES, {"p": "say", "s": "shout"}, [("p.output", "s.text")]),
        {"p": "a"},
        listener=heard.append,
    )
    assert [event.seq for event in result.events] == list(range(1, 9))
    assert types_of(result) == [
        "run.started", "step.queued", "step.started", "step.finished", "step.queued", "step.started",
        "step.finished", "run.finished",
    ]  # fmt: skip
    assert heard == result.events
    first, last = result.events[0], result.events[-2]
    assert first.step is None
    assert first.data["inputs"] == {"p": "a"}
    assert first.data["steps"][1] == {"id": "s", "type": "shout", "title": "Shout"}
    assert last.data["outputs"] == {"output": "A"}
    assert last.data["cached"] is False
    assert all(event.run_id == result.run_id for event in result.events)
    assert all(json.dumps(event.to_json()) for event in result.events)


@pytest.mark.parametrize("run_id", ["", "\ud800", 7, b"r"])
async def test_invalid_run_id_is_refused(run_id):
    plan = plan_of(NODES, {"p": "say"})
    for begin in (start, execute):
        with pytest.raises(ValueError, match="run_id must be a non-empty string"):
            await begin(plan, run_id=run_id)
    with pytest.raises(ValueError, match="run_id must be a non-empty string"):
        resume(run_id, catalog=Catalog(NODES), journal=MemoryJournal())


async def test_events_stream_live_and_from_any_number():
    plan = plan_of(NODES, {"p": "say", "n": ("nap", {"seconds": 0.01})}, [("p.output", "n.text")])
    async with start(plan) as run:
        seen = [event.seq async for event in run.events()]
        late = [event.seq async for event in run.events(after=5)]
        result = await run.result()
    assert seen == [event.seq for event in result.events]
    assert late == seen[5:]


async def test_independent_steps_run_concurrently():
    waiting, blocking = asyncio.Barrier(8), threading.Barrier(8)

    @node
    async def waits_for_others(text: Text, *, n: int = 0) -> Text:
        async with asyncio.timeout(60):
            await waiting.wait()
        return text

    @node
    def blocks_for_others(text: Text, *, n: int = 0) -> Text:
        blocking.wait(60)
        return text

    for kind in ("waits_for_others", "blocks_for_others"):
        steps = {f"n{i}": (kind, {"n": i}) for i in range(8)}
        edges = [("p.output", f"n{i}.text") for i in range(8)]
        plan = plan_of([say, waits_for_others, blocks_for_others], {"p": "say", **steps}, edges)
        assert (await execute(plan)).status == "finished"


class Meeting:
    """A barrier that counts how many tasks were inside at most."""

    def __init__(self, size):
        self.barrier = asyncio.Barrier(size)
        self.now = self.peak = 0

    async def attend(self):
        self.now += 1
        self.peak = max(self.peak, self.now)
        await self.barrier.wait()
        self.now -= 1


async def test_max_concurrency_bounds_running_steps():
    meeting = Meeting(3)

    @node
    async def count(*, n: int) -> Integer:
        await meeting.attend()
        return n

    plan = plan_of([count], {f"n{i}": ("count", {"n": i}) for i in range(12)})
    result = await execute(plan, max_concurrency=3, timeout=30)
    assert (len(result.outputs), meeting.peak) == (12, 3)


async def test_limit_is_shared_by_runs():
    meeting = Meeting(2)

    @node(limit="openai")
    async def call(*, n: int) -> Integer:
        await meeting.attend()
        return n

    plan = plan_of([call], {f"n{i}": ("call", {"n": i}) for i in range(6)})
    limits = Limits({"openai": 2})
    runs = [execute(plan, limits=limits, timeout=30) for _ in range(2)]
    assert [result.status for result in await asyncio.gather(*runs)] == ["finished", "finished"]
    assert meeting.peak == 2
    meeting = Meeting(1)
    assert (await execute(plan, limits={"openai": 1})).status == "finished"
    assert meeting.peak == 1


async def test_limit_of_another_name_does_not_apply():
    meeting = Meeting(2)

    @node(limit="openai")
    async def call(*, n: int) -> Integer:
        await meeting.attend()
        return n

    plan = plan_of([call], {f"n{i}": ("call", {"n": i}) for i in range(2)})
    assert (await execute(plan, limits={"replicate": 1}, timeout=30)).status == "finished"
    assert meeting.peak == 2


async def test_failure_skips_only_its_dependants():
    plan = plan_of(
        NODES,
        {"p": "say", "f": "fail", "after": "shout", "later": "both", "other": "nap", "fine": "shout"},
        [
            ("p.output", "f.text"),
            ("f.output", "after.text"),
            ("after.output", "later.one"),
            ("p.output", "later.two"),
            ("p.output", "other.text"),
            ("other.output", "fine.text"),
        ],
    )
    result = await execute(plan)
    assert result.status == "failed"
    assert {name: step.status for name, step in result.steps.items()} == {
        "p": "finished", "f": "failed", "after": "skipped", "later": "skipped",
        "other": "finished", "fine": "finished",
    }  # fmt: skip
    assert result.steps["later"].because == "f"
    skipped = [event.data for event in result.events if event.type == "step.skipped"]
    assert skipped == [{"because": "f", "reason": "failed"}] * 2
    assert result.outputs["fine.output"] == "HI"
    assert "f.output" not in result.outputs


async def test_error_has_code_message_and_detail():
    result = await execute(plan_of(NODES, {"p": "say", "f": "fail"}, [("p.output", "f.text")]))
    error = result.steps["f"].error
    assert (error.code, error.message) == ("node_failed", "An error occurred. Please try again later.")
    assert error.detail == "ValueError: broken"
    assert result.error is error
    assert result.events[-1].data["error"]["code"] == "node_failed"


async def test_step_whose_optional_input_failed_is_skipped():
    @node
    async def lenient(text: Text = "default") -> Text:
        return text

    plan = plan_of(
        [*NODES, lenient],
        {"p": "say", "f": "fail", "o": "lenient"},
        [("p.output", "f.text"), ("f.output", "o.text")],
    )
    assert (await execute(plan)).steps["o"].status == "skipped"


async def test_inputs_are_validated_before_anything_runs():
    ran = []

    @node
    async def touch(*, n: Annotated[int, Setting(input=True, ge=1)]) -> Integer:
        ran.append(n)
        return n

    plan = plan_of([touch], {"a": "touch", "b": "touch"})
    with pytest.raises(InputsInvalid) as raised:
        await execute(plan, {"a": 0, "ghost": 1})
    assert [problem.code for problem in raised.value.problems] == [
        "bad_input",
        "unknown_input",
        "required_input",
    ]
    with pytest.raises(InputsInvalid):
        await execute(plan, {"a": 1, "b": 1}, targets=["missing"])
    assert ran == []


async def test_targets_run_only_what_they_need():
    plan = plan_of(
        NODES,
        {"p": "say", "a": "shout", "b": "shout", "f": "fail"},
        [("p.output", "a.text"), ("a.output", "b.text"), ("p.output", "f.text")],
    )
    result = await execute(plan, targets=["a"])
    assert (result.status, set(result.steps)) == ("finished", {"p", "a"})


async def test_named_tuple_fields_become_output_ports():
    class Parts(NamedTuple):
        head: Text
        tail: Text

    @node
    async def cut(text: Text, *, at: int, mark: str = "") -> Parts:
        return Parts(text[:at] + mark, text[at:])

    plan = plan_of([say, cut], {"p": "say", "c": ("cut", {"mark": "|", "at": 2})}, [("p.output", "c.text")])
    result = await execute(plan, {"p": "abcd"})
    assert dict(result.steps["c"].outputs) == {"head": "ab|", "tail": "cd"}


@pytest.mark.parametrize(
    ("returned", "annotation"),
    [
        (3, Text),
        ("x", Integer),
        (True, Integer),
        (None, Text),
        ([1, "a"], list[Integer]),
        (object(), Json),
        ({1, 2}, Any),
    ],
)
async def test_output_of_another_type_fails_its_step(returned, annotation):
    async def wrong() -> None:
        return returned

    wrong.__annotations__["return"] = annotation
    result = await execute(plan_of([node(wrong)], {"w": "wrong"}))
    assert result.steps["w"].error.code == "bad_output"
    assert "wrong" in result.steps["w"].error.detail


async def test_values_survive_a_json_round_trip_between_steps():
    values = {"a": [1, 2.5, None, True, {"b": "é"}], "n": 2**70, "i": Image(asset_id="x", width=3)}

    @node
    async def make() -> Json:
        return values

    @node
    async def take(data: Json) -> Json:
        return data

    plan = plan_of([make, take], {"m": "make", "t": "take"}, [("m.output", "t.data")])
    first = await execute(plan)
    assert first.outputs["t.output"] == values
    assert first.outputs["m.output"] == values


async def test_brand_is_passed_as_one_value():
    brand = Brand(brand_name="Acme", palette=("#112233",), logo=Image(asset_id="l"))

    @node
    async def brand_of(*, brand: Annotated[Brand | None, Setting(input=True)] = None) -> Brand:
        return brand or Brand()

    @node
    async def name(brand: Brand) -> Text:
        return brand.brand_name + brand.logo.asset_id

    plan = plan_of([brand_of, name], {"b": "brand_of", "n": "name"}, [("b.output", "n.brand")])
    assert (await execute(plan, {"b": brand})).outputs["n.output"] == "Acmel"
    as_json = {"$type": "Brand", "brand_name": "X", "logo": {"$type": "Image", "asset_id": "i"}}
    assert (await execute(plan, {"b": as_json})).outputs["n.output"] == "Xi"


async def test_chain_of_1200_steps_needs_no_recursion():
    names = {"n0": "say", **{f"n{i}": ("shout") for i in range(1, 1200)}}
    plan = plan_of(NODES, names, [(f"n{i}.output", f"n{i + 1}.text") for i in range(1199)])
    result = await execute(plan)
    assert result.outputs["n1199.output"] == "HI"


async def test_empty_flow_finishes():
    assert types_of(await execute(plan_of([], {}))) == ["run.started", "run.finished"]


@node
async def keep(*, value: Annotated[Json, Setting(input=True)] = None) -> Json:
    return value


@node
async def picture(*, image: Annotated[Image | None, Setting(input=True)] = None) -> Text:
    return image.asset_id


@pytest.mark.parametrize(
    "given", [(1, (2,)), [{"a": (1,)}], {"$type": 5}, {"$type": [1]}, {"$type": "Image"}]
)
async def test_input_is_equal_live_and_resumed(given):
    journal = MemoryJournal()
    live = await execute(plan_of([keep], {"k": "keep"}), {"k": given}, journal=journal, run_id="r")
    resumed = await resume("r", catalog=Catalog([keep]), journal=journal)
    assert live.status == "finished", live.error.detail
    assert live.outputs["k.output"] == resumed.outputs["k.output"] == json.loads(json.dumps(given))


async def test_input_is_copied_when_the_run_begins():
    given = {"words": ["a"]}
    run = start(plan_of([keep], {"k": "keep"}), {"k": given})
    await run.begin()
    given["words"].append("b")
    assert (await run.result()).outputs["k.output"] == {"words": ["a"]}


@node
async def attachment(*, file: Annotated[File | None, Setting(input=True)] = None) -> Text:
    return file.asset_id


async def test_any_asset_is_accepted_as_a_file():
    plan = plan_of([attachment], {"f": "attachment"})
    assert (await execute(plan, {"f": {"$type": "Video", "asset_id": "x"}})).outputs["f.output"] == "x"


async def test_asset_of_another_kind_is_refused_as_an_image():
    plan = plan_of([picture], {"p": "picture"})
    with pytest.raises(InputsInvalid, match="expected Image, got Video"):
        await execute(plan, {"p": {"$type": "Video", "asset_id": "x"}})
    assert (await execute(plan, {"p": {"$type": "Image", "asset_id": "x"}})).outputs["p.output"] == "x"
    assert (await execute(plan, {"p": Image(asset_id="y")})).outputs["p.output"] == "y"
