"""What an adapter has reported to a `FakeContext`."""

from typing import Any, cast

from impasto import Context
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


def reserved(context: FakeContext) -> list[float | None]:
    """The dollars that calls have reserved."""
    return [arguments[0] for name, arguments in context.calls if name == "reserve"]


def previewed(context: FakeContext) -> list[Any]:
    """The places of the images that were shown early."""
    return [arguments[-1] for name, arguments in context.calls if name == "preview"]
