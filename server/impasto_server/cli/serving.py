"""The server process of `impasto serve`."""

import socket
from collections.abc import Callable
from typing import Any

import typer
import uvicorn
from fastapi import FastAPI

from impasto.garbage_collection import gc_paused
from impasto_server.cli.start import exit_with, explain_startup_errors
from impasto_server.email.transport import Transport
from impasto_server.file_modes import private_umask
from impasto_server.http.protocol import protocol_class
from impasto_server.http.startup_errors import StartupErrorMiddleware
from impasto_server.http.static import editor_folder
from impasto_server.settings import Settings

_GRACE_SECONDS = 10
# Longer than proxies and clients keep idle connections (60 s). If the server closed first, a request that is
# being sent at that moment would be lost.
_KEEP_ALIVE_SECONDS = 75


def serve(settings: Settings) -> None:
    """Serve until the process is stopped. Exits with a sentence if the server cannot start."""
    with private_umask(), _listen(settings) as listener:
        _serve(listener, settings.model_copy(update={"port": listener.getsockname()[1]}))


def _serve(listener: socket.socket, settings: Settings) -> None:
    with explain_startup_errors(settings), gc_paused():
        from impasto_server.app import create_app

        app = create_app(settings)
    guarded = StartupErrorMiddleware(app, settings)
    try:
        server = Server(make_config(guarded, settings), app, lambda: typer.echo(_welcome(settings)))
        server.run(sockets=[listener])
    except SystemExit as end:
        if guarded.reason is None:
            raise
        raise exit_with(f"Impasto cannot start: {guarded.reason}") from end


class Server(uvicorn.Server):
    """A uvicorn server that calls `on_started` once it is ready, and releases its runs when it is stopped."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._on_started = on_started

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Release the runs, close the event streams, which would never end by themselves, then shut down."""
        app_state = self._app.state.app_state
        # Before the wait for open requests: a process that is killed during it would look like a crash.
        await app_state.runs.stop()
        app_state.pubsub.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call `on_started`."""
        await super().startup(sockets)
        if self.started:
            self._on_started()


def _welcome(settings: Settings) -> str:
    from impasto_server.utils import utc_now

    lines = [
        f"Impasto is running at {settings.origin}",
        f"E-mail: {Transport(settings, utc_now).destination}",
        f"Data: {settings.data_dir.resolve()}",
    ]
    if editor_folder(settings) is None:
        lines.append(
            "The editor is not built, so only the API is available. Build it with `npm run build -w editor`."
        )
    return "\n".join(lines)


def make_config(app: Any, settings: Settings) -> uvicorn.Config:
    """Return the uvicorn configuration of `impasto serve`.

    Requests that are open when the server is stopped get 10 seconds.
    """
    return uvicorn.Config(
        app,
        http=protocol_class(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.forwarded_allow_ips,
        ws="none",
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
    )


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise exit_with(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}.") from error
    return listener
