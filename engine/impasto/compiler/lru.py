"""A small cache that is bounded by weight."""

import typing as t

T = t.TypeVar("T")


class WeightedLRU(t.Generic[T]):
    """Keeps the items added last, newest first, as long as their weights sum to at most `max_weight`.

    Threads may share it: the content is one tuple that is replaced as a whole.
    """

    __slots__ = ("_entries", "max_weight")

    def __init__(self, max_weight: int) -> None:
        self.max_weight = max_weight
        self._entries: tuple[tuple[T, int], ...] = ()

    def __iter__(self) -> t.Iterator[T]:
        return iter([item for item, _ in self._entries])

    def add(self, item: T, weight: int, replaces: T | None = None) -> None:
        """Add an item as the newest, removing the one that it replaces; ignored if it alone is too heavy."""
        if weight > self.max_weight:
            return
        others = tuple(entry for entry in self._entries if entry[0] is not replaces)
        room, kept = self.max_weight, []
        for entry in ((item, weight), *others):
            room -= entry[1]
            if room < 0:
                break
            kept.append(entry)
        self._entries = tuple(kept)

    def clear(self) -> None:
        """Remove all items."""
        self._entries = ()
