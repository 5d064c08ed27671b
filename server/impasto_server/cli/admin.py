"""`impasto admin`: commands for operators."""

import asyncio
import getpass
import secrets
import string
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TextIO, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from sqlalchemy.exc import IntegrityError

from impasto_server.admin import audit_log, people
from impasto_server.admin.audit_log import ExportFormat
from impasto_server.admin.schemas import InvitationCreate, ReasonBody
from impasto_server.audit import service as audit
from impasto_server.audit.origin import Origin, acting_from
from impasto_server.audit.schemas import Action, AuditFilter, Detail, Target
from impasto_server.cli.commands import explain_startup_errors, read_settings
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.file_modes import private_umask
from impasto_server.http.errors import Problem
from impasto_server.identity import password_reset
from impasto_server.identity import service as identity
from impasto_server.identity.errors import UserExists
from impasto_server.identity.models import Invitation
from impasto_server.identity.schemas import SignUp
from impasto_server.identity.sign_up import invitations
from impasto_server.limits.schemas import LimitOverrides, UserLimits
from impasto_server.security import crypto
from impasto_server.settings import Settings
from impasto_server.users import account_deletion
from impasto_server.users import service as users
from impasto_server.users.models import User

Result = TypeVar("Result")
STDOUT = Path("-")
commands = typer.Typer(no_args_is_help=True, help="Manage accounts, limits and keys.")
Login = Annotated[str, typer.Argument(help="Username or e-mail address.")]


class UserNotFound(Exception):
    """No user has this username or e-mail address."""

    def __init__(self, who: str) -> None:
        super().__init__(f"There is no user {who!r}.")


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
    new_password = password or generate_password()
    _run(lambda app_state: create_account(app_state, username, email, new_password, temporary=not definitive))
    typer.echo(
        f"{username} can sign in" + ("." if password else f" with the temporary password {new_password}")
    )


@commands.command("reset-password")
def reset_password(who: Login) -> None:
    """Set a temporary password and end the user's sessions."""
    new_password = generate_password()
    _run(lambda app_state: set_temporary_password(app_state, who, new_password))
    typer.echo(f"{who} can sign in with the temporary password {new_password}")


@commands.command("grant-beta")
def grant_beta(
    who: Login,
    what: Annotated[str, typer.Argument(help="Agent id or node type; * for all.")] = "*",
    revoke: Annotated[bool, typer.Option(help="Revoke the access.")] = False,
) -> None:
    """Give a user access to a private beta."""

    def change(user: User) -> dict[str, Detail]:
        others = [beta for beta in user.betas if beta != what]
        user.betas = others if revoke else [*others, what]
        return {"betas": ", ".join(user.betas)}

    _run(lambda app_state: edit_user(app_state, who, "user.set_betas", change))
    typer.echo(f"{who} {'no longer has' if revoke else 'has'} access to {what}.")


@commands.command("set-quota")
def set_quota(
    who: Login,
    limit: Annotated[int | None, typer.Argument(min=0, help="Runs per day; omit for the default.")] = None,
) -> None:
    """Set how many runs a user may start per day."""

    def change(user: User) -> dict[str, Detail]:
        user.daily_quota = limit
        return {"runs_per_day": limit}

    _run(lambda app_state: edit_user(app_state, who, "user.set_limits", change))
    typer.echo(f"{who} may start {'the default number of' if limit is None else limit} runs per day.")


@commands.command("set-limits")
def set_limits(
    who: Login,
    runs_per_day: Annotated[int | None, typer.Option(help="Runs that may be started per day (UTC).")] = None,
    usd_per_day: Annotated[str | None, typer.Option(help="US dollars per day on the server's keys.")] = None,
    usd_per_month: Annotated[str | None, typer.Option(help="US dollars per month on its keys.")] = None,
    stored_bytes: Annotated[int | None, typer.Option(help="Bytes of assets.")] = None,
    assets: Annotated[int | None, typer.Option(help="Number of assets.")] = None,
    agents: Annotated[int | None, typer.Option(help="Number of agents.")] = None,
    versions: Annotated[int | None, typer.Option(help="Published versions and saves of an agent.")] = None,
    concurrent_runs: Annotated[int | None, typer.Option(help="Runs executed at a time.")] = None,
    queued_runs: Annotated[int | None, typer.Option(help="Runs that may wait.")] = None,
    streams: Annotated[int | None, typer.Option(help="Event streams open at a server process.")] = None,
    uploads: Annotated[int | None, typer.Option(help="Uploads in progress.")] = None,
    exports: Annotated[int | None, typer.Option(help="Exports in progress.")] = None,
    reset: Annotated[bool, typer.Option("--reset", help="First return every limit to its default.")] = False,
) -> None:
    """Set the limits of one user, or show them if no limit is given."""
    given = {
        "runs_per_day": runs_per_day,
        "usd_per_day": usd_per_day,
        "usd_per_month": usd_per_month,
        "stored_bytes": stored_bytes,
        "assets": assets,
        "agents": agents,
        "versions": versions,
        "concurrent_runs": concurrent_runs,
        "queued_runs": queued_runs,
        "streams": streams,
        "uploads": uploads,
        "exports": exports,
    }
    changes: dict[str, int | str | None] = dict.fromkeys(given) if reset else {}
    changes |= {name: value for name, value in given.items() if value is not None}
    found = _run(lambda app_state: change_limits(app_state, who, changes))
    table = Table("Limit", "Value", "Default")
    for name, value in found.limits.model_dump().items():
        table.add_row(name, str(value), str(getattr(found.defaults, name)))
    Console().print(table)


@commands.command("grant")
def grant(who: Login) -> None:
    """Make a user an admin: the pages under /admin and their API open at once."""
    _run(lambda app_state: change_role(app_state, who, is_admin=True))
    typer.echo(f"{who} is an admin.")


@commands.command("revoke")
def revoke(who: Login) -> None:
    """Take the admin role from a user. It counts from the user's next request on."""
    _run(lambda app_state: change_role(app_state, who, is_admin=False))
    typer.echo(f"{who} is no longer an admin.")


@commands.command("suspend")
def suspend(who: Login, reason: Annotated[str, typer.Option(help="Kept in the audit log.")]) -> None:
    """Suspend a user: sessions end, API keys are revoked, live runs are cancelled."""
    _run(lambda app_state: change_suspension(app_state, who, reason, suspended=True))
    typer.echo(f"{who} is suspended.")


@commands.command("restore")
def restore(who: Login, reason: Annotated[str, typer.Option(help="Kept in the audit log.")]) -> None:
    """End a suspension. The user signs in again and creates new API keys."""
    _run(lambda app_state: change_suspension(app_state, who, reason, suspended=False))
    typer.echo(f"{who} can sign in again.")


@commands.command("invite")
def invite(email: str) -> None:
    """Invite an address to sign up, by an e-mail with a link that works once."""
    invitation = _run(lambda app_state: invite_address(app_state, email))
    typer.echo(
        f"Invited {invitation.email}; the link works until {invitation.expires_at:%Y-%m-%d %H:%M} UTC."
    )


@commands.command("audit")
def audit_(
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write; - prints.")] = STDOUT,
    form: Annotated[ExportFormat, typer.Option("--format", help="csv, or jsonl: JSON lines.")] = "csv",
    action: Annotated[str | None, typer.Option(help="An action or a group of them, such as api_key.")] = None,
    user: Annotated[str | None, typer.Option(help="Username or e-mail address.")] = None,
    since: Annotated[datetime | None, typer.Option(help="First time (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Time before which entries end (UTC).")] = None,
) -> None:
    """Export the audit log, newest entries first."""
    wanted = AuditFilter(action=action, since=_in_utc(since), until=_in_utc(until))
    with open_output(output) as file:
        count = _run(lambda app_state: write_audit_log(app_state, wanted, user, form, file))
    typer.echo(f"Exported {count} entries.", err=True)


