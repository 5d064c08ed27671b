"""What a run may spend: estimates are set aside before a unit starts, charges are counted after."""


class Budget:
    """Dollars: `spent`, and `reserved` by units under way. `most` None is no limit."""

    __slots__ = ("most", "reserved", "spent")

    def __init__(self, most: float | None, spent: float = 0.0) -> None:
        self.most = most
        self.spent = spent
        self.reserved = 0.0

    def reserve(self, estimate: float) -> bool:
        """Set the estimate aside; False if it would pass the budget."""
        if self.most is not None and self.spent + self.reserved + estimate > self.most + 1e-9:
            return False
        self.reserved += estimate
        return True

    @property
    def passed(self) -> bool:
        """Whether more was charged than the budget allows."""
        return self.most is not None and self.spent > self.most + 1e-9
