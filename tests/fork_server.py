"""Processes that are forked from one that has imported what they need: importing takes most of a start."""

import multiprocessing
import os
import select
import signal
import socket
import sys
import threading
import warnings
from importlib import import_module
from multiprocessing import connection, forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import NoReturn

_Modules = tuple[str, ...]
_wanted: list[_Modules] = []
_running: dict[_Modules, tuple[str, int, int]] = {}


def will_fork(*modules: str) -> _Modules:
    """Announce that this module's tests call `forking_context` with these modules, and return them."""
    if modules not in _wanted:
        _wanted.append(modules)
    return modules


def fork_servers(*, again: bool = False) -> None:
    """Fork the announced servers from this process, which has imported what the tests need, on Linux.

    This process should have no threads that hold locks: call this once the tests are collected, and again in
    a fork of this process whose code has changed since.
    """
    if sys.platform != "linux":
        return
    if again:
        _running.clear()
    for modules in _wanted:
        if modules not in _running:
            _running[modules] = _fork_server(modules)


def forking_context(*modules: str) -> ForkServerContext:
    """Return the context of processes that are forked from one that has imported the modules.

    Python has one fork server. One that `fork_servers` has not forked is started again when other modules are
    needed than those before, which waits until all of its processes have ended. Ask for the context right
    before each process.
    """
    server = forkserver._forkserver  # type: ignore[attr-defined]
    if modules in _running:
        server._forkserver_address, server._forkserver_alive_fd, server._forkserver_pid = _running[modules]
    elif server._preload_modules != list(modules):
        server._stop()
        server.set_forkserver_preload(list(modules))
    return multiprocessing.get_context("forkserver")


def _fork_server(modules: _Modules) -> tuple[str, int, int]:
    """Fork a process that imports the modules when the first process is asked for, and then forks that."""
    with socket.socket(socket.AF_UNIX) as listener:
        address = connection.arbitrary_address("AF_UNIX")  # type: ignore[attr-defined]
        listener.bind(address)
        listener.listen()
        waiting, alive = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python 3.12: this process may have threads
            pid = os.fork()
        if pid == 0:
            _serve(listener.detach(), waiting, modules)
        os.close(waiting)
    return address, alive, pid


def _serve(listener: int, waiting: int, modules: _Modules) -> NoReturn:
    try:
        # The settings of pytest for its tests are not those of the processes.
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        sys.unraisablehook, threading.excepthook = sys.__unraisablehook__, threading.__excepthook__
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _close_inherited_files(keep={listener, waiting})
        if listener in select.select([listener, waiting], [], [])[0]:
            for module in modules:
                import_module(module)
            forkserver.main(listener, waiting, [])
    finally:
        os._exit(0)


def _close_inherited_files(keep: set[int]) -> None:
    """Point the files of the parent process at /dev/null.

    While this process holds the end of a pipe, the reader does not see that the parent has ended.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for file in list(Path("/proc/self/fd").iterdir()):
        number = int(file.name)
        if number not in {0, nothing, *keep}:
            # A number that is closed goes to the next file, which an object of the parent might close.
            os.dup2(nothing, number, inheritable=number <= 2)
