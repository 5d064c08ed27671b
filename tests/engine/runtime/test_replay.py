"""A run's state, rebuilt from the records of its journal."""

import orjson
import pytest

from impasto import SKIP, Integer, Record, RunNotFound, Text, node
from impasto.cache.keys import key_digest
from impasto.runtime.options import Options
from impasto.runtime.replay import Assumed, RecoveredRun
from impasto.runtime.run_state import RunState
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def say() -> Text:
    return "hi"


@node
async def words() -> list[Text]:
    return ["a", SKIP]


@node
async def size(text: Text) -> Integer:
    return len(text)


PLAN = plan_of(
    [say, words, size],
    {"s": "say", "w": "words", "n": "size", "m": "size"},
    [("s.output", "n.text"), ("w.output", "m.text")],
)
S, W, N, M = (PLAN.by_id[name] for name in "swnm")


def record(kind, name, step, body, seq=0):
    return Record(kind, name, step, seq, 2.5, orjson.dumps(body))


def event(seq, name, step=None, **data):
    return record("event", name, step, data, seq)


def finished(seq, step, output, cost_usd=0.0, **about):
    data = {"outputs": {"output": output}, "seconds": 1.5, "cost_usd": cost_usd, "cached": False, **about}
    return event(seq, "step.finished", step, **data)


def charge(step, usd, call="", **about):
    return record("charge", "", step, {"usd": usd, "units": {}, "call": call, **about})


def reserve(step, call, usd, **about):
    return record("reserve", call, step, {"usd": usd, "held": 0.0, **about})


def settle(step, call):
    return record("settle", call, step, {"usd": 0.0})


def restored(*records):
    run, state = RecoveredRun("r", records), RunState(PLAN, "r", Options())
    run.decode_outputs(PLAN)
    run.restore(state)
    return run, state


def test_run_without_a_head_cannot_be_resumed():
    with pytest.raises(RunNotFound):
        RecoveredRun("r", [event(1, "run.started")]).require_head()
    run = RecoveredRun("r", [record("head", "", None, {"flow": {}}), event(1, "run.started")])
    run.require_head()
    assert run.head == {"flow": {}}


def test_memos_are_kept_by_call_and_key_and_the_latest_counts():
    memos = [("s", "a", 1), ("n#2", "a", [2]), ("s", "b", {"x": None}), ("s", "a", 3)]
    run = RecoveredRun("r", [record("memo", key, call, value) for call, key, value in memos])
    assert run.memos == {("s", "a"): 3, ("n#2", "a"): [2], ("s", "b"): {"x": None}}


def test_events_have_the_records_number_time_and_data():
    run = RecoveredRun("r", [event(1, "run.started"), event(2, "step.progress", "s", fraction=0.5)])
    assert [each.to_json() for each in run.events] == [
        {"run_id": "r", "seq": 1, "time": 2.5, "type": "run.started", "step": None, "data": {}},
        {
            "run_id": "r", "seq": 2, "time": 2.5, "type": "step.progress", "step": "s",
            "data": {"fraction": 0.5},
        },
    ]  # fmt: skip
    assert run.terminal is None


@pytest.mark.parametrize(("last", "left"), [("run.failed", 1), ("run.cancelled", 1), ("run.finished", 2)])
def test_final_event_of_a_run_that_goes_on_is_dropped(last, left):
    run = RecoveredRun("r", [event(1, "run.started"), event(2, last)])
    assert (run.terminal.type, len(run.events)) == (last, 2)
    run.drop_terminal_event()
    assert len(run.events) == left


def test_event_of_a_resumed_run_replaces_the_final_event_of_the_same_number():
    records = [
        event(1, "run.started"),
        event(2, "run.failed"),
        event(2, "run.started"),
        event(3, "step.queued"),
    ]
    run = RecoveredRun("r", records)
    assert [(each.seq, each.type) for each in run.events] == [
        (1, "run.started"), (2, "run.started"), (3, "step.queued"),
    ]  # fmt: skip
    assert run.terminal is None
    run.drop_terminal_event()
    assert len(run.events) == 3


async def test_finished_steps_of_the_plan_have_their_outputs_and_costs():
    run, state = restored(
        finished(1, "s", "hi", 0.25, cached=True, reads={"t1": ["ink"]}),
        finished(2, "gone", "x"),
        finished(3, "n", "seven"),
        event(4, "step.failed", "m", cost_usd=0.0),
        finished(5, "n", 7),
    )
    assert {index: output.blobs for index, output in run.outputs.items()} == {S: (b'"hi"',), N: (b"7",)}
    assert state.outputs[S] is run.outputs[S]
    statuses = state.statuses
    assert [statuses.codes[index] for index in (S, W, N, M)] == [2, 0, 2, 0]
    assert (statuses.costs, statuses.cached, statuses.seconds[S]) == ({S: 0.25}, {S}, 1.5)
    assert state.reads == {S: {"t1": frozenset({"ink"})}}
    assert state.carried_costs == {}