@commands.command("delete-user")
def delete_user(
    who: Login, yes: Annotated[bool, typer.Option(help="Do not ask for confirmation.")] = False
) -> None:
    """Delete a user with their agents, runs and files."""
    if not yes:
        typer.confirm(f"Delete {who} with their agents, runs and files?", abort=True)
    _run(lambda app_state: remove_user(app_state, who))
    typer.echo(f"{who} was deleted.")


@commands.command("remove-second-factors")
def remove_second_factors(who: str) -> None:
    """Remove a user's authenticator app, passkeys and recovery codes, if they were lost."""

    async def remove(app_state: AppState) -> None:
        user = await find_user(app_state, who)
        await identity.remove_second_factors(app_state, user.id)

    _run(remove)
    typer.echo(f"{who} signs in with the password alone.")


@commands.command("list-users")
def list_users() -> None:
    """List all users."""
    table = Table("Username", "Email", "Created", "Status", "Role", "Quota", "Betas")
    for user in _run(_list_users):
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


@commands.command("rotate-keys")
def rotate_keys(
    encryption: Annotated[
        bool, typer.Option(help="Also create a new encryption key and re-encrypt stored secrets with it.")
    ] = False,
) -> None:
    """Create a new signing key, or all keys if there are none. A running server uses it at once."""
    settings = read_settings()
    created = crypto.create_missing_keys(settings)
    for path in created:
        typer.echo(f"Created {path}. Keep a backup in a safe place.")
    if settings.secrets / crypto.SIGNING_FILE not in created:
        kid = crypto.SigningKeyRing(settings.secrets / crypto.SIGNING_FILE).rotate()
        typer.echo(f"New tokens are signed with {kid}. Tokens signed with the previous key stay valid.")
        _run(lambda app_state: audit.record_now(app_state, "keys.rotate", details={"keys": "signing"}))
    if encryption and not created:
        _rotate_encryption(settings)


def _rotate_encryption(settings: Settings) -> None:
    try:
        crypto.rotate_encryption(settings)
    except crypto.SecretInvalid as refusal:
        typer.echo(f"{refusal}.", err=True)
        raise typer.Exit(1) from refusal
    count = _run(reencrypt_all)
    crypto.prune_encryption_keys(settings)
    typer.echo(
        f"Re-encrypted {count} stored provider keys. The previous key is kept until the next rotation."
    )


async def reencrypt_all(app_state: AppState) -> int:
    """Encrypt stored secrets with the newest encryption key; return how many provider keys there are."""
    await audit.record_now(app_state, "keys.rotate", details={"keys": "encryption"})
    count = await credentials.reencrypt_all(app_state)
    await identity.reencrypt_all(app_state)
    return count


def generate_password() -> str:
    """Return a random password that satisfies the password rules."""
    letters = string.ascii_letters + string.digits
    return "".join(["I", "p", "7", "-", *(secrets.choice(letters) for _ in range(12))])


async def create_account(
    app_state: AppState, username: str, email: str, password: str, *, temporary: bool
) -> User:
    """Create a confirmed account. Raises `UserExists`, or ValidationError for invalid values."""
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


async def set_temporary_password(app_state: AppState, who: str, password: str) -> None:
    """Set a temporary password. Raises `UserNotFound`."""
    user = await find_user(app_state, who)
    await identity.set_password(app_state, user.id, password, temporary=True)


async def find_user(app_state: AppState, who: str) -> User:
    """Return a user. Raises `UserNotFound`."""
    async with app_state.database.reading() as session:
        user = await users.find_by_login(session, who)
    if user is None:
        raise UserNotFound(who)
    return user


