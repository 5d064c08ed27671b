"""MkDocs hook: the reference of the command line, generated from what `--help` prints."""

import contextlib
import io
import os
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from unittest import mock

import typer.core
import typer.main
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/commands.md", content=page()))
    return files


def page() -> str:
    """Every command with its help, groups of commands before their members."""
    lines = ["# Command line", "", "What `impasto COMMAND --help` prints.", ""]
    command = every_command()
    pending: list[list[str]] = [[]]
    while pending:
        words = pending.pop(0)
        text = help_of(command, words)
        name = " ".join(["impasto", *words])
        lines += [f"## `{name}`", "", "```text", text.strip(), "```", ""]
        pending[:0] = [[*words, member] for member in members(text)]
    return "\n".join(lines)


def every_command() -> typer.core.TyperGroup:
    """The `impasto` command with those of each package, which it adds when it is asked for its help."""
    (entry,) = entry_points(group="console_scripts", name="impasto")
    main = entry.load()
    printed(main, [])
    command: typer.core.TyperGroup = typer.main.get_group(sys.modules[entry.module].app)
    return command


def help_of(command: typer.core.TyperGroup, words: list[str]) -> str:
    """The output of `impasto WORDS --help`."""
    return printed(lambda: command(prog_name="impasto"), words)


def printed(main: Callable[[], object], words: list[str]) -> str:
    """What a command prints that is called with `WORDS --help`."""
    output = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["impasto", *words, "--help"]),
        mock.patch.dict(os.environ, {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}),
        contextlib.redirect_stdout(output),
        contextlib.suppress(SystemExit),
    ):
        main()
    return output.getvalue()


def members(text: str) -> list[str]:
    """The names listed under "Commands:" in a help text."""
    _, _, listed = text.partition("Commands:\n")
    rows = [line for line in listed.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    return [row.split()[0] for row in rows]
