"""Commands of `impasto admin` that give or take access: roles, betas, suspension, invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from impasto_server.cli.admin import runner
from impasto_server.cli.admin.runner import Login

if TYPE_CHECKING:
    from impasto_server.container import AppState
    from impasto_server.identity.models import Invitation

commands = typer.Typer()
Reason = Annotated[str, typer.Option(help="Kept in the audit log.")]


@commands.command("grant-beta")
def grant_beta(
    who: Login,
    what: Annotated[str, typer.Argument(help="Agent id or node type; * for all.")] = "*",
    revoke: Annotated[bool, typer.Option(help="Revoke the access.")] = False,
) -> None:
    """Give a user access to a private beta."""

    async def change(app_state: AppState) -> None:
        from impasto_server.admin import people

        user = await runner.find_user(app_state, who)
        others = [beta for beta in user.betas if beta != what]
        await people.set_betas(app_state, None, user.id, others if revoke else [*others, what])

    runner.run(change)
    typer.echo(f"{who} {'no longer has' if revoke else 'has'} access to {what}.")


@commands.command("grant")
def grant(who: Login) -> None:
    """Make a user an admin: the pages under /admin and their API open at once."""
    runner.run(lambda app_state: _set_role(app_state, who, is_admin=True))
    typer.echo(f"{who} is an admin.")


@commands.command("revoke")
def revoke(who: Login) -> None:
    """Take the admin role from a user. It counts from the user's next request on."""
    runner.run(lambda app_state: _set_role(app_state, who, is_admin=False))
    typer.echo(f"{who} is no longer an admin.")


@commands.command("suspend")
def suspend(who: Login, reason: Reason) -> None:
    """Suspend a user: sessions end, API keys are revoked, live runs are cancelled."""
    runner.run(lambda app_state: _set_suspended(app_state, who, reason, suspended=True))
    typer.echo(f"{who} is suspended.")


@commands.command("restore")
def restore(who: Login, reason: Reason) -> None:
    """End a suspension. The user signs in again and creates new API keys."""
    runner.run(lambda app_state: _set_suspended(app_state, who, reason, suspended=False))
    typer.echo(f"{who} can sign in again.")


@commands.command("invite")
def invite(email: str) -> None:
    """Invite an address to sign up, by an e-mail with a link that works once."""
    invitation = runner.run(lambda app_state: _invite(app_state, email))
    typer.echo(
        f"Invited {invitation.email}; the link works until {invitation.expires_at:%Y-%m-%d %H:%M} UTC."
    )


async def _set_role(app_state: AppState, who: str, *, is_admin: bool) -> None:
    from impasto_server.admin import people

    user = await runner.find_user(app_state, who)
    await people.set_role(app_state, user.id, is_admin=is_admin)


async def _set_suspended(app_state: AppState, who: str, reason: str, *, suspended: bool) -> None:
    """Suspend or restore a user. Raises `UserNotFound` or `SuspensionUnchanged`."""
    from impasto_server.admin import people
    from impasto_server.admin.schemas import ReasonBody

    user = await runner.find_user(app_state, who)
    change = people.suspend if suspended else people.restore
    await change(app_state, None, user.id, ReasonBody(reason=reason).reason)


async def _invite(app_state: AppState, email: str) -> Invitation:
    """Invite an address. Raises a Problem if it cannot be invited, or ValidationError if it is none."""
    from impasto_server.admin.schemas import InvitationCreate
    from impasto_server.identity.sign_up import invitations

    return await invitations.create(app_state, InvitationCreate(email=email).email, None)
