"""`impasto serve`, `impasto settings` and `impasto openapi`."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr, ValidationError
from rich.console import Console
from rich.table import Table

from impasto.garbage_collection import gc_paused
from impasto_server.email.transport import Transport
from impasto_server.file_modes import private_umask
from impasto_server.http.protocol import protocol_class
from impasto_server.http.startup_errors import StartupErrorMiddleware, explain
from impasto_server.http.static import editor_folder
from impasto_server.settings import Settings, provider_variables

_GRACE_SECONDS = 10
# Longer than proxies and clients keep idle connections (60 s). If the server closed first, a request that is
# being sent at that moment would be lost.
_KEEP_ALIVE_SECONDS = 75


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 for any free port.")] = None,
) -> None:
    """Start the server: editor, API and runs in one process."""
    overrides = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = read_settings(**overrides)
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
        raise _exit(f"Impasto cannot start: {guarded.reason}") from end


@contextmanager
def explain_startup_errors(settings: Settings) -> Iterator[None]:
    """Exit with a sentence if the block raises an error that `explain` knows."""
    try:
        yield
    except typer.Exit:
        raise
    except Exception as error:
        reason = explain(error, settings)
        if reason is None:
            raise
        raise _exit(f"Impasto cannot start: {reason}") from error


def show_settings() -> None:
    """List every setting of the server and of the installed providers: its value, its source, its meaning."""
    settings = read_settings()
    configuration = settings.configuration
    table = Table(
        "Variable", "Value", "From", "Meaning", title="Settings (environment variables, or lines of .env)"
    )
    for name, field in Settings.model_fields.items():
        variable = f"IMPASTO_{name.upper()}"
        value, source = _display(getattr(settings, name)), configuration.source_of(variable)
        table.add_row(variable, value, source or "default", field.description or "")
    for one in provider_variables():
        value = configuration.text(one.name)
        shown = "(set)" if value and one.is_secret else value or one.default
        table.add_row(one.name, shown, configuration.source_of(one.name) or "default", one.help)
    Console(width=None if Console().is_terminal else 200).print(table)


def openapi(
    out: Annotated[Path | None, typer.Option(help="Output file; standard output by default.")] = None,
) -> None:
    """Print the OpenAPI document of the server."""
    from impasto_server.app import build_schema

    document = orjson.dumps(build_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"
    if out:
        out.write_bytes(document)
    else:
        typer.echo(document, nl=False)


def read_settings(**given: Any) -> Settings:
    """Read the settings, or exit with a sentence for each invalid one."""
    try:
        return Settings(**given)
    except ValidationError as error:
        raise _exit("\n".join(["Invalid settings:", *map(_describe_error, error.errors())])) from error


def _describe_error(item: Any) -> str:
    name = f"IMPASTO_{item['loc'][0]}".upper() + ": " if item["loc"] else ""
    return f"{name}{item['msg']}"


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
        raise _exit(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}.") from error
    return listener


def _display(value: object) -> str:
    if isinstance(value, SecretStr):
        return "(set)"
    return "" if value in (None, "") else str(value)


def _exit(sentence: str) -> typer.Exit:
    typer.echo(sentence, err=True)
    return typer.Exit(1)
