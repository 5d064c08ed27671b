"""Where runs are executed: one protocol, two backends, the same tests."""

from types import TracebackType
from typing import Protocol


class RunBackend(Protocol):
    """Takes runs that are written in the database and sees to it that each is executed to its end.

    Enter it to start it. A run that no living process owns, whatever the reason, is taken up again.
    """

    async def __aenter__(self) -> "RunBackend": ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def submit(self, run_id: str) -> None:
        """Take a queued run. Raises when it cannot be taken."""

    async def cancel(self, run_id: str) -> None:
        """See that a run whose cancellation is written down stops soon, wherever it is executed."""
