"""Resources that the steps of a run share: store, threads, processes, HTTP client. Created on first use."""

import typing as t

import orjson

from impasto.runtime.executors.threads import Threads
from impasto.runtime.step_output import StepOutput
from impasto.store import MemoryStore, Store

if t.TYPE_CHECKING:
    import httpx

    from impasto.runtime.executors.processes import Processes


class Resources:
    """The shared resources of one run. Without a `store`, assets are kept in memory."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._threads: Threads | None = None
        self._processes: Processes | None = None
        self._http: httpx.AsyncClient | None = None

    @property
    def store(self) -> Store:
        """The store for assets."""
        if self._store is None:
            self._store = MemoryStore()
        return self._store

    def threads(self) -> Threads:
        """Return the pool of worker threads."""
        if self._threads is None:
            self._threads = Threads()
        return self._threads

    def processes(self) -> "Processes":
        """Return the pool of worker processes."""
        if self._processes is None:
            from impasto.runtime.executors.processes import Processes

            self._processes = Processes()
        return self._processes

    def http(self, allow_private_hosts: bool) -> "httpx.AsyncClient":
        """Return the HTTP client."""
        if self._http is None:
            from impasto.sdk.http_client import client

            self._http = client(allow_private_hosts)
        return self._http

    def has_assets(self, output: StepOutput) -> bool:
        """Return whether the store still has every asset that an output refers to, as far as it can tell."""
        todo: list[t.Any] = [orjson.loads(blob) for blob in output.blobs if blob]
        while todo:
            value = todo.pop()
            if isinstance(value, dict):
                if "asset_id" in value and not self.store.has(value["asset_id"]):
                    return False
                todo.extend(value.values())
            elif isinstance(value, list):
                todo.extend(value)
        return True

    async def close(self) -> None:
        """End the threads and processes, and close the client."""
        if self._threads is not None:
            self._threads.close()
        if self._processes is not None:
            self._processes.close()
        if self._http is not None:
            await self._http.aclose()
