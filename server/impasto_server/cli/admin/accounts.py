"""Commands of `impasto admin` that create, change, list and delete accounts."""

from __future__ import annotations

import secrets
import string
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from impasto_server.cli.admin import runner
from impasto_server.cli.admin.runner import Login

if TYPE_CHECKING:
    from impasto_server.container import AppState
    from impasto_server.users.models import User

commands = typer.Typer()


@commands.command("create-user")
def create_user(
    username: str,
    email: str,
    password: Annotated[str | None, typer.Option(help="Generated and shown if omitted.")] = None,
    definitive: Annotated[
        bool, typer.Option(help="Do not require a new password at the first sign-in.")
    ] = False,
) -> None:
    """Create a confirmed account with a temporary password."""
    new_password = password or _generate_password()
    runner.run(
        lambda app_state: create_account(app_state, username, email, new_password, temporary=not definitive)
    )
    typer.echo(
        f"{username} can sign in" + ("." if password else f" with the temporary password {new_password}")
    )


@commands.command("reset-password")
def reset_password(who: Login) -> None:
    """Set a temporary password and end the user's sessions."""
    new_password = _generate_password()

    async def reset(app_state: AppState) -> None:
        from impasto_server.identity import service as identity

        user = await runner.find_user(app_state, who)
        await identity.set_password(app_state, user.id, new_password, temporary=True)

    runner.run(reset)
    typer.echo(f"{who} can sign in with the temporary password {new_password}")


@commands.command("remove-second-factors")
def remove_second_factors(who: Login) -> None:
    """Remove a user's authenticator app, passkeys and recovery codes, if they were lost."""

    async def remove(app_state: AppState) -> None:
        from impasto_server.identity import service as identity

        user = await runner.find_user(app_state, who)
        await identity.remove_second_factors(app_state, user.id)

    runner.run(remove)
    typer.echo(f"{who} signs in with the password alone.")


@commands.command("delete-user")
def delete_user(
    who: Login, yes: Annotated[bool, typer.Option(help="Do not ask for confirmation.")] = False
) -> None:
    """Delete a user with their agents, runs and files."""
    if not yes:
        typer.confirm(f"Delete {who} with their agents, runs and files?", abort=True)

    async def delete(app_state: AppState) -> None:
        from impasto_server.users import account_deletion

        user = await runner.find_user(app_state, who)
        await account_deletion.erase(app_state, user.id)

    runner.run(delete)
    typer.echo(f"{who} was deleted.")


@commands.command("list-users")
def list_users() -> None:
    """List all users."""
    from impasto_server.users import service as users

    table = Table("Username", "Email", "Created", "Status", "Role", "Quota", "Betas")
    for user in runner.run(_all_users):
        table.add_row(
            user.username,
            user.email or "",
            f"{user.created_at:%Y-%m-%d}",
            users.status_of(user),
            "admin" if user.is_admin else "",
            "" if user.daily_quota is None else str(user.daily_quota),
            ", ".join(user.betas),
        )
    Console().print(table)


async def create_account(
    app_state: AppState, username: str, email: str, password: str, *, temporary: bool
) -> User:
    """Create a confirmed account. Raises `UserExists`, or ValidationError for invalid values."""
    from sqlalchemy.exc import IntegrityError

    from impasto_server.audit import service as audit
    from impasto_server.audit.schemas import Target
    from impasto_server.identity import password_reset
    from impasto_server.identity.errors import UserExists
    from impasto_server.identity.schemas import SignUp
    from impasto_server.users import service as users

    wanted = SignUp(username=username, email=email, password=password)
    hashed = await app_state.password_hasher.hash(wanted.password)
    try:
        async with app_state.database.writing() as session:
            user = await users.create(session, wanted.username, wanted.email, app_state.clock())
            user.confirmed_at = app_state.clock()
            await password_reset.set_password(app_state, session, user.id, hashed, temporary=temporary)
            await audit.record(app_state, session, "account.create", target=Target("user", user.id))
    except IntegrityError as error:
        raise UserExists from error
    return user


async def _all_users(app_state: AppState) -> list[User]:
    from impasto_server.users import service as users

    async with app_state.database.reading() as session:
        return list(await users.list_all(session))


def _generate_password() -> str:
    """Return a random password that satisfies the password rules."""
    letters = string.ascii_letters + string.digits
    return "".join(["I", "p", "7", "-", *(secrets.choice(letters) for _ in range(12))])
