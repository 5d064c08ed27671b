"""The fakes on a free port, in a thread of their own."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from tests.fakes.app import create_app
from tests.fakes.state import State


@contextmanager
def served(state: State) -> Iterator[State]:
    """Serve until the block ends; `state.url` is where."""
    config = uvicorn.Config(
        create_app(state), log_level="critical", ws="none", lifespan="off", access_log=False
    )
    with in_thread(config) as state.url:
        yield state


@contextmanager
def in_thread(config: uvicorn.Config, port: int = 0) -> Iterator[str]:
    """Serve an application on a port, or a free one, until the block ends; yields its address."""
    with socket.socket() as listener:
        if port:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        server = uvicorn.Server(config)
        started = threading.Event()
        thread = threading.Thread(target=_run, args=(server, listener, started), daemon=True)
        thread.start()
        started.wait(10)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = server.force_exit = True
        thread.join(10)


def _run(server: uvicorn.Server, listener: socket.socket, started: threading.Event) -> None:
    listener.listen(128)
    started.set()  # connections queue from now on, whenever uvicorn takes them
    server.run(sockets=[listener])
