"""The command line: run, check, nodes, plugins, new-plugin, and the commands of other packages.

A package adds commands with entry points of the group `impasto.commands`. Each names a function, which
becomes a command, or a `typer.Typer`, which becomes a group of commands. They are imported when used, if the
operator's `IMPASTO_PLUGINS` admits the package.
"""

import asyncio
import sys
import tempfile
import typing as t
from importlib import metadata
from pathlib import Path

import orjson
import typer
from rich.console import Console
from rich.table import Table

from impasto.cli import plugins
from impasto.cli.agent_file import AgentFile, load_agent
from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.configuration import ENV_FILE, Configuration
from impasto.document.flow import Flow
from impasto.errors import ArchiveInvalid, FlowInvalid, ImpastoError, Problem
from impasto.garbage_collection import gc_paused, skip_final_collection
from impasto.plugins.allow_list import AllowList, InvalidAllowList

GROUP = "impasto.commands"
app = typer.Typer(
    name="impasto",
    no_args_is_help=True,
    add_completion=False,
    help="Build and run flows of nodes.",
    rich_markup_mode=None,
)
app.add_typer(plugins.commands, name="plugins")
out = Console(highlight=False, markup=False)
err = Console(stderr=True, highlight=False, markup=False)
FlowFile = t.Annotated[
    Path, typer.Argument(help="A flow document (JSON), or an exported agent (zip).", show_default=False)
]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(metadata.version("impasto"))
        raise typer.Exit


