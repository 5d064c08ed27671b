"""MkDocs hook: the reference of the command line, generated from what `--help` prints."""

import contextlib
import io
import os
import sys
from importlib.metadata import entry_points
from unittest import mock

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/commands.md", content=page()))
    return files


def page() -> str:
    """Every command with its help, groups of commands before their members."""
    lines = ["# Command line", "", "What `impasto COMMAND --help` prints.", ""]
    pending: list[list[str]] = [[]]
    while pending:
        words = pending.pop(0)
        text = help_of(words)
        name = " ".join(["impasto", *words])
        lines += [f"## `{name}`", "", "```text", text.strip(), "```", ""]
        pending[:0] = [[*words, member] for member in members(text)]
    return "\n".join(lines)


def help_of(words: list[str]) -> str:
    """The output of `impasto WORDS --help`."""
    (entry,) = entry_points(group="console_scripts", name="impasto")
    printed = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["impasto", *words, "--help"]),
        mock.patch.dict(os.environ, {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        entry.load()()
    return printed.getvalue()


def members(text: str) -> list[str]:
    """The names listed under "Commands:" in a help text."""
    _, _, listed = text.partition("Commands:\n")
    rows = [line for line in listed.splitlines() if line.startswith("  ") and not line.startswith("   ")]
    return [row.split()[0] for row in rows]
