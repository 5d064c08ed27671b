"""Events in messages and streams: which are announced, where a client goes on, what others see."""

from typing import Any

import pytest

from impasto import Event
from impasto.journal.protocol import Record
from impasto_server.runs.events.live import pack, unpack
from impasto_server.runs.events.projection import error_data, fill_results, pending_steps, redact
from impasto_server.runs.events.stream import parse_position
from impasto_server.runs.schemas import Step


def entry(seq: int, body: bytes = b"{}", kind: str = "event") -> Record:
    return Record(kind, "step.finished", "paint", seq, 1.5, body)


def test_events_of_a_message_are_those_of_the_journal() -> None:
    message = pack([entry(1, b'{"a":1}'), entry(2, kind="output"), entry(3)])
    assert message is not None
    found = unpack("run", message)
    assert found is not None
    assert [(each.run_id, each.seq, each.time, each.type, each.step, each.data) for each in found] == [
        ("run", 1, 1.5, "step.finished", "paint", {"a": 1}),
        ("run", 3, 1.5, "step.finished", "paint", {}),
    ]


def test_message_is_empty_if_its_events_are_too_large_and_none_without_events() -> None:
    assert pack([entry(1, kind="output")]) is None
    assert pack([]) is None
    assert pack([entry(1, bytes(32_000)), entry(2, bytes(32_000)), entry(3, bytes(9), "output")])
    assert pack([entry(1, bytes(32_000)), entry(2, bytes(32_001))]) == b""


@pytest.mark.parametrize("message", [b"", b"\x00", b"[1]", b"\x91\x01"])
def test_message_of_another_release_is_ignored(message: bytes) -> None:
    assert unpack("run", message) is None


@pytest.mark.parametrize(
    ("last_event_id", "after", "position"),
    [
        (None, 0, 0), (None, 7, 7), (None, 2**31, 2**31 - 1), ("9", 7, 9),
        ("0", 7, 0), ("", 7, 7), ("-1", 7, 7),
        ("x", 7, 7), ("٣", 7, 7), (f"{2**31 - 2}", 7, 2**31 - 2), (f"{2**31}", 7, 2**31 - 1),
        ("0" * 17 + "12", 7, 1), ("9" * 5000, 7, 2**31 - 1),
    ],
)  # fmt: skip
def test_stream_goes_on_after_the_last_event_that_was_seen(
    last_event_id: str | None, after: int, position: int
) -> None:
    assert parse_position(last_event_id, after) == position


def test_steps_of_a_run_that_has_not_started_are_pending() -> None:
    planned = [{"id": "a", "type": "paint", "title": "Hero"}, {"id": "b"}, {"type": "x"}, "damaged"]
    assert [(step.id, step.node_type, step.title, step.status) for step in pending_steps(planned)] == [
        ("a", "paint", "Hero", "pending"),
        ("b", "", "b", "pending"),
    ]


def test_error_has_a_code_and_says_whether_to_try_again() -> None:
    assert error_data(None, with_detail=True) is None
    assert error_data({}, with_detail=True) is None
    given = {"code": "moderated", "message": "Refused.", "detail": "x", "retryable": 1, "provider": "openai"}
    for with_detail in (True, False):
        found = error_data(given, with_detail=with_detail)
        assert found is not None
        assert found.model_dump() == {
            **given,
            "detail": "x" if with_detail else None,
            "retryable": True,
        }
    unknown = error_data({"x": 1}, with_detail=True)
    assert unknown is not None
    assert (unknown.code, unknown.message, unknown.retryable) == ("node_failed", "", False)


def test_planned_results_have_the_values_of_steps_that_finished() -> None:
    steps = [Step(id="a", node_type="", title="", status="finished", outputs={"image": 1})]
    plan: list[dict[str, Any]] = [
        {"node": node, "port": port, "title": "T", "type": "Json", "list": False}
        for node, port in (("a", "image"), ("a", "text"), ("b", "image"))
    ]
    plan[0] |= {"meaning": "post", "text_of": "text"}
    found = [
        (each.step, each.port, each.value, each.meaning, each.text_of) for each in fill_results(plan, steps)
    ]
    assert found == [
        ("a", "image", 1, "post", "text"),
        ("a", "text", None, None, None),
        ("b", "image", None, None, None),
    ]


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ({"code": "x", "detail": "secret"}, {"code": "x", "detail": None}),
        (
            {"code": "x", "items": [{"item": 1, "detail": "secret"}, "damaged"]},
            {"code": "x", "detail": None, "items": [{"item": 1, "detail": None}]},
        ),
        ({"code": "x", "items": []}, {"code": "x", "items": [], "detail": None}),
        (None, None),
        ("text", "text"),
    ],
)
def test_details_of_errors_in_events_are_for_the_owner(error: Any, shown: Any) -> None:
    event = Event("run", 1, 1.0, "step.failed", "paint", {"error": error, "cost_usd": 1})
    before = repr(event)
    assert redact(event, with_detail=False) == {"error": shown, "cost_usd": 1}
    assert repr(event) == before
    assert redact(event, with_detail=True) == {"error": error, "cost_usd": 1}
