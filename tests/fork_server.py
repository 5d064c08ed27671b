"""Processes that are forked from one that has imported what they need: importing takes most of a start."""

import multiprocessing
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext


def forking_context(*modules: str) -> ForkServerContext:
    """Return the context of processes that are forked from one that has imported the modules.

    Python has one fork server, so it is started again when other modules are needed than those before, which
    waits until all of its processes have ended. Ask for the context right before each process.
    """
    server = forkserver._forkserver  # type: ignore[attr-defined]
    if server._preload_modules != list(modules):
        server._stop()
        server.set_forkserver_preload(list(modules))
    return multiprocessing.get_context("forkserver")
