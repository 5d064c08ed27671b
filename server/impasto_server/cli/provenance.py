"""`impasto trace FILE`: prints how a file was made, from the metadata in the file."""

from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.text import Text

from impasto_server.assets import metadata

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def trace(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file made by an agent.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print which agent, version, step and model made a file."""
    found = metadata.read(file)
    console = Console()
    if found is None:
        console.print(Text(f"{file.name} has no metadata of how it was made."))
        raise typer.Exit(1)
    if json:
        console.print_json(orjson.dumps(found).decode())
        return
    for key, value in found.items():
        shown = value if isinstance(value, str) else orjson.dumps(value).decode()
        console.print(Text(f"{_printable(key):>10}  ", "dim").append(_printable(shown), "not dim"))


def _printable(text: str) -> str:
    """Replace control characters, with which a file could send commands to the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else _REPLACEMENT for char in text)
