"""The time, as something that can be handed over: tests travel instead of waiting."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)
