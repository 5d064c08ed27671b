"""A Celery worker with the sample nodes and those that buy, configured by environment variables."""

from collections.abc import Callable

from tests.chaos.paid_nodes import chaos_catalog
from tests.server.barriers import extend_grace


def work(on_ready: Callable[[], None]) -> None:
    """Execute runs. It is ready as soon as its settings are read; runs may wait for it before."""
    # The module of the worker reads the settings.
    from impasto_server.runs import worker

    extend_grace()
    worker.runtime = worker.WorkerRuntime(chaos_catalog())
    on_ready()
    worker.run("--loglevel", "error")
