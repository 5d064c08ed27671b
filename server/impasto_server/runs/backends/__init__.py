"""Where runs are executed: one protocol with two implementations, which pass the same contract tests."""

from types import TracebackType
from typing import Protocol


class RunBackend(Protocol):
    """Executes the runs that wait in the database, in fair order.

    Enter it to start it. It also resumes every live run whose owner died or released it.
    """

    async def __aenter__(self) -> "RunBackend": ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def submit(self, run_id: str) -> None:
        """Wake a process that executes a queued run. Does not raise: they also look by themselves."""

    async def cancel(self, run_id: str) -> None:
        """Notify the process that executes the run that its row says `cancel_requested`."""

    async def stop(self) -> None:
        """Release the runs of this process and execute no more: it is about to end."""