async def edit_user(
    app_state: AppState, who: str, action: Action, change: Callable[[User], dict[str, Detail]]
) -> None:
    """Apply `change` to a user and record it as `action`, with the details that `change` returns.

    Raises `UserNotFound`.
    """
    async with app_state.database.writing() as session:
        user = await users.find_by_login(session, who)
        if user is None:
            raise UserNotFound(who)
        details = change(user)
        await audit.record(app_state, session, action, target=Target("user", user.id), details=details)


async def change_limits(app_state: AppState, who: str, changes: Mapping[str, int | str | None]) -> UserLimits:
    """Change limits of a user by name; None is the default. Raises `UserNotFound`, or ValidationError."""
    overrides = LimitOverrides.model_validate(changes)
    user = await find_user(app_state, who)
    if not changes:
        return await app_state.limits.get(user.id)
    async with app_state.database.writing() as session:
        found = await app_state.limits.set_in(session, user.id, overrides)
        details = {name: value if value is None else str(value) for name, value in changes.items()}
        target = Target("user", user.id)
        await audit.record(app_state, session, "user.set_limits", target=target, details=details)
    return found


async def change_role(app_state: AppState, who: str, *, is_admin: bool) -> None:
    """Grant or revoke the admin role. Raises `UserNotFound`."""
    user = await find_user(app_state, who)
    await people.set_role(app_state, user.id, is_admin=is_admin)


async def change_suspension(app_state: AppState, who: str, reason: str, *, suspended: bool) -> None:
    """Suspend or restore a user. Raises `UserNotFound` or `SuspensionUnchanged`."""
    user = await find_user(app_state, who)
    change = people.suspend if suspended else people.restore
    await change(app_state, None, user.id, ReasonBody(reason=reason).reason)


async def invite_address(app_state: AppState, email: str) -> Invitation:
    """Invite an address. Raises a Problem if it cannot be invited, or ValidationError if it is none."""
    return await invitations.create(app_state, InvitationCreate(email=email).email, None)


async def write_audit_log(
    app_state: AppState, wanted: AuditFilter, who: str | None, form: ExportFormat, file: TextIO
) -> int:
    """Write the entries that match to a file; return how many. Raises `UserNotFound`."""
    if who is not None:
        user = await find_user(app_state, who)
        wanted = replace(wanted, user_id=user.id)
    count = -1 if form == "csv" else 0  # the header
    async for line in audit_log.export(app_state, wanted, form):
        file.write(line)
        count += 1
    await audit.record_now(app_state, "audit.export", details={"format": form, "entries": count})
    return count


@contextmanager
def open_output(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that only its owner can read, or the standard output for `-`."""
    if path == STDOUT:
        yield sys.stdout
        return
    try:
        with private_umask(), path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        typer.echo(f"{path}: {error.strerror}.", err=True)
        raise typer.Exit(1) from error


def _in_utc(moment: datetime | None) -> datetime | None:
    return moment and (moment if moment.tzinfo else moment.replace(tzinfo=UTC))


async def remove_user(app_state: AppState, who: str) -> None:
    """Delete a user with their agents, runs and files. Raises `UserNotFound`."""
    user = await find_user(app_state, who)
    await account_deletion.erase(app_state, user.id)


async def _list_users(app_state: AppState) -> list[User]:
    async with app_state.database.reading() as session:
        return list(await users.list_all(session))


def _run(work: Callable[[AppState], Awaitable[Result]]) -> Result:
    from impasto_server.app import open_app_state

    settings = read_settings()

    async def run_with_state() -> Result:
        async with open_app_state(settings) as app_state:
            return await work(app_state)

    origin = Origin("operator", None, f"impasto admin, run by {getpass.getuser()}")
    with private_umask(), explain_startup_errors(settings), acting_from(origin):
        try:
            return asyncio.run(run_with_state())
        except ValidationError as error:
            typer.echo("\n".join(item["msg"] for item in error.errors()), err=True)
            raise typer.Exit(1) from error
        except (UserNotFound, Problem) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error
