"""`impasto admin create-keys`, `rotate-keys` and `rotate-content-key`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from impasto_server.cli.admin import runner
from impasto_server.cli.start import read_settings

if TYPE_CHECKING:
    from impasto_server.container import AppState
    from impasto_server.settings import Settings

commands = typer.Typer()


@commands.command("create-keys")
def create_keys() -> None:
    """Create the key files that are missing; existing ones stay as they are."""
    if not _create_missing(read_settings()):
        typer.echo("No key file is missing.")


@commands.command("rotate-keys")
def rotate_keys(
    encryption: Annotated[
        bool, typer.Option(help="Also create a new encryption key and re-encrypt stored secrets with it.")
    ] = False,
) -> None:
    """Create a new signing key, or all keys if there are none. A running server uses it at once."""
    from impasto_server.security import crypto

    settings = read_settings()
    created = _create_missing(settings)
    if settings.secrets / crypto.SIGNING_FILE not in created:
        kid = crypto.SigningKeyRing(settings.secrets / crypto.SIGNING_FILE).rotate()
        typer.echo(f"New tokens are signed with {kid}. Tokens signed with the previous key stay valid.")
        runner.run(lambda app_state: _record_rotation(app_state, "signing"))
    if encryption and not created:
        _rotate_encryption(settings)


@commands.command("rotate-content-key")
def rotate_content_key(
    authority: Annotated[bool, typer.Option(help="Also create a new authority.")] = False,
) -> None:
    """Sign generated files with a new key. A running server uses it at once; signed files stay trusted."""
    from impasto_server.content_credentials import authority as content_authority
    from impasto_server.security import crypto

    settings = read_settings()
    try:
        serial = content_authority.rotate(settings, new_authority=authority)
    except crypto.SecretInvalid as refusal:
        typer.echo(f"{refusal}.", err=True)
        raise typer.Exit(1) from refusal
    typer.echo(f"New files are signed with the certificate {serial}. Files signed before stay trusted here.")
    runner.run(lambda app_state: _record_rotation(app_state, "content"))


async def _record_rotation(app_state: AppState, keys: str) -> None:
    from impasto_server.audit import service as audit

    await audit.record_now(app_state, "keys.rotate", details={"keys": keys})


def _create_missing(settings: Settings) -> list[Path]:
    from impasto_server.security import crypto

    created = crypto.create_missing_keys(settings)
    for path in created:
        typer.echo(f"Created {path}. Keep a backup in a safe place.")
    return created


def _rotate_encryption(settings: Settings) -> None:
    from impasto_server.security import crypto

    try:
        crypto.rotate_encryption(settings)
    except crypto.SecretInvalid as refusal:
        typer.echo(f"{refusal}.", err=True)
        raise typer.Exit(1) from refusal
    count = runner.run(_reencrypt_all)
    crypto.prune_encryption_keys(settings)
    typer.echo(
        f"Re-encrypted {count} stored provider keys. The previous key is kept until the next rotation."
    )


async def _reencrypt_all(app_state: AppState) -> int:
    """Encrypt stored secrets with the newest encryption key; return how many provider keys there are."""
    from impasto_server.credentials import service as credentials
    from impasto_server.identity import service as identity

    await _record_rotation(app_state, "encryption")
    count = await credentials.reencrypt_all(app_state)
    await identity.reencrypt_all(app_state)
    return count