async def test_output_with_holes_is_the_recorded_one_and_one_that_does_not_fit_is_none():
    exact = {"output": ["a", {"$type": "Skip"}]}
    run, _ = restored(
        record("outcome", "", "w", exact),
        finished(1, "w", ["a"]),
        event(2, "step.finished", "s", outputs={"other": 1}, seconds=0, cost_usd=0, cached=False),
    )
    assert {index: output.blobs for index, output in run.outputs.items()} == {W: (b'["a",{"$type":"Skip"}]',)}
    assert run.outputs[W].has_skipped


@pytest.mark.parametrize(
    ("records", "spent", "carried"),
    [
        ([charge("m", 0.5), charge("m", 0.25)], 0.75, {"m": 0.75}),
        ([charge("m", 0.5), event(1, "step.failed", "m", cost_usd=0.5)], 0.5, {}),
        ([charge("m", 0.5), event(1, "step.skipped", "m", cost_usd=0.5)], 0.5, {}),
        ([charge("m", 0.5), event(1, "step.skipped", "m")], 0.5, {"m": 0.5}),
        ([charge("m", 0.5), event(1, "step.progress", "m", cost_usd=0.5)], 0.5, {"m": 0.5}),
        ([charge("n", 0.5), finished(1, "n", 7, 0.25)], 0.5, {}),
        ([charge("gone", 0.5), charge("n", 0.25)], 0.75, {"n": 0.25}),
        ([charge("m", 0.5), charge("m", -0.5)], 0.0, {}),
        ([charge("m", 2e-9)], 2e-9, {"m": 2e-9}),
        ([charge("m", 0.5e-9)], 0.5e-9, {}),
    ],
    ids=[
        "charged", "failed", "skipped", "skipped without a cost", "running", "finished", "gone", "refunded",
        "little", "rounding",
    ],
)  # fmt: skip
async def test_steps_that_did_not_end_keep_what_they_were_charged(records, spent, carried):
    run, state = restored(*records)
    assert run.spent == spent
    assert state.carried_costs == {PLAN.by_id[name]: usd for name, usd in carried.items()}


@pytest.mark.parametrize(
    ("records", "lost"),
    [
        ([reserve("m", "m #1", 0.5)], {"m #1": ("m", 0.5, False)}),
        ([reserve("m", "m #1", 0.5, own_key=True)], {"m #1": ("m", 0.5, True)}),
        (
            [reserve("m", "m #1", 0.5), charge("m", 0.75, "m #1", reserved=0.125)],
            {"m #1": ("m", 0.375, False)},
        ),
        ([reserve("m", "m #1", 0.5), settle("m", "m #1")], {}),
        ([settle("m", "m #1"), reserve("m", "m #2", 0.5)], {"m #2": ("m", 0.5, False)}),
    ],
    ids=["open", "own key", "charged", "settled", "another"],
)
def test_calls_that_were_not_settled_are_found_once(records, lost):
    run = RecoveredRun("r", records)
    found = {call: (each.step, each.usd, each.is_own_key) for call, each in run.take_unsettled().items()}
    assert found == lost
    assert run.take_unsettled() == {}


@pytest.mark.parametrize(
    ("charges", "assumed"),
    [
        ([charge("m", 0.5, "m a", assumed=True, reserved=0.5)], {"m a": Assumed(0.5, False)}),
        ([charge("m", 0.5, "m a", assumed=True, own_key=True)], {"m a": Assumed(0.5, True)}),
        ([charge("m", 0.5, "m a", reserved=0.5)], {}),
        ([charge("m", 0.5, "m a", assumed=True), charge("m", -0.5, "m a", assumed=True)], {}),
        ([charge("m", 0.5, "m a", assumed=True), charge("m", 0.25, "m a")], {"m a": Assumed(0.5, False)}),
        ([charge("m", -0.5, "m a", assumed=True)], {}),
    ],
    ids=["assumed", "own key", "charged", "corrected", "another charge", "unknown"],
)
def test_what_a_call_was_assumed_to_cost_is_known_until_it_is_corrected(charges, assumed):
    assert RecoveredRun("r", charges).assumed == assumed


def test_item_is_known_by_its_path_and_key():
    def item(name, key, **about):
        body = {"key": key_digest(key).hex(), "outputs": {"output": 7}, "cost_usd": 0.0, **about}
        return record("item", name, "m", body)

    step, other = PLAN.steps[M], PLAN.steps[N]
    records = [
        item("0", b"k"),
        item("2.1", b"k", reads=["0.ink"]),
        item("3", b"k", outputs={"no": 1}, reads=[]),
        item("", b"k"),
    ]
    run = RecoveredRun("r", records)
    assert (run.item(step, (0,), b"k").blobs, run.item(step, (0,), b"k").read_paths) == ((b"7",), None)
    assert run.item(step, (2, 1), b"k").read_paths == {"0.ink"}
    assert [run.item(step, path, b"k") for path in ((1,), (2,), (3,))] == [None] * 3
    assert run.item(step, (0,), b"other") is None
    assert run.item(other, (0,), b"k") is None
