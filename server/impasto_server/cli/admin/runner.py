"""Shared by the commands of `impasto admin`: opening the application state, and finding the user."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from impasto.garbage_collection import gc_paused
from impasto_server.cli.start import explain_startup_errors, read_settings
from impasto_server.file_modes import private_umask

if TYPE_CHECKING:
    from impasto_server.container import AppState
    from impasto_server.users.models import User

Result = TypeVar("Result")
Login = Annotated[str, typer.Argument(help="Username or e-mail address.")]


class UserNotFound(Exception):
    """No user has this username or e-mail address."""

    def __init__(self, who: str) -> None:
        super().__init__(f"There is no user {who!r}.")


def run(work: Callable[[AppState], Awaitable[Result]]) -> Result:
    """Return the result of `work` on the application state, acting as the operator.

    Exits with a sentence on stderr if the server cannot start, a value is invalid, the user is unknown or
    `work` raises a `Problem`.
    """
    with gc_paused():
        from pydantic import ValidationError

        from impasto_server.app import open_app_state
        from impasto_server.http.errors import Problem

    settings = read_settings()

    async def run_with_state() -> Result:
        async with open_app_state(settings) as app_state:
            return await work(app_state)

    with private_umask(), explain_startup_errors(settings), acting_as_operator():
        try:
            return asyncio.run(run_with_state())
        except ValidationError as error:
            sentences = (": ".join(map(str, (*item["loc"], item["msg"]))) for item in error.errors())
            typer.echo("\n".join(sentences), err=True)
            raise typer.Exit(1) from error
        except (UserNotFound, Problem) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error


def acting_as_operator() -> AbstractContextManager[None]:
    """Return a block in which actions are recorded as those of the operator at the command line."""
    import getpass

    from impasto_server.audit.origin import Origin, acting_from

    return acting_from(Origin("operator", None, f"impasto admin, run by {getpass.getuser()}"))


async def find_user(app_state: AppState, who: str) -> User:
    """Return a user. Raises `UserNotFound`."""
    from impasto_server.users import service as users

    async with app_state.database.reading() as session:
        user = await users.find_by_login(session, who)
    if user is None:
        raise UserNotFound(who)
    return user


def in_utc(moment: datetime | None) -> datetime | None:
    """Return the time of an option, which has no time zone, as one of UTC."""
    return moment and moment.replace(tzinfo=UTC)
