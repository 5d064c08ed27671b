"""A leash on a coroutine: one that will not listen to its cancellation can be let go for good."""

import asyncio
import typing as t
from collections.abc import Awaitable, Callable, Coroutine, Generator


class Owner(t.Protocol):
    """Whoever waits for the coroutine, and may stop waiting."""

    gone: bool


def sent_off(work: Coroutine[t.Any, t.Any, t.Any], owner: Owner) -> t.Any:
    """Begin a coroutine in the task that calls: what it returned, or a leash on it if it has not ended."""
    try:
        waits_for = work.send(None)
    except StopIteration as end:
        return end.value
    return Leash(work, owner, waits_for)


async def after(ready: Awaitable[None], begin: Callable[[], Coroutine[t.Any, t.Any, t.Any]]) -> t.Any:
    """Begin a coroutine once something else is done."""
    await ready
    return await begin()


class Leash:
    """Awaits a coroutine until it ends or its owner is `gone`.

    The first cancellation reaches the coroutine as ever, so that it can tidy up. A later one, once the
    owner is gone, closes the coroutine (it sees GeneratorExit where it waits), so that the task around it
    ends even when the coroutine swallows every CancelledError.
    """

    __slots__ = ("_coroutine", "_first", "_told", "owner")

    def __init__(self, coroutine: Coroutine[t.Any, t.Any, t.Any], owner: Owner, first: t.Any) -> None:
        """`first` is what the coroutine waits for: it has been sent off in the task that awaits this."""
        self._coroutine = coroutine
        self.owner = owner
        self._first = first
        self._told = False

    def __await__(self) -> Generator[t.Any, t.Any, t.Any]:
        """Step the coroutine as `yield from` would, but for a later cancellation once the owner is gone."""
        coroutine, waits_for = self._coroutine, self._first
        while True:
            step: t.Callable[[t.Any], t.Any] = coroutine.send
            try:
                given: t.Any = yield waits_for
            except BaseException as error:
                cancelled = isinstance(error, asyncio.CancelledError)
                if isinstance(error, GeneratorExit) or (cancelled and self._told and self.owner.gone):
                    self._let_go()
                    raise
                self._told = self._told or cancelled
                given, step = error, coroutine.throw
            try:
                waits_for = step(given)
            except StopIteration as end:
                return end.value
            except GeneratorExit as error:
                # Nobody has closed it: to the task around it this would look as if somebody had.
                raise RuntimeError("the function raised GeneratorExit") from error

    def _let_go(self) -> None:
        try:
            self._coroutine.close()
        except Exception:  # noqa: BLE001 - its last words are nobody's concern
            return
