"""Building large graphs without the cyclic garbage collector looking on.

A document or a plan of ten thousand nodes is a million objects that are all kept: collecting meanwhile
finds nothing and costs twice what building does.
"""

import gc
from types import TracebackType


class collector_paused:  # noqa: N801 - it reads as the statement that it is
    """Within the block nothing is collected, unless somebody else had switched collecting off before."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._was_on:
            if not gc.get_freeze_count():
                # What was built is kept: it goes to the oldest generation unlooked at, in constant time.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
