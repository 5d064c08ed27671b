"""A paid call of a provider: the dollars that are reserved for it, and what it did cost."""

import math
import typing as t
from collections.abc import Callable, Mapping

OnCharge = Callable[[float, dict[str, float], bool], None]
"""Records dollars and units; the last argument says that the whole reservation is assumed to be spent."""


def require_charge(usd: float, units: Mapping[str, float]) -> None:
    """Raise ValueError for a negative amount, and for one that is not finite."""
    if not all(math.isfinite(amount) for amount in (usd, *units.values())) or usd < 0:
        raise ValueError(
            "charge() takes a finite number of dollars of at least 0 and finite numbers of units, "
            f"got {usd!r} and {units}"
        )


class PaidCall:
    """A reservation for one call, from `Context.reserve`; it ends with its `async with` block.

    `max_usd` is the most that the call may cost: what was asked for, or less if that is all that is left of
    the budget. None if the run has no budget.
    """

    __slots__ = ("_on_charge", "is_left_open", "is_settled", "max_usd")

    def __init__(
        self, max_usd: float | None, on_charge: Callable[[float, dict[str, float], bool], None]
    ) -> None:
        self.max_usd = max_usd
        self.is_settled = False
        self.is_left_open = False
        self._on_charge = on_charge

    def charge(self, usd: float, **units: float) -> None:
        """Record what the call has cost: US dollars, and what for (`tokens=120`). Charges add up.

        Raises ValueError for a negative amount, and for one that is not finite.
        """
        require_charge(usd, units)
        self.is_settled = True
        self._on_charge(float(usd), units, False)

    def assume_spent(self) -> None:
        """Record the whole reservation as spent: whether the provider bills the call is not known.

        A later call of the same name in the same step corrects the amount with what it charges.
        """
        self.is_settled = True
        self._on_charge(math.inf, {}, True)

    def leave_open(self) -> None:
        """Settle nothing: another process, which resumes the run, goes on with the call under its name."""
        self.is_settled = self.is_left_open = True


class SpendingLimit(t.Protocol):
    """A limit outside of the run, shared with other runs: for example of a user on one day.

    `allows_unpriced`: calls whose price is not known are allowed.
    """

    allows_unpriced: bool

    async def hold(self, usd: float, at_least: float, *, may_wait: bool) -> float:
        """Reserve up to `usd` dollars for a call and return how many; `may_wait` for what others may free.

        They stay reserved until the journal has the call's `settle` record. Raises NodeError if fewer than
        `at_least` are left.
        """
