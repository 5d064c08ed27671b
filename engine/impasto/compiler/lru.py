"""The last few things that were kept, as long as together they are not too heavy."""

import typing as t

T = t.TypeVar("T")


class Memory(t.Generic[T]):
    """Things with a weight, the latest first; the oldest are let go when all weigh more than `most`.

    Threads may share it: what is kept is one tuple, replaced as a whole.
    """

    __slots__ = ("_kept", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: tuple[tuple[T, int], ...] = ()

    def __iter__(self) -> t.Iterator[T]:
        return iter([thing for thing, _ in self._kept])

    def keep(self, thing: T, weight: int, instead: T | None = None) -> None:
        """Keep one thing more, in the place of another one if that is named; unless it is too heavy."""
        if weight > self.most:
            return
        others = tuple(pair for pair in self._kept if pair[0] is not instead)
        room, kept = self.most, []
        for pair in ((thing, weight), *others):
            room -= pair[1]
            if room < 0:
                break
            kept.append(pair)
        self._kept = tuple(kept)

    def clear(self) -> None:
        """Let everything go."""
        self._kept = ()
