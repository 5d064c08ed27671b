"""Runs inside the server process. The table of runs is the queue, so runs survive the process."""

from contextlib import ExitStack
from types import TracebackType

from impasto_server.container import AppState
from impasto_server.runs import cancel_requests
from impasto_server.runs.backends.dispatcher import Dispatcher
from impasto_server.runs.backends.worker_identity import hold_identity


class InProcessBackend:
    """Executes waiting runs in this process, at most `max_concurrent_runs` at a time.

    A program that does not enter it executes none: the server finds what the program has queued or cancelled
    by itself, after some seconds.
    """

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._stack = ExitStack()
        self._dispatcher: Dispatcher | None = None

    async def __aenter__(self) -> "InProcessBackend":
        identity = self._stack.enter_context(hold_identity(self._app_state.settings.data_dir))
        dispatcher = Dispatcher(self._app_state, identity.name, is_exclusive=identity.exclusive)
        self._dispatcher = await dispatcher.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        self._stack.close()

    async def submit(self, run_id: str) -> None:
        """Wake the dispatcher, which finds the queued run in the database."""
        if self._dispatcher is not None:
            self._dispatcher.notify(is_queued=True)

    async def cancel(self, run_id: str) -> None:
        """Notify the executor of the run that its row says `cancel_requested`."""
        cancel_requests.publish(self._app_state.pubsub, run_id)
        if self._dispatcher is not None:
            self._dispatcher.notify()

    async def stop(self) -> None:
        """Release the runs under way; the next process resumes them."""
        if self._dispatcher is not None:
            await self._dispatcher.stop()
