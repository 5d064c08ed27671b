"""The fakes on a free port, in a thread of their own, and a server that redirects elsewhere."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

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


@asynccontextmanager
async def redirecting(base: str, status: int = 302) -> AsyncIterator[tuple[str, list[str]]]:
    """Redirect every request to its path below `base` until the block ends.

    Yields the address of the server, and the paths that it is asked for.
    """
    asked: list[str] = []

    async def redirect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).decode().split()[1]
        asked.append(path)
        head = f"HTTP/1.1 {status} Moved\r\nLocation: {base}{path}\r\nContent-Length: 0\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(redirect, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked
