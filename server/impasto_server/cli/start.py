"""Shared by commands: reading the settings and opening the installation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from impasto_server.settings import Settings

_PREFIX = "IMPASTO_"
_SIMILARITY = 0.85  # of a name with one letter too many, too few or changed


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
        settings = Settings(**given)
    except ValidationError as error:
        raise exit_with("\n".join(["Invalid settings:", *map(_describe_error, error.errors())])) from error
    for name, meant in _misspelt(settings):
        typer.echo(f"{name} is not a setting and has no effect. Did you mean {meant}?", err=True)
    return settings


def _misspelt(settings: Settings) -> list[tuple[str, str]]:
    """List the variables that differ from a setting by a few letters, with that setting.

    Others may belong to deployment files or plugins.
    """
    known = [name.upper() for name in type(settings).model_fields]
    given = [name.removeprefix(_PREFIX) for name in settings.configuration if name.startswith(_PREFIX)]
    near = {name: get_close_matches(name, known, 1, _SIMILARITY) for name in sorted({*given} - {*known})}
    found = [(_PREFIX + name, _PREFIX + matches[0]) for name, matches in near.items() if matches]
    if not found:
        return []
    from impasto.sdk.providers import installed_providers

    of_providers = {variable.name for variable in installed_providers().variables}
    return [(name, meant) for name, meant in found if name not in of_providers]


def _describe_error(item: Any) -> str:
    from impasto_server.security.masking import mask_url

    name = f"IMPASTO_{item['loc'][0]}".upper() + ": " if item["loc"] else ""
    return f"{name}{mask_url(item['msg'])}"


def exit_with(sentence: str) -> typer.Exit:
    """Print a sentence on stderr, and return the exception that ends the command with status 1."""
    typer.echo(sentence, err=True)
    return typer.Exit(1)
