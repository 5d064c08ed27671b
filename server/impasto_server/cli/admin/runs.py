"""`impasto admin runs`, `workers`, `requeue` and `cancel`: runs of all users, and who executes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, get_args

import orjson
import typer
from rich.console import Console
from rich.table import Table

from impasto_server.cli.admin import runner

if TYPE_CHECKING:
    from impasto_server.admin.schemas import AdminRun, AdminRunPage
    from impasto_server.container import AppState
    from impasto_server.runs.operators.service import Worker

commands = typer.Typer()
_MAX_PAGE = 100

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RunIds = Annotated[list[str], typer.Argument(metavar="RUN…", help="Ids of runs.")]


@commands.command("runs")
def list_runs(
    status: Annotated[list[str] | None, typer.Option(help="A status; may be given several times.")] = None,
    user: Annotated[str | None, typer.Option(help="Username or e-mail address.")] = None,
    agent: Annotated[str | None, typer.Option(help="Id of an agent.")] = None,
    since: Annotated[datetime | None, typer.Option(help="First time of a launch (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(help="Time before which launches end (UTC).")] = None,
    limit: Annotated[int, typer.Option(min=1, max=_MAX_PAGE, help="Maximum number of runs.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="The cursor that the previous page printed.")] = None,
    json: Json = False,
) -> None:
    """List the runs of all users, newest first."""
    from impasto_server.admin import runs
    from impasto_server.http.pagination import PageQuery, decode_cursor
    from impasto_server.runs.operators.service import RunFilter
    from impasto_server.runs.schemas import RunStatus

    for name in status or ():
        if name not in get_args(RunStatus):
            raise typer.BadParameter(f"{name!r} is no status; use {', '.join(get_args(RunStatus))}.")

    async def read(app_state: AppState) -> AdminRunPage:
        owner = (await runner.find_user(app_state, user)).id if user else None
        paging = PageQuery(limit, decode_cursor(cursor) if cursor else None)
        async with app_state.database.reading() as session:
            wanted = RunFilter(owner, agent, status or (), runner.in_utc(since), runner.in_utc(until))
            return await runs.page(session, wanted, paging)

    page = runner.run(read)
    if json:
        _print_json(page.model_dump(mode="json"))
        return
    table = Table("Run", "Agent", "User", "Status", "Created (UTC)", "Seconds", "USD", "Error")
    for run in page.items:
        table.add_row(*_columns(run))
    Console(width=None if Console().is_terminal else 200).print(table)
    if page.next_cursor:
        typer.echo(f"There are more: add --cursor {page.next_cursor}")


@commands.command("workers")
def list_workers(json: Json = False) -> None:
    """List the processes that execute runs."""

    async def read(app_state: AppState) -> list[Worker]:
        from impasto_server.runs.operators import service as operators

        async with app_state.database.reading() as session:
            return await operators.workers(session, app_state)

    found = runner.run(read)
    if json:
        _print_json({"items": [asdict(worker) for worker in found]})
        return
    table = Table("Process", "State", "Runs", "Started (UTC)", "Last seen (UTC)", "Suspect run")
    for worker in found:
        times = (f"{moment:%Y-%m-%d %H:%M:%S}" for moment in (worker.started_at, worker.seen_at))
        state = "alive" if worker.is_alive else "silent"
        table.add_row(worker.name, state, str(worker.runs), *times, worker.suspect_run_id or "")
    Console(width=None if Console().is_terminal else 200).print(table)
    if not any(worker.is_alive for worker in found):
        typer.echo("No living process executes runs.", err=True)


@commands.command("requeue")
def requeue(
    run_ids: RunIds,
    force: Annotated[
        bool,
        typer.Option("--force", help="Also from a living process: a call under way may be paid twice."),
    ] = False,
    json: Json = False,
) -> None:
    """Take runs from the processes that execute them, and resume failed and cancelled ones."""
    from impasto_server.admin import runs

    _change(run_ids, lambda app_state, run_id: runs.requeue(app_state, run_id, force=force), json)


@commands.command("cancel")
def cancel(run_ids: RunIds, json: Json = False) -> None:
    """Cancel runs. Finished steps keep their results."""
    from impasto_server.admin import runs

    _change(run_ids, lambda app_state, run_id: runs.cancel(app_state, None, run_id), json)


def _change(run_ids: list[str], change: Callable[[AppState, str], Awaitable[AdminRun]], json: bool) -> None:
    """Change each run, also after one that is refused; exit with status 1 if any is."""
    from impasto_server.http.errors import Problem

    async def change_all(app_state: AppState) -> tuple[list[AdminRun], dict[str, str]]:
        changed, refused = [], {}
        for run_id in dict.fromkeys(run_ids):
            try:
                changed.append(await change(app_state, run_id))
            except Problem as problem:
                refused[run_id] = str(problem)
        return changed, refused

    changed, refused = runner.run(change_all)
    if json:
        items = [run.model_dump(mode="json") for run in changed]
        _print_json({"items": items, "refused": refused})
    else:
        for run in changed:
            typer.echo(f"{run.id} ({run.flow_name} #{run.number}) is {_state(run)}.")
        for run_id, reason in refused.items():
            typer.echo(f"{run_id}: {reason}", err=True)
    if refused:
        raise typer.Exit(1)


def _state(run: AdminRun) -> str:
    is_stopping = run.status in ("queued", "running") and not run.can_cancel
    return "being cancelled" if is_stopping else run.status


def _columns(run: AdminRun) -> list[str]:
    return [
        run.id,
        f"{run.flow_name} #{run.number}",
        run.owner.username or run.owner.id,
        _state(run),
        f"{run.created_at:%Y-%m-%d %H:%M:%S}",
        "" if run.seconds is None else f"{run.seconds:.1f}",
        str(run.cost_usd),
        run.error_code or "",
    ]


def _print_json(value: Any) -> None:
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
