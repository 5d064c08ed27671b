"""`impasto serve`, `impasto settings` and `impasto openapi`.

Commands import what they do when they are called: `impasto --help` imports every module of commands.
"""

from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table

from impasto_server.cli.start import read_settings


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 for any free port.")] = None,
) -> None:
    """Start the server: editor, API and runs in one process."""
    overrides = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = read_settings(**overrides)
    from impasto_server.cli import serving

    serving.serve(settings)


def show_settings() -> None:
    """List every setting of the server, the installed providers and libraries: value, source, meaning."""
    from impasto_server.cli.variables import all_variables
    from impasto_server.security.masking import mask_url
    from impasto_server.settings import Settings

    settings = read_settings()
    configuration = settings.configuration
    table = Table(
        "Variable", "Value", "From", "Meaning", title="Settings (environment variables, or lines of .env)"
    )
    for name, field in Settings.model_fields.items():
        variable = f"IMPASTO_{name.upper()}"
        value, source = _display(getattr(settings, name)), configuration.source_of(variable)
        table.add_row(variable, value, source or "default", field.description or "")
    for one in all_variables():
        value = configuration.text(one.name)
        shown = "(set)" if value and one.is_secret else mask_url(value or one.default)
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


def _display(value: object) -> str:
    from pydantic import SecretStr

    from impasto_server.security.masking import mask_url

    if isinstance(value, SecretStr):
        return "(set)"
    if isinstance(value, tuple):
        return ", ".join(map(_display, value))
    return "" if value is None else mask_url(str(value))
