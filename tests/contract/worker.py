"""A Celery worker with the sample nodes and those that buy, configured by environment variables."""

from collections.abc import Callable

from celery.signals import worker_ready
from tests.chaos.paid_nodes import chaos_catalog
from tests.server.barriers import extend_grace
from tests.server.forked_compilers import fork_compilers


def work(on_ready: Callable[[], None]) -> None:
    """Execute runs. It is ready when it also receives messages, which may be after its first runs."""
    # The module of the worker reads the settings.
    from impasto_server.runs import worker

    extend_grace()
    fork_compilers()
    worker.runtime = worker.WorkerRuntime(chaos_catalog())
    worker_ready.connect(lambda **_: on_ready(), weak=False)
    worker.run("--loglevel", "error")
