"""`impasto admin set-limits` and `set-quota`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from impasto_server.cli.admin import runner
from impasto_server.cli.admin.runner import Login

if TYPE_CHECKING:
    from impasto_server.container import AppState
    from impasto_server.limits.schemas import UserLimits

commands = typer.Typer()


@commands.command("set-quota")
def set_quota(
    who: Login,
    limit: Annotated[int | None, typer.Argument(min=0, help="Runs per day; omit for the default.")] = None,
) -> None:
    """Set how many runs a user may start per day."""
    runner.run(lambda app_state: _change(app_state, who, {"runs_per_day": limit}))
    typer.echo(f"{who} may start {'the default number of' if limit is None else limit} runs per day.")


@commands.command("set-limits")
def set_limits(
    who: Login,
    runs_per_day: Annotated[int | None, typer.Option(help="Runs that may be started per day (UTC).")] = None,
    usd_per_day: Annotated[str | None, typer.Option(help="US dollars per day on the server's keys.")] = None,
    usd_per_month: Annotated[str | None, typer.Option(help="US dollars per month on its keys.")] = None,
    stored_bytes: Annotated[int | None, typer.Option(help="Bytes of assets, agents and brands.")] = None,
    assets: Annotated[int | None, typer.Option(help="Number of assets.")] = None,
    agents: Annotated[int | None, typer.Option(help="Number of agents.")] = None,
    brands: Annotated[int | None, typer.Option(help="Number of brands.")] = None,
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
        "brands": brands,
        "versions": versions,
        "concurrent_runs": concurrent_runs,
        "queued_runs": queued_runs,
        "streams": streams,
        "uploads": uploads,
        "exports": exports,
    }
    changes: dict[str, int | str | None] = dict.fromkeys(given) if reset else {}
    changes |= {name: value for name, value in given.items() if value is not None}
    found = runner.run(lambda app_state: _change(app_state, who, changes))
    table = Table("Limit", "Value", "Default")
    for name, value in found.limits.model_dump().items():
        table.add_row(name, str(value), str(getattr(found.defaults, name)))
    Console().print(table)


async def _change(app_state: AppState, who: str, changes: Mapping[str, int | str | None]) -> UserLimits:
    """Change limits of a user by name; None is the default. Raises `UserNotFound`, or ValidationError."""
    from impasto_server.admin import people
    from impasto_server.limits.schemas import LimitOverrides

    overrides = LimitOverrides.model_validate(changes)
    user = await runner.find_user(app_state, who)
    return await people.set_limits(app_state, None, user.id, overrides)
