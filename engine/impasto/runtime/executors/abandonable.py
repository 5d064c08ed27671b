"""Awaiting a coroutine that may ignore its cancellation."""

import asyncio
import typing as t
from collections.abc import Callable, Coroutine, Generator

_MAX_CANCELLED: t.Final = 10


class Owner(t.Protocol):
    """The owner of a coroutine: awaits it, and may abandon it."""

    @property
    def abandoned(self) -> bool:
        """Whether the coroutine is to be closed when it is cancelled again."""


OwnerT = t.TypeVar("OwnerT", bound=Owner)


class AbandonableAwaitable(t.Generic[OwnerT]):
    """Awaits a started coroutine until it ends or its owner is `abandoned`.

    The first cancellation reaches the coroutine, so that it can clean up. A later one, once the owner is
    abandoned, ends the coroutine: its next awaits are cancelled, and if it still waits after `_MAX_CANCELLED`
    of them, it is closed (it sees GeneratorExit). So the asyncio task around it ends even if the coroutine
    swallows every CancelledError.
    """

    __slots__ = ("_coroutine", "_waits_for", "_was_cancelled", "owner")

    def __init__(self, coroutine: Coroutine[t.Any, t.Any, t.Any], owner: OwnerT, waits_for: t.Any) -> None:
        """`waits_for` is what starting the coroutine yielded. Await this in the task that started it."""
        self._coroutine = coroutine
        self.owner = owner
        self._waits_for = waits_for
        self._was_cancelled = False

    def __await__(self) -> Generator[t.Any, t.Any, t.Any]:
        """Drive the coroutine as `yield from` would, except for a later cancellation after abandonment."""
        coroutine, waits_for = self._coroutine, self._waits_for
        while True:
            resume: Callable[[t.Any], t.Any] = coroutine.send
            try:
                sent: t.Any = yield waits_for
            except BaseException as error:
                cancelled = isinstance(error, asyncio.CancelledError)
                if isinstance(error, GeneratorExit):
                    self._end(max_cancelled=0)
                    raise
                if cancelled and self._was_cancelled and self.owner.abandoned:
                    self._end(max_cancelled=_MAX_CANCELLED)
                    raise
                self._was_cancelled = self._was_cancelled or cancelled
                sent, resume = error, coroutine.throw
            try:
                waits_for = resume(sent)
            except StopIteration as end:
                return end.value
            except GeneratorExit as error:
                # The asyncio task would mistake it for its own closing.
                raise RuntimeError("the function raised GeneratorExit") from error

    def _end(self, *, max_cancelled: int) -> None:
        # Before Python 3.13, closing a coroutine that waits inside an asynchronous generator leaves the
        # generator suspended: its clean-up never runs, its finalizer fails. A CancelledError passes through.
        try:
            for _ in range(max_cancelled):
                self._coroutine.throw(asyncio.CancelledError())
            self._coroutine.close()
        except (Exception, asyncio.CancelledError):  # noqa: BLE001 - an abandoned result is discarded
            return
