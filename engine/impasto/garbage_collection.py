"""Keeps the cyclic garbage collector from looking where nothing can be found.

A document or plan of ten thousand nodes consists of a million objects that all stay alive, and so do the
modules of a server. Collecting while they are made finds nothing, and takes twice as long as making the plan,
a fifth of the time of importing the server, and as long again when the process ends.
"""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

_MIN_OBJECTS = 20_000
_SERVING_THRESHOLD = 20_000  # objects made since the last collection; Python's own is 700 to 2,000


class gc_paused:  # noqa: N801 - used as a statement: `with gc_paused():`
    """Context manager: disables collection inside the block, unless it was disabled before."""

    __slots__ = ("_was_enabled",)

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_enabled:
            # The first generation counts on while collection is disabled. Counting frozen objects takes
            # time linear in them: it is worth it for large graphs only.
            if gc.get_count()[0] >= _MIN_OBJECTS and not gc.get_freeze_count():
                # Moves the new objects to the oldest generation unscanned, in constant time.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Collect the youngest generation once in 20,000 new objects inside the block (`gc.set_threshold`).

    For processes that serve. A request makes thousands of objects, and nearly all are freed without the
    collector. At Python's threshold collections take a tenth of the time of a short run.
    """
    former = gc.get_threshold()
    gc.set_threshold(_SERVING_THRESHOLD, *former[1:])
    try:
        yield
    finally:
        gc.set_threshold(*former)


def skip_final_collection() -> None:
    """Leave what is alive when the process ends to the operating system, without looking for cycles in it.

    Functions that are registered to run at the exit, earlier or later, run as ever.
    """
    atexit.register(gc.freeze)
