"""`python -m impasto_server`: the server's commands without those of the engine."""

import typer

from impasto.garbage_collection import skip_final_collection
from impasto_server.cli import admin, backup, commands, migrate, worker

program = typer.Typer(no_args_is_help=True, help="The Impasto server.")
program.command("serve")(commands.serve)
program.command("worker")(worker.work)
program.command("migrate")(migrate.migrate)
program.command("backup")(backup.backup)
program.command("restore")(backup.restore)
program.command("settings")(commands.show_settings)
program.command("openapi")(commands.openapi)
program.add_typer(admin.commands, name="admin")

if __name__ == "__main__":
    skip_final_collection()
    program()
