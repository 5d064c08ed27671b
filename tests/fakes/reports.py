"""What an adapter has reported to a `FakeContext`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from impasto import Context, PaidCall
from impasto.testing import FakeContext


def seen_by(context: FakeContext) -> Context:
    """The context as adapters take it."""
    return cast("Context", context)


def shown(context: FakeContext) -> list[tuple[float, str]]:
    """The progress that was shown."""
    return [arguments for name, arguments in context.calls if name == "progress"]


def recorded(context: FakeContext) -> list[dict[str, Any]]:
    """What was recorded of generations, without what was not stated."""
    found = [arguments[0] for name, arguments in context.calls if name == "record_generation"]
    return [{name: value for name, value in one.items() if value is not None} for one in found]


def reservations(context: FakeContext) -> list[tuple[Any, ...]]:
    """The dollars of each call, the least that it is worth, and its name."""
    return [arguments for name, arguments in context.calls if name == "reserve"]


def reserved(context: FakeContext) -> list[float | None]:
    """The dollars that calls have reserved."""
    return [usd for usd, _, _ in reservations(context)]


def previewed(context: FakeContext) -> list[Any]:
    """The places of the images that were shown early."""
    return [arguments[-1] for name, arguments in context.calls if name == "preview"]


class CountingContext(FakeContext):
    """A context that keeps the units of each charge. Each call may cost `max_usd`; None without a budget."""

    def __init__(self, max_usd: float | None = None, **facts: Any) -> None:
        super().__init__(**facts)
        self.max_usd = max_usd
        self.units: list[dict[str, float]] = []

    @asynccontextmanager
    async def reserve(
        self, usd: float | None, *, at_least: float | None = None, name: str = ""
    ) -> AsyncIterator[PaidCall]:
        """Yield a call with the limit."""
        async with super().reserve(usd, at_least=at_least, name=name) as call:

            def on_charge(charged: float, units: dict[str, float], is_assumed: bool) -> None:
                if is_assumed:
                    call.assume_spent()
                else:
                    call.charge(charged, **units)
                self.units.append(units)

            yield PaidCall(self.max_usd, on_charge)
