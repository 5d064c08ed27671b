"""The part of a Celery worker that receives messages, made to survive every outage of the broker."""

import time
from contextlib import suppress

import structlog
from celery.bootsteps import CLOSE, TERMINATE
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown

log = structlog.get_logger()
_RETRY_SECONDS = 1.0


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
