"""The server process of `impasto serve`."""

import socket
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
        _Server(make_config(guarded, settings), app, settings).run(sockets=[listener])
    except SystemExit as end:
        if guarded.reason is None:
            raise
        raise exit_with(f"Impasto cannot start: {guarded.reason}") from end


class _Server(uvicorn.Server):
    """A uvicorn server that prints where to open the product once it is ready."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, settings: Settings) -> None:
        super().__init__(config)
        self._app = app
        self._settings = settings

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Release the runs, close the event streams, which would never end by themselves, then shut down."""
        app_state = self._app.state.app_state
        # Before the wait for open requests: a process that is killed during it would look like a crash.
        await app_state.runs.stop()
        app_state.pubsub.close()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then print the welcome message."""
        await super().startup(sockets)
        if self.started:
            typer.echo(_welcome(self._settings))


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
    """Return the uvicorn configuration of `impasto serve`."""
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
        raise exit_with(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}.") from error
    return listener
