"""`impasto admin`: commands for operators."""

import typer

from impasto_server.cli.admin import access, accounts, audit_log, keys, limits, runs

commands = typer.Typer(no_args_is_help=True, help="Manage accounts, limits, runs and keys.")
for group in (accounts, access, limits, runs, audit_log, keys):
    commands.add_typer(group.commands)
