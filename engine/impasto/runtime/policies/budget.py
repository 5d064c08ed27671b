"""The budget of a run: estimates are reserved before a task starts, charges counted when they are made."""

_ROUNDING = 1e-9


class Budget:
    """US dollars: `spent`, and `reserved` by tasks under way. `max_usd` None means no limit."""

    __slots__ = ("max_usd", "reserved", "spent")

    def __init__(self, max_usd: float | None, spent: float = 0.0) -> None:
        self.max_usd = max_usd
        self.spent = spent
        self.reserved = 0.0

    def reserve(self, estimate: float) -> bool:
        """Reserve the estimate; return False if it would exceed the budget."""
        if self.max_usd is not None and self.spent + self.reserved + estimate > self.max_usd + _ROUNDING:
            return False
        self.reserved += estimate
        return True

    @property
    def is_exceeded(self) -> bool:
        """Whether more was charged than the budget allows."""
        return self.max_usd is not None and self.spent > self.max_usd + _ROUNDING
