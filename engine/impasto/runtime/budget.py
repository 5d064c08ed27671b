"""The budget of a run, in US dollars: what is spent, and what is reserved for tasks and calls under way.

The one invariant: `spent + reserved` never exceeds `max_usd`, as long as no charge exceeds its reservation.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable

_ROUNDING = 1e-9


class Reservation:
    """US dollars that are reserved. Charges use them up; `Budget.release` frees the rest."""

    __slots__ = ("is_counted", "is_open", "usd")

    def __init__(self, usd: float) -> None:
        self.usd = usd
        self.is_open = True
        self.is_counted = usd > 0  # nothing is gained by waiting for one of $0


class _Request:
    """A call that waits for its reservation; the future's result is None if too little is left."""

    __slots__ = ("at_least", "future", "usd")

    def __init__(self, usd: float, at_least: float) -> None:
        self.usd = usd
        self.at_least = at_least
        self.future: asyncio.Future[Reservation | None] = asyncio.get_running_loop().create_future()


class Budget:
    """US dollars: `spent`, and `reserved` by what is under way. `max_usd` None means no limit.

    `on_free` is called when dollars were freed that no waiting call takes.
    """

    __slots__ = ("_holders", "_waiting", "max_usd", "on_free", "reserved", "spent")

    def __init__(self, max_usd: float | None, spent: float = 0.0) -> None:
        self.max_usd = None if max_usd is None or math.isinf(max_usd) else max_usd
        self.spent = spent
        self.reserved = 0.0
        self.on_free: Callable[[], None] = _ignore
        self._holders = 0
        self._waiting: deque[_Request] = deque()

    @property
    def left(self) -> float:
        """Dollars that are neither spent nor reserved."""
        return math.inf if self.max_usd is None else self.max_usd - self.spent - self.reserved

    @property
    def is_exceeded(self) -> bool:
        """Whether more was charged than the budget allows."""
        return self.max_usd is not None and self.spent > self.max_usd + _ROUNDING

    @property
    def is_held(self) -> bool:
        """Whether a reservation is open, so that waiting may help."""
        return self._holders > 0

    def reserve(self, usd: float) -> Reservation | None:
        """Reserve dollars at once; None if they are not left, or if calls wait for what is left."""
        if not self._fits(usd) or (usd > 0 and self._waiting):
            return None
        return self._open(usd)

    async def acquire(
        self, usd: float, at_least: float, earlier: Reservation | None = None, *, may_wait: bool = True
    ) -> Reservation | None:
        """Reserve `usd`; while other reservations are open and it does not fit, wait for them in turn.

        If none is open, what is left is enough if it is `at_least`. Returns None if it is not. `earlier` is
        given up for the new reservation. A caller that holds another reservation must not wait: two such
        callers would wait for each other.
        """
        if earlier is not None:
            self._close(earlier)
        at_least = min(at_least, usd)
        if self._fits(usd) and (earlier is not None or not self._waiting or not may_wait or usd <= 0):
            made: Reservation | None = self._open(usd)
        elif not may_wait:
            made = self._open(max(0.0, self.left)) if self._fits(at_least) else None
        else:
            return await self._in_turn(_Request(usd, at_least))
        self._serve()
        return made

    def charge(self, usd: float, reservation: Reservation | None = None) -> None:
        """Count dollars as spent, first those of the reservation. A refund is negative."""
        self.spent += usd
        if reservation is not None and usd > 0:
            self.shrink(reservation, max(0.0, reservation.usd - usd))
        if usd < 0:
            self._serve()

    def shrink(self, reservation: Reservation, usd: float) -> None:
        """Lower an open reservation to `usd`."""
        if reservation.is_open:
            self.reserved -= reservation.usd - usd
            reservation.usd = usd

    def reopen(self, usd: float, earlier: Reservation | None) -> Reservation:
        """Reserve dollars that were just refunded, together with an earlier reservation."""
        if earlier is not None:
            self._close(earlier)
            usd += earlier.usd
        return self._open(usd)

    def release(self, reservation: Reservation) -> None:
        """Free what is left of a reservation, for the calls and tasks that wait."""
        self._close(reservation)
        self._serve()

    def detach(self) -> None:
        """Drop the callback to a closed run, so that reference counting frees it."""
        self.on_free = _ignore

    async def _in_turn(self, request: _Request) -> Reservation | None:
        self._waiting.append(request)
        self._serve()
        try:
            return await request.future
        except BaseException:
            if request in self._waiting:
                self._waiting.remove(request)
            elif not request.future.cancelled() and (made := request.future.result()) is not None:
                self._close(made)
            self._serve()
            raise

    def _serve(self) -> None:
        """Answer the waiting calls, in turn, as far as the budget allows."""
        while self._waiting:
            first = self._waiting[0]
            if first.future.done():  # answered, or its caller was cancelled
                self._waiting.popleft()
                continue
            if self._fits(first.usd):
                made: Reservation | None = self._open(first.usd)
            elif self._holders:
                return
            else:
                made = self._open(max(0.0, self.left)) if self._fits(first.at_least) else None
            first.future.set_result(made)
        self.on_free()

    def _fits(self, usd: float) -> bool:
        return self.left + _ROUNDING >= usd

    def _open(self, usd: float) -> Reservation:
        made = Reservation(usd)
        self.reserved += usd
        self._holders += made.is_counted
        return made

    def _close(self, reservation: Reservation) -> None:
        if not reservation.is_open:
            return
        reservation.is_open = False
        self._holders -= reservation.is_counted
        # Without a holder the sum is 0, not what rounding has left of it.
        self.reserved = self.reserved - reservation.usd if self._holders else 0.0


def _ignore() -> None:
    """Do nothing: nothing waits."""
