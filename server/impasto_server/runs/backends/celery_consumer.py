"""The part of a Celery worker that receives messages, made to survive every outage of the broker."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog
from celery.bootsteps import CLOSE, TERMINATE
from celery.utils.log import get_logger
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown

log = structlog.get_logger()
logger = get_logger(__name__)  # kombu's messages take one of the standard library
_RETRY_SECONDS = 1.0


def call_on_receipt(task: Any, app: Any, consumer: Any, **_: Any) -> Callable[..., None]:
    """Return what receives the messages of a task that returns at once: it calls the task without arguments.

    Celery's own strategy (`celery.worker.strategy`) makes a request of each message and hands it to a thread,
    which takes longer than such a task.
    """

    def on_message(message: Any, *_: Any, **__: Any) -> None:
        message.ack_log_error(logger, consumer.connection_errors)
        task.run()

    return on_message


class ResilientConsumer(Consumer):  # type: ignore[misc]
    """Connects again after any error. Celery's own consumer ends the worker for errors that it does not know.

    Such errors are raised while it closes a broken connection: kombu then uses parts that are closed already.
    """

    def start(self) -> None:
        """Receive messages until the worker is asked to stop."""
        while True:
            try:
                super().start()
            except Exception as error:
                log.warning("the connection to the broker failed; connecting again", exc_info=error)
            else:
                return
            maybe_shutdown()
            if self.blueprint.state in (CLOSE, TERMINATE):
                return
            time.sleep(_RETRY_SECONDS)
            self.connection = None
            with suppress(Exception):
                self.blueprint.restart(self)
