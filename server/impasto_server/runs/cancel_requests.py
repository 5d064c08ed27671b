"""Requests to cancel runs, on one topic: a process subscribes to it once, not for each run that it executes.

A request is written on the run's row before it is published. A message that is lost only delays it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from impasto_server.runs.events.pubsub import PubSub, Subscription

TOPIC = "cancel"
_WAIT_SECONDS = 3600.0


def publish(pubsub: PubSub, run_id: str) -> None:
    """Notify the process that executes the run that its row has a request to cancel."""
    pubsub.publish(TOPIC, run_id.encode())


class CancelRequests:
    """The requests to cancel the runs that this process executes."""

    def __init__(self, pubsub: PubSub) -> None:
        self._pubsub = pubsub
        self._watched: dict[str, Subscription] = {}

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """Receive requests for the length of the block."""
        async with self._pubsub.subscribe(TOPIC) as subscription:
            task = asyncio.create_task(self._forward(subscription), name="requests to cancel runs")
            try:
                yield
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    @contextmanager
    def watch(self, run_id: str) -> Iterator[Subscription]:
        """Yield what is notified of the requests for a run that come within the block."""
        subscription = self._watched[run_id] = Subscription()
        try:
            yield subscription
        finally:
            del self._watched[run_id]

    async def _forward(self, subscription: Subscription) -> None:
        while True:
            await subscription.wait(_WAIT_SECONDS)
            payloads = subscription.take()
            # Without payloads, messages may have been missed: each run looks at its row.
            run_ids = tuple(self._watched) if payloads is None else {payload.decode() for payload in payloads}
            for run_id in run_ids:
                if run_id in self._watched:
                    self._watched[run_id].notify()
