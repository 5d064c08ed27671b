"""The part of a Celery worker that receives messages."""

from types import SimpleNamespace
from typing import Any

import pytest
from celery.bootsteps import CLOSE, RUN, TERMINATE
from celery.worker.consumer import Consumer

from impasto_server.runs.backends import celery_consumer
from impasto_server.runs.backends.celery_consumer import ResilientConsumer, call_on_receipt


def test_message_is_acknowledged_and_calls_its_task_without_arguments() -> None:
    acknowledged: list[Any] = []
    calls: list[Any] = []
    message: Any = SimpleNamespace(ack_log_error=lambda _, errors: acknowledged.append(errors))
    task: Any = SimpleNamespace(run=lambda *given: calls.append(given))
    consumer: Any = SimpleNamespace(connection_errors=(OSError,))
    call_on_receipt(task, None, consumer)(message, None, None, None)
    assert (acknowledged, calls) == ([(OSError,)], [()])


class Steps:
    """The parts of a consumer; restarting them fails."""

    def __init__(self, state: int) -> None:
        self.state = state
        self.restarted: list[Any] = []

    def restart(self, consumer: Any) -> None:
        self.restarted.append((consumer, consumer.connection))
        raise ConnectionError("still broken")


@pytest.mark.parametrize(
    ("failures", "state", "starts", "restarts"),
    [(0, RUN, 1, 0), (1, RUN, 2, 1), (3, RUN, 4, 3), (9, CLOSE, 1, 0), (9, TERMINATE, 1, 0)],
    ids=["ends_in_order", "fails_once", "fails_often", "is_closed", "is_terminated"],
)
def test_worker_connects_again_after_any_error_until_it_is_stopped(
    failures: int, state: int, starts: int, restarts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []

    def start(consumer: Any) -> None:
        started.append(consumer)
        if len(started) <= failures:
            raise AttributeError("a part that is closed already")

    monkeypatch.setattr(Consumer, "start", start)
    slept: list[float] = []
    monkeypatch.setattr(celery_consumer, "time", SimpleNamespace(sleep=slept.append))
    made: Any = ResilientConsumer.__new__(ResilientConsumer)
    made.blueprint, made.connection = Steps(state), "broken"
    made.start()
    assert started == [made] * starts
    assert made.blueprint.restarted == [(made, None)] * restarts
    assert slept == [1.0] * restarts