@app.callback()
def _options(
    version: t.Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Build and run flows of nodes."""


@app.command()
def run(
    flow: FlowFile,
    prompt: t.Annotated[str | None, typer.Option(help="The text for the flow's first text input.")] = None,
    inputs: t.Annotated[
        list[str] | None,
        typer.Option("--input", "-i", help="id=value: JSON, text, or a file for a media input."),
    ] = None,
    to: t.Annotated[Path, typer.Option("--out", "-o", help="The folder for the results.")] = Path("out"),
    target: t.Annotated[list[str] | None, typer.Option(help="Run only this node and what it needs.")] = None,
    budget: t.Annotated[float | None, typer.Option(help="The maximum to spend, in US dollars.")] = None,
    cache: t.Annotated[Path | None, typer.Option(help="A folder that keeps results between runs.")] = None,
    reuse: t.Annotated[str, typer.Option(help="Which results to reuse: changed, pure or none.")] = "changed",
    seed: t.Annotated[
        int | None, typer.Option(help="The seed of seeded nodes, to repeat their results.")
    ] = None,
) -> None:
    """Run a flow with live progress, and write its results to a folder."""
    from impasto.cli.run_view import run_flow

    configuration = Configuration.load(ENV_FILE)
    with tempfile.TemporaryDirectory(prefix="impasto-agent-") as folder:
        agent = _load(flow, Path(folder))
        plan = _plan(agent, flow, target, configuration)
        try:
            finished = asyncio.run(
                run_flow(
                    plan,
                    prompt,
                    inputs or [],
                    to,
                    cache,
                    out,
                    prepare=agent.store_files,
                    targets=target,
                    configuration=configuration,
                    budget_usd=budget,
                    reuse=reuse,
                    seed=seed,
                )
            )
        except (ImpastoError, OSError, ValueError) as error:
            _print_error(error)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            err.print("Cancelled.")
            raise typer.Exit(130) from None
    raise typer.Exit(0 if finished else 1)


@app.command()
def check(flow: FlowFile) -> None:
    """Print every problem of a flow; exit 1 if it cannot run."""
    with tempfile.TemporaryDirectory(prefix="impasto-agent-") as folder:
        plan = _plan(_load(flow, Path(folder)), flow, None, Configuration.load(ENV_FILE))
    _print_problems(plan.warnings)
    counts = f"{_counted(len(plan.steps), 'step')}, {_counted(len(plan.warnings), 'warning')}"
    out.print(f"{flow}: {counts}. It can run.", soft_wrap=True)


@app.command()
def nodes(
    as_json: t.Annotated[bool, typer.Option("--json", help="Print the whole catalog as JSON.")] = False,
) -> None:
    """List the node types of the installed plugins, what these declare to need, and what was not loaded."""
    catalog = _discover(Configuration.load(ENV_FILE))
    if as_json:
        out.file.write(orjson.dumps(catalog.describe(), option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    table = Table("Node type", "Title", "Category", "Plugin", box=None, pad_edge=False)
    for item in catalog.describe()["types"]:
        marks = [mark for mark in ("beta", "deprecated") if item[mark]]
        table.add_row(item["id"], item["title"], item["category"], " ".join([item["package"] or "", *marks]))
    out.print(table)
    if catalog.plugins:
        declared = Table("Plugin", "Version", *plugins.CAPABILITY_COLUMNS, box=None, pad_edge=False)
        for each in catalog.plugins.values():
            declared.add_row(each.package, each.version, *plugins.capability_cells(each.capabilities))
        out.print("\nWhat plugins declare to need:")
        out.print(declared)
    for plugin in catalog.broken:
        err.print(f"\nPlugin '{plugin.name}' of {plugin.package} failed to load:", style="red")
        err.print(plugin.traceback.rstrip())
    for refused in catalog.refused:
        err.print(
            f"\n{refused.package} is refused: {refused.reason}.\n  {refused.hint}",
            style="yellow",
            soft_wrap=True,
        )


@app.command("new-plugin")
def new_plugin(
    name: t.Annotated[
        str, typer.Argument(help="The plugin's name, such as sparkle-tools.", show_default=False)
    ],
    into: t.Annotated[Path, typer.Option("--in", help="The folder to create it in.")] = Path(),
) -> None:
    """Create an installable package with a node and its tests."""
    from impasto.cli.new_plugin import create_plugin

    try:
        folder = create_plugin(name, into)
    except (ImpastoError, OSError) as error:
        _print_error(error)
        raise typer.Exit(1) from None
    commands = f"  pip install -e {folder}\n  pytest {folder}\n  impasto nodes"
    out.print(f"Created {folder}. Try it:\n{commands}", soft_wrap=True)


def _load(path: Path, folder: Path) -> AgentFile:
    """Return the flow in a file, print what it lacks, and exit if it cannot be read."""
    try:
        agent = load_agent(path, folder)
    except (FlowInvalid, ArchiveInvalid) as error:
        _print_error(error)
    except OSError as error:
        err.print(f"{path} cannot be read: {error.strerror}.", style="red", soft_wrap=True)
    else:
        for warning in agent.warnings():
            err.print(warning, style="yellow", soft_wrap=True)
        return agent
    raise typer.Exit(1)


def _plan(agent: AgentFile, path: Path, targets: list[str] | None, configuration: Configuration) -> Plan:
    """Return the plan of a flow from a file; print its problems and exit if it has errors."""

    def sibling(flow_id: str) -> Flow | None:
        for candidate in (path.parent / flow_id, path.parent / f"{flow_id}.json"):
            if candidate.is_file() and candidate.resolve().parent == path.parent.resolve():
                return Flow.load(candidate)
        return None

    try:
        catalog = _discover(configuration)
        return compile_flow(agent.flow, catalog, targets=targets, flows=sibling, flow_id=path.stem)
    except FlowInvalid as error:
        _print_error(error)
    except OSError as error:
        err.print(f"{path} cannot be read: {error.strerror}.", style="red", soft_wrap=True)
    raise typer.Exit(1)


def _discover(configuration: Configuration) -> Catalog:
    """Return the installed node types, or exit if the operator's list is invalid."""
    try:
        return Catalog.discover(configuration=configuration)
    except InvalidAllowList as error:
        _print_error(error)
        raise typer.Exit(1) from None


def _print_error(error: Exception) -> None:
    if isinstance(error, FlowInvalid):
        _print_problems(error.problems)
    elif isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename} cannot be written or read: {error.strerror}."
        err.print(message, style="red", soft_wrap=True)
    else:
        err.print(str(error), style="red", soft_wrap=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_problems(problems: list[Problem]) -> None:
    for problem in problems:
        color = "red" if problem.severity == "error" else "yellow"
        line = f"{problem.severity} {problem.code}: {problem.message}"
        err.print(line, style=color, soft_wrap=True)
        if problem.hint:
            err.print(f"  {problem.hint}", soft_wrap=True)


def _add_commands(arguments: list[str]) -> None:
    """Add the commands of other packages: the one that is called, or all of them for the help."""
    called = next((word for word in arguments if not word.startswith("-")), None)
    own = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    if called in own or called == "plugins":
        return
    found = {entry.name: entry for entry in _command_entries(called)}
    for name, entry in sorted(found.items()):
        if called is None or called == name:
            _add_command(name, entry)


def _command_entries(called: str | None) -> list[metadata.EntryPoint]:
    """Return the commands of admitted packages; report those that are refused if one may be called."""
    try:
        admission = AllowList.of(Configuration.load(ENV_FILE)).admit(GROUP)
    except InvalidAllowList as error:
        _print_error(error)
        raise SystemExit(1) from None
    known = {entry.name for entry in admission.entries}
    for refused in admission.refused if called not in known else ():
        err.print(f"The commands of {refused.package} are refused: {refused.reason}.", style="yellow")
    return admission.entries


def _add_command(name: str, entry: metadata.EntryPoint) -> None:
    try:
        loaded = entry.load()
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything, and the other commands still work
        message = f"The command '{name}' cannot be loaded: {type(error).__name__}: {error}"
        err.print(message, style="yellow")
        return
    if isinstance(loaded, typer.Typer):
        app.add_typer(loaded, name=name)
    else:
        app.command(name)(loaded)


def main() -> None:
    """Run the `impasto` command."""
    skip_final_collection()
    try:
        with gc_paused():
            _add_commands(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)  # as `app` exits when it is interrupted: importing the server takes a second
    app()
