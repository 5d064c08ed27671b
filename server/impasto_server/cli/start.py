"""What the commands share that read the settings and open the installation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from impasto_server.settings import Settings


@contextmanager
def explain_startup_errors(settings: Settings) -> Iterator[None]:
    """Exit with a sentence if the block raises an error that `explain` knows."""
    from impasto_server.http.startup_errors import explain

    try:
        yield
    except typer.Exit:
        raise
    except Exception as error:
        reason = explain(error, settings)
        if reason is None:
            raise
        raise exit_with(f"Impasto cannot start: {reason}") from error


def read_settings(**given: Any) -> Settings:
    """Read the settings, or exit with a sentence for each invalid one."""
    from pydantic import ValidationError

    from impasto_server.settings import Settings

    try:
        return Settings(**given)
    except ValidationError as error:
        raise exit_with("\n".join(["Invalid settings:", *map(_describe_error, error.errors())])) from error


def _describe_error(item: Any) -> str:
    name = f"IMPASTO_{item['loc'][0]}".upper() + ": " if item["loc"] else ""
    return f"{name}{item['msg']}"


def exit_with(sentence: str) -> typer.Exit:
    """Print a sentence on stderr, and return the exception that ends the command with status 1."""
    typer.echo(sentence, err=True)
    return typer.Exit(1)
