"""The fakes' state: faults to play back, and the requests they received."""

import asyncio
import base64
import threading
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

GOOD_KEY, POOR_KEY = "good-key-123456", "poor-key-123456"
REPLY = "Late light, cold brew. A frosted can on warm cedar."
WEBHOOK_SECRET = "whsec_" + base64.b64encode(b"a secret that both sides know").decode()

Kind = Literal[
    "rate_limit", "server_error", "unavailable", "slow", "truncated", "bad_json", "moderation", "disconnect",
    "corrupt", "huge", "empty", "reject", "broken_event", "error_event", "withheld", "overloaded", "quota",
    "mask", "held", "hang_up", "lost", "unlisted", "refusal", "tools_only", "no_text", "answer",
]  # fmt: skip


@dataclass
class Fault:
    """One way to misbehave, `times` times `after` as many that go well; `on` narrows it to paths with it.

    What is `held` waits until it is `over`. An "answer" is `status` and `body` as they are.
    """

    kind: Kind
    times: int = 1
    retry_after: float | None = None
    on: str = ""
    after: int = 0
    status: int = 500
    body: str = ""
    over: threading.Event = field(default_factory=threading.Event)


@dataclass
class Seen:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    query: dict[str, str] = field(default_factory=dict)


@dataclass
class Prediction:
    """One job of a service: `polls` more looks until it is done; None holds it back."""

    id: str
    model: str
    input: dict[str, Any]
    polls: int | None
    status: str = "starting"
    error: str | None = None
    output: Any = None
    webhook: str = ""
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat())

    def take_poll(self) -> bool:
        """Count a look; whether the prediction is not done yet."""
        if self.polls is not None and self.polls <= 0:
            return False
        self.polls = self.polls and self.polls - 1
        return True


@dataclass
class State:
    """Shared by the tests and the serving thread."""

    faults: list[Fault] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    replies: deque[str] = field(default_factory=deque)
    predictions: dict[str, Prediction] = field(default_factory=dict)
    polls: int | None = 1
    fails_with: str | None = None
    model_input: dict[str, Any] | None = None
    output_shape: str | None = None
    voices: dict[str, tuple[str, str]] | None = None
    image_usage: dict[str, Any] = field(default_factory=dict)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reset(self) -> None:
        """Reset faults and received requests, and release held responses."""
        for fault in self.faults:
            fault.over.set()
        for kept in (self.faults, self.seen, self.replies, self.predictions, self.image_usage):
            kept.clear()  # type: ignore[attr-defined]
        self.polls, self.fails_with, self.model_input = 1, None, None
        self.output_shape, self.voices = None, None

    def misbehave(
        self,
        kind: Kind,
        *,
        times: int = 1,
        retry_after: float | None = None,
        on: str = "",
        after: int = 0,
        status: int = 500,
        body: str = "",
    ) -> Fault:
        """Do `kind` at the next `times` requests."""
        self.faults.append(fault := Fault(kind, times, retry_after, on, after, status, body))
        return fault

    def take(self, path: str, *kinds: str) -> Fault | None:
        """The fault due at this path, if it is one of `kinds`."""
        with self.lock:
            for fault in self.faults:
                if fault.times > 0 and fault.on in path and (not kinds or fault.kind in kinds):
                    if fault.after > 0:
                        fault.after -= 1
                        continue
                    fault.times -= 1
                    return fault
        return None

    async def hold(self, path: str) -> None:
        """Hold back what is due to be "held" at this path, until it is over."""
        if held := self.take(path, "held"):
            await asyncio.to_thread(held.over.wait, 60.0)

    def requests(self, part: str, method: str = "") -> list[Seen]:
        """The requests whose path contains `part`."""
        return [one for one in self.seen if part in one.path and method in one.method]
