"""`impasto plugins`: the installed distributions, what they declare, and the entries that admit them."""

import typing as t

import typer
from rich.console import Console
from rich.table import Table

from impasto.configuration import ENV_FILE, Configuration
from impasto.errors import DefinitionError
from impasto.plugins.allow_list import VARIABLE, AllowList, InvalidAllowList, entry_of
from impasto.plugins.capabilities import Capabilities, declared_by
from impasto.plugins.distributions import normalized, plugins
from impasto.runtime.sandbox import landlock

if t.TYPE_CHECKING:
    from importlib.metadata import Distribution

commands = typer.Typer(
    invoke_without_command=True, help="List the installed plugins, and print entries of IMPASTO_PLUGINS."
)
CAPABILITY_COLUMNS = ("Network", "Subprocesses", "Files", "Environment")
out = Console(highlight=False, markup=False)
err = Console(stderr=True, highlight=False, markup=False)


@commands.callback()
def show(context: typer.Context) -> None:
    """List the installed plugins, and whether IMPASTO_PLUGINS admits them. Imports none of their code."""
    if context.invoked_subcommand is not None:
        return
    try:
        allow_list = AllowList.of(Configuration.load(ENV_FILE))
    except InvalidAllowList as error:
        raise _exit(str(error)) from None
    installed = plugins()
    table = Table("Plugin", "Version", "Loads", *CAPABILITY_COLUMNS, box=None, pad_edge=False)
    refused = []
    for distribution in installed:
        refusal = allow_list.refusal(distribution)
        refused += [refusal] if refusal is not None else []
        table.add_row(
            distribution.metadata["Name"],
            distribution.version,
            "no" if refusal else "yes",
            *_declared_cells(distribution),
        )
    if installed:
        out.print(table)
    else:
        out.print("No plugins are installed beside Impasto's own.")
    version = landlock.abi()
    kernel = f"and Landlock (ABI {version})" if version else "alone; this kernel has no Landlock"
    out.print(f"\nWorker processes of plugins are restricted by an audit hook {kernel}.")
    for refusal in refused:
        _print(f"\n{refusal.package} is refused: {refusal.reason}.")
        _print(f"  {refusal.hint}")
    names = {normalized(distribution.metadata["Name"]) for distribution in installed}
    for entry in allow_list.entries or ():
        if entry.name not in names and entry.name != "impasto":
            _print(f"\n{VARIABLE} names '{entry.name}', which is not installed or has no plugins.")


@commands.command("hash")
def print_entries(
    names: t.Annotated[
        list[str] | None, typer.Argument(help="Distributions; all installed plugins by default.")
    ] = None,
) -> None:
    """Print the value of IMPASTO_PLUGINS that admits exactly the installed files of distributions."""
    installed = {normalized(found.metadata["Name"]): found for found in plugins()}
    wanted = [normalized(name) for name in names] if names else list(installed)
    missing = [name for name in wanted if name not in installed]
    if missing or not wanted:
        listed = ", ".join(installed) or "none"
        what = f"'{missing[0]}' is not" if missing else "No plugin is"
        raise _exit(f"{what} an installed distribution with plugins. Installed: {listed}.")
    try:
        entries = [entry_of(installed[name]) for name in dict.fromkeys(wanted)]
    except OSError as error:
        raise _exit(f"{error.filename} cannot be read: {error.strerror}.") from None
    out.print(",".join(entries), soft_wrap=True)


def capability_cells(declared: Capabilities | None) -> list[str]:
    """Return the cells of a row for `CAPABILITY_COLUMNS`."""
    if declared is None:
        return ["not declared", "", "", ""]
    files = [("reads", declared.read), ("writes", declared.write)]
    return [
        ", ".join(declared.network) or "none",
        "yes" if declared.subprocess else "none",
        "; ".join(f"{verb} {', '.join(paths)}" for verb, paths in files if paths) or "none",
        ", ".join(declared.environment) or "none",
    ]


def _declared_cells(distribution: "Distribution") -> list[str]:
    try:
        return capability_cells(declared_by(distribution))
    except DefinitionError as error:
        return [str(error), "", "", ""]


def _print(line: str) -> None:
    err.print(line, soft_wrap=True)


def _exit(sentence: str) -> typer.Exit:
    err.print(sentence, style="red", soft_wrap=True)
    return typer.Exit(1)
