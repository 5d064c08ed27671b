"""The operator's commands: `impasto admin …`."""

import asyncio
import secrets
import string
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import IntegrityError

from impasto_server.cli.commands import read_settings, starts
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.identity import service as identity
from impasto_server.identity.errors import UserExists
from impasto_server.identity.schemas import SignUp
from impasto_server.security import crypto
from impasto_server.settings import Settings
from impasto_server.users import account_deletion
from impasto_server.users import service as users
from impasto_server.users.models import User

Result = TypeVar("Result")
commands = typer.Typer(no_args_is_help=True, help="Accounts, quotas and keys, for whoever runs the server.")
Who = Annotated[str, typer.Argument(help="Username or email address.")]


class NoSuchUser(Exception):
    """The operator named nobody."""

    def __init__(self, who: str) -> None:
        super().__init__(f"There is no user {who!r}.")


@commands.command("create-user")
def create_user(
    username: str,
    email: str,
    password: Annotated[str | None, typer.Option(help="By default one is made up and shown.")] = None,
    definitive: Annotated[bool, typer.Option(help="Do not ask for a new one at the first sign-in.")] = False,
) -> None:
    """Make a confirmed account with a temporary password."""
    chosen = password or make_password()
    _run(lambda app_state: make_user(app_state, username, email, chosen, temporary=not definitive))
    typer.echo(f"{username} can sign in" + ("." if password else f" with the temporary password {chosen}"))


@commands.command("reset-password")
def reset_password(who: Who) -> None:
    """Give somebody a temporary password and end their sessions."""
    chosen = make_password()
    _run(lambda app_state: give_password(app_state, who, chosen))
    typer.echo(f"{who} can sign in with the temporary password {chosen}")


@commands.command("grant-beta")
def grant_beta(
    who: Who,
    what: Annotated[str, typer.Argument(help="Agent id or node type; * is everything.")] = "*",
    revoke: Annotated[bool, typer.Option(help="Take it away instead.")] = False,
) -> None:
    """Open a private beta to somebody."""

    def change(user: User) -> None:
        others = [beta for beta in user.betas if beta != what]
        user.betas = others if revoke else [*others, what]

    _run(lambda app_state: edit_user(app_state, who, change))
    typer.echo(f"{what} is {'closed' if revoke else 'open'} to {who}.")


@commands.command("set-quota")
def set_quota(
    who: Who, limit: Annotated[int | None, typer.Argument(min=0, help="None: everybody's.")] = None
) -> None:
    """Set how many runs somebody may start each day."""

    def change(user: User) -> None:
        user.daily_quota = limit

    _run(lambda app_state: edit_user(app_state, who, change))
    typer.echo(f"{who} may start {'as many as everybody' if limit is None else limit} a day.")


@commands.command("delete-user")
def delete_user(who: Who, yes: Annotated[bool, typer.Option(help="Do not ask.")] = False) -> None:
    """Delete somebody and everything that is theirs."""
    if not yes:
        typer.confirm(f"Delete {who}, their agents, runs and files?", abort=True)
    _run(lambda app_state: remove_user(app_state, who))
    typer.echo(f"{who} is gone.")


@commands.command("list-users")
def list_users() -> None:
    """List everybody."""
    table = Table("Username", "Email", "Since", "Confirmed", "Quota", "Betas")
    for user in _run(_everybody):
        table.add_row(
            user.username,
            user.email or "",
            f"{user.created_at:%Y-%m-%d}",
            "yes" if user.confirmed_at else "no",
            "" if user.daily_quota is None else str(user.daily_quota),
            ", ".join(user.betas),
        )
    Console().print(table)


@commands.command("rotate-keys")
def rotate_keys(
    encryption: Annotated[
        bool, typer.Option(help="Also begin a new encryption key, and seal what is stored with it.")
    ] = False,
) -> None:
    """Begin a new signing key, or make all keys when there are none. A running server follows at once."""
    settings = read_settings()
    made = crypto.create_missing_keys(settings)
    for path in made:
        typer.echo(f"{path} was made; keep a copy in a safe place.")
    if settings.secrets / crypto.SIGNING_FILE not in made:
        kid = crypto.SigningKeyRing(settings.secrets / crypto.SIGNING_FILE).rotate()
        typer.echo(f"Tokens are signed with {kid} from now on; those of the key before stay good.")
    if encryption and not made:
        _rotate_encryption(settings)


def _rotate_encryption(settings: Settings) -> None:
    try:
        crypto.rotate_encryption(settings)
    except crypto.SecretInvalid as refusal:
        typer.echo(f"{refusal}.", err=True)
        raise typer.Exit(1) from refusal
    count = _run(credentials.seal_again)
    crypto.prune_encryption_keys(settings)
    typer.echo(
        f"Stored provider keys were sealed with a new key: {count}. The key before stays good till next time."
    )


def make_password() -> str:
    """Make up a password that meets the rules."""
    letters = string.ascii_letters + string.digits
    return "".join(["I", "p", "7", "-", *(secrets.choice(letters) for _ in range(12))])


async def make_user(
    app_state: AppState, username: str, email: str, password: str, *, temporary: bool
) -> User:
    """Make a confirmed account. Raises `UserExists`, or ValueError with what is wrong with the values."""
    wanted = SignUp(username=username, email=email, password=password)
    try:
        async with app_state.database.writing() as session:
            user = await users.create(session, wanted.username, wanted.email, app_state.clock())
            user.confirmed_at = app_state.clock()
    except IntegrityError as error:
        raise UserExists from error
    await identity.give_password(app_state, user.id, password, temporary=temporary)
    return user


async def give_password(app_state: AppState, who: str, password: str) -> None:
    """Give somebody a temporary password. Raises `NoSuchUser`."""
    user = await edit_user(app_state, who, lambda _user: None)
    await identity.give_password(app_state, user.id, password, temporary=True)


async def edit_user(app_state: AppState, who: str, change: Callable[[User], None]) -> User:
    """Change somebody. Raises `NoSuchUser`."""
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, who)
        if user is None:
            raise NoSuchUser(who)
        change(user)
    return user


async def remove_user(app_state: AppState, who: str) -> None:
    """Delete somebody and everything that is theirs. Raises `NoSuchUser`."""
    user = await edit_user(app_state, who, lambda _user: None)
    await account_deletion.erase(app_state, user.id)


async def _everybody(app_state: AppState) -> list[User]:
    async with app_state.database.reading() as session:
        return list(await users.everybody(session))


def _run(work: Callable[[AppState], Awaitable[Result]]) -> Result:
    from impasto_server.app import open_app_state

    settings = read_settings()

    async def whole() -> Result:
        async with open_app_state(settings) as app_state:
            return await work(app_state)

    with starts(settings):
        try:
            return asyncio.run(whole())
        except ValidationError as error:
            typer.echo("\n".join(item["msg"] for item in error.errors()), err=True)
            raise typer.Exit(1) from error
        except (NoSuchUser, UserExists) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error
