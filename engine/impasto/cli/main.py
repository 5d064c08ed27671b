"""The command line: run, check, nodes, new-plugin, and whatever other packages add.

A package adds commands with entry points of the group `impasto.commands`: each names a function, which
becomes the command of the entry point's name, or a `typer.Typer`, which becomes a group of commands.
They are imported only when they are asked for.
"""

import asyncio
import sys
import typing as t
from importlib import metadata
from pathlib import Path

import orjson
import typer
from rich.console import Console
from rich.table import Table

from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.configuration import Configuration
from impasto.document.flow import Flow
from impasto.errors import FlowInvalid, ImpastoError, Problem

GROUP = "impasto.commands"
ENV_FILE = ".env"
app = typer.Typer(
    name="impasto",
    no_args_is_help=True,
    add_completion=False,
    help="Build and run flows of nodes.",
    rich_markup_mode=None,
)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
FlowFile = t.Annotated[Path, typer.Argument(help="A flow document (JSON).", show_default=False)]


@app.command()
def run(
    flow: FlowFile,
    prompt: t.Annotated[str | None, typer.Option(help="The text for the flow's first text input.")] = None,
    inputs: t.Annotated[
        list[str] | None,
        typer.Option("--input", "-i", help="id=value: JSON, text, or a file for a media input."),
    ] = None,
    to: t.Annotated[Path, typer.Option("--out", "-o", help="The folder that results are written to.")] = Path(
        "out"
    ),
    target: t.Annotated[list[str] | None, typer.Option(help="Run only what this node needs.")] = None,
    budget: t.Annotated[
        float | None, typer.Option(help="Stop before more US dollars than this are spent.")
    ] = None,
    cache: t.Annotated[Path | None, typer.Option(help="A folder to keep results in between runs.")] = None,
    reuse: t.Annotated[str, typer.Option(help="changed, pure or none.")] = "changed",
    seed: t.Annotated[int | None, typer.Option(help="Makes seeded nodes repeat themselves.")] = None,
) -> None:
    """Run a flow with live progress, and write its results to a folder."""
    from impasto.cli.run_view import run_flow

    configuration = Configuration.load(ENV_FILE)
    plan = _plan(flow, target, configuration)
    try:
        finished = asyncio.run(
            run_flow(
                plan,
                prompt,
                inputs or [],
                to,
                cache,
                out,
                targets=target,
                configuration=configuration,
                budget_usd=budget,
                reuse=reuse,
                seed=seed,
            )
        )
    except (ImpastoError, OSError, ValueError) as error:
        _complain(error)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        err.print("Cancelled.")
        raise typer.Exit(130) from None
    raise typer.Exit(0 if finished else 1)


@app.command()
def check(flow: FlowFile) -> None:
    """Print every problem of a flow; exit 1 if it cannot run."""
    plan = _plan(flow, None, Configuration.load(ENV_FILE))
    _print_problems(plan.warnings)
    out.print(f"{flow}: {len(plan.steps)} steps, {len(plan.warnings)} warnings. It can run.")


@app.command()
def nodes(
    as_json: t.Annotated[bool, typer.Option("--json", help="The whole catalogue as JSON.")] = False,
) -> None:
    """List the node types of the installed plugins, and the plugins that failed to load."""
    catalog = Catalog.discover()
    if as_json:
        out.file.write(orjson.dumps(catalog.describe(), option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    table = Table("Node type", "Title", "Category", "Plugin", box=None, pad_edge=False)
    for item in catalog.describe()["types"]:
        marks = [mark for mark in ("beta", "deprecated") if item[mark]]
        table.add_row(item["id"], item["title"], item["category"], " ".join([item["package"] or "", *marks]))
    out.print(table)
    for plugin in catalog.broken:
        err.print(f"\nThe plugin '{plugin.name}' of {plugin.package} failed to load:", style="red")
        err.print(plugin.traceback.rstrip(), markup=False)


@app.command("new-plugin")
def new_plugin(
    name: t.Annotated[str, typer.Argument(help="The plugin's name: sparkle-tools, say.", show_default=False)],
    into: t.Annotated[Path, typer.Option("--in", help="The folder to make it in.")] = Path(),
) -> None:
    """Make an installable package with a node and its test."""
    from impasto.cli.new_plugin import scaffold

    try:
        folder = scaffold(name, into)
    except (ImpastoError, OSError) as error:
        _complain(error)
        raise typer.Exit(1) from None
    out.print(f"Made {folder}. Try it:\n  pip install -e {folder}\n  pytest {folder}\n  impasto nodes")


def _plan(path: Path, targets: list[str] | None, configuration: Configuration) -> Plan:
    """The plan of a flow in a file; its problems are printed and end the command."""

    def sibling(flow_id: str) -> Flow | None:
        for candidate in (path.parent / flow_id, path.parent / f"{flow_id}.json"):
            if candidate.is_file() and candidate.resolve().parent == path.parent.resolve():
                return Flow.load(candidate)
        return None

    try:
        catalog = Catalog.discover(configuration=configuration)
        return compile_flow(Flow.load(path), catalog, targets=targets, flows=sibling, flow_id=path.stem)
    except FlowInvalid as error:
        _complain(error)
    except OSError as error:
        err.print(f"{path} cannot be read: {error.strerror}.", style="red", markup=False, soft_wrap=True)
    raise typer.Exit(1)


def _complain(error: Exception) -> None:
    if isinstance(error, FlowInvalid):
        _print_problems(error.problems)
    elif isinstance(error, OSError) and error.filename is not None:
        sentence = f"{error.filename} cannot be written or read: {error.strerror}."
        err.print(sentence, style="red", markup=False, soft_wrap=True)
    else:
        err.print(str(error), style="red", markup=False, soft_wrap=True)


def _print_problems(problems: list[Problem]) -> None:
    for problem in problems:
        colour = "red" if problem.severity == "error" else "yellow"
        line = f"{problem.severity} {problem.code}: {problem.message}"
        err.print(line, style=colour, markup=False, soft_wrap=True)
        if problem.hint:
            err.print(f"  {problem.hint}", markup=False, soft_wrap=True)


def _add_commands(arguments: list[str]) -> None:
    """Take in the commands of other packages: the one that is asked for, or all of them for the help."""
    found = {entry.name: entry for entry in metadata.entry_points(group=GROUP)}
    asked = next((word for word in arguments if not word.startswith("-")), None)
    own = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    if asked in own:
        return
    for name, entry in sorted(found.items()):
        if asked is None or asked == name:
            _add_command(name, entry)


def _add_command(name: str, entry: metadata.EntryPoint) -> None:
    try:
        loaded = entry.load()
    except Exception as error:  # noqa: BLE001 - the other commands work without it
        err.print(
            f"The command '{name}' cannot be loaded: {type(error).__name__}: {error}",
            style="yellow",
            markup=False,
        )
        return
    if isinstance(loaded, typer.Typer):
        app.add_typer(loaded, name=name)
    else:
        app.command(name)(loaded)


def main() -> None:
    """The `impasto` command."""
    try:
        _add_commands(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)  # as `app` ends where it is interrupted: a server takes a second to import
    app()
