"""What the steps of a run share: threads, processes, the HTTP client. Made on demand, closed with it."""

import typing as t

from impasto.runtime.executors.threads import Threads
from impasto.runtime.step_output import Outcome

if t.TYPE_CHECKING:
    from impasto.runtime.executors.processes import Processes


class Resources:
    """The pools of one run."""

    def __init__(self, store: t.Any) -> None:
        self._store = store
        self._threads: Threads | None = None
        self._processes: Processes | None = None
        self._http: t.Any = None

    def threads(self) -> Threads:
        """The worker threads."""
        if self._threads is None:
            self._threads = Threads()
        return self._threads

    def processes(self) -> "Processes":
        """The worker processes."""
        if self._processes is None:
            from impasto.runtime.executors.processes import Processes

            self._processes = Processes()
        return self._processes

    def http(self, allow_private_hosts: bool) -> t.Any:
        """The HTTP client."""
        if self._http is None:
            from impasto.sdk.http_client import client

            self._http = client(allow_private_hosts)
        return self._http

    def holds(self, outcome: Outcome) -> bool:
        """Whether the store still has every asset that a kept result refers to."""
        has = getattr(self._store, "has", None)
        if has is None or not any(blob and b'"asset_id"' in blob for blob in outcome.blobs):
            return True
        import orjson

        todo: list[t.Any] = [orjson.loads(blob) for blob in outcome.blobs if blob]
        while todo:
            value = todo.pop()
            if isinstance(value, dict):
                if "asset_id" in value and not has(value["asset_id"]):
                    return False
                todo.extend(value.values())
            elif isinstance(value, list):
                todo.extend(value)
        return True

    async def close(self) -> None:
        """End the threads and processes, close the client."""
        if self._threads is not None:
            self._threads.close()
        if self._processes is not None:
            self._processes.close()
        if self._http is not None:
            await self._http.aclose()
