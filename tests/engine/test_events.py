"""Events and their JSON."""

import json

import orjson
import pytest
from tests.engine.runtime.run_nodes import NODES

from impasto import SKIP, Context, Integer, MemoryCache, Text, execute, node
from impasto.events import Event
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def dear(text: Text, *, context: Context) -> Text:
    context.charge(0.25, tokens=3)
    context.made_by(provider="acme", model="m1")
    return f'"{text}" \u00fc'


@node
async def odd(number: Integer) -> Text:
    return SKIP if number % 2 == 0 else str(number)


@node
async def numbers() -> list[Integer]:
    return [1, 2, 3]


async def test_event_body_equals_its_data():
    plan = plan_of(
        [*NODES, dear, odd, numbers],
        {"p": "say", "d": "dear", "n": "numbers", "o": "odd"},
        [("p.output", "d.text"), ("n.output", "o.number")],
    )
    cache = MemoryCache()
    for _ in range(2):
        result = await execute(plan, cache=cache)
        assert result.status == "finished"
        for event in result.events:
            assert orjson.loads(event.body) == event.data


async def test_event_data_is_the_same_before_and_after_serialization():
    plan = plan_of([*NODES, dear], {"p": "say", "d": "dear"}, [("p.output", "d.text")])
    result = await execute(plan)
    finished = next(event for event in result.events if event.type == "step.finished" and event.step == "d")
    assert finished.data["outputs"] == {"output": '"hi" ü'}
    assert (finished.data["cost_usd"], finished.data["units"]) == (0.25, {"tokens": 3})
    assert finished.data["made_by"]["provider"] == "acme"


def event(data=None, body=None):
    return Event("r", 7, 1.5, "step.progress", "a", data, body)


def test_event_as_plain_data_has_every_field():
    assert event({"fraction": 0.5}).to_json() == {
        "run_id": "r",
        "seq": 7,
        "time": 1.5,
        "type": "step.progress",
        "step": "a",
        "data": {"fraction": 0.5},
    }
    assert event().name == "step.progress"


def test_event_is_shown_with_its_number_type_and_step():
    assert repr(event()) == "<Event 7 step.progress a>"
    assert repr(Event("r", 1, 0.0, "run.started")) == "<Event 1 run.started>"


def test_data_of_an_event_is_read_from_its_body():
    assert event(body=b'{"a":1}').data == {"a": 1}
    assert (event().data, event().body) == ({}, b"{}")


def test_data_is_made_once_when_it_is_first_read():
    calls = []

    def make():
        calls.append("made")
        return {"a": 1}

    lazy = event(make)
    assert calls == []
    assert [lazy.data, lazy.data, orjson.loads(lazy.body)] == [{"a": 1}] * 3
    assert calls == ["made"]


def test_body_is_that_of_data_which_is_written_already():
    class Written:
        def __call__(self):
            return {"a": 1}

        def body(self):
            return b'{"a": 1}'

    given = event(Written())
    assert (given.body, given.body, given.data) == (b'{"a": 1}', b'{"a": 1}', {"a": 1})


@pytest.mark.parametrize("data", [{"n": 2**70 + 1}, {"deep": [{"n": -(2**70) - 1}]}])
def test_whole_numbers_of_any_size_are_exact(data):
    body = json.dumps(data, separators=(",", ":")).encode()
    given = event(data)
    assert (given.body, given.data) == (body, data)
    assert event(body=body).data == data


def test_values_without_a_json_form_are_reported_as_text():
    odd = event({"a": {1}, (1, 2): "left out", "text": "\ud800ü"})
    assert odd.body == '{"a":"{1}","text":"?ü"}'.encode()
    assert odd.data == {"a": "{1}", "text": "?ü"}
