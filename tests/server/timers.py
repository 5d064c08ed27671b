"""The timers of an event loop, which a test calls when it likes."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Timer:
    """A call that a test makes instead of the event loop."""

    seconds: float
    call: Callable[[], None]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


@dataclass
class TimerLoop:
    """The part of an event loop that has timers."""

    timers: list[Timer] = field(default_factory=list)

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(seconds, call))
        return self.timers[-1]
