"""`impasto trace FILE`: tell what made a file, from the file alone."""

from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.text import Text

from impasto_server.assets import metadata

_UNSHOWN = "\N{REPLACEMENT CHARACTER}"


def trace(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that an agent made.")],
    json: Annotated[bool, typer.Option("--json", help="Print the data as JSON.")] = False,
) -> None:
    """Tell which agent, version, step and model made a file."""
    found = metadata.read(file)
    console = Console()
    if found is None:
        console.print(Text(f"{file.name} does not say what made it."))
        raise typer.Exit(1)
    if json:
        console.print_json(orjson.dumps(found).decode())
        return
    for key, value in found.items():
        shown = value if isinstance(value, str) else orjson.dumps(value).decode()
        console.print(Text(f"{_plain(key):>10}  ", "dim").append(_plain(shown), "not dim"))


def _plain(text: str) -> str:
    """Return a text that a terminal only shows: a file may hold what would command it."""
    return "".join(sign if sign.isprintable() or sign == "\n" else _UNSHOWN for sign in text)
