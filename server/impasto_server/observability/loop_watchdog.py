"""A watchdog of the event loop: measures its lag, and logs where it is when it stalls.

Everything that a process serves shares one event loop, so a function that does not return blocks all of it.
The watchdog is a thread of its own and sees that. It cannot run while C code holds the interpreter's lock;
such a stall is logged when it ends.
"""

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from prometheus_client import Gauge

LOOP_LAG = Gauge(
    "impasto_event_loop_lag_seconds", "Longest delay of the event loop in the last 30 seconds, in seconds"
)
LOOP_STALLS = Gauge("impasto_event_loop_stalled", "1 while the event loop has not responded for a second")

log = structlog.get_logger()
_BEAT_SECONDS = 0.1
_STALL_SECONDS = 1.0
_PEAK_SECONDS = 30.0
_SECONDS_BETWEEN_STACKS = 30.0


class LoopWatchdog:
    """Watches the loop of the thread that starts it, until it is stopped."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread_id = threading.get_ident()
        self._stopped = threading.Event()
        self._beat_at = self._peak_at = time.monotonic()
        self._peak = 0.0
        self._logged_at = -_SECONDS_BETWEEN_STACKS
        self._timer = loop.call_later(_BEAT_SECONDS, self._beat)
        self._thread = threading.Thread(target=self._watch, name="loop watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching. Call this on the loop's thread."""
        self._timer.cancel()
        self._stopped.set()

    def _beat(self) -> None:
        now = time.monotonic()
        lag = max(0.0, now - self._beat_at - _BEAT_SECONDS)
        if lag >= self._peak or now - self._peak_at > _PEAK_SECONDS:
            self._peak, self._peak_at = lag, now
            LOOP_LAG.set(lag)
        if lag > _STALL_SECONDS:
            LOOP_STALLS.set(0)
            log.warning("the event loop responds again", seconds=round(lag, 1))
        self._beat_at = now
        self._timer = self._loop.call_later(_BEAT_SECONDS, self._beat)

    def _watch(self) -> None:
        while not self._stopped.wait(_STALL_SECONDS / 4):
            now = time.monotonic()
            stalled = now - self._beat_at
            if stalled <= _STALL_SECONDS + _BEAT_SECONDS:
                continue
            LOOP_STALLS.set(1)
            if now - self._logged_at >= _SECONDS_BETWEEN_STACKS:
                self._logged_at = now
                log.error("the event loop is stalled", seconds=round(stalled, 1), stack=self._stack())

    def _stack(self) -> str:
        frame = sys._current_frames().get(self._thread_id)
        return "".join(traceback.format_stack(frame)) if frame is not None else ""


@contextmanager
def watch_event_loop() -> Iterator[None]:
    """Watch the running event loop for the length of the block."""
    watchdog = LoopWatchdog(asyncio.get_running_loop())
    try:
        yield
    finally:
        watchdog.stop()
