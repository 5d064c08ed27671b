"""`impasto trace FILE`: prints how a file was made, from its content credentials and its metadata."""

import os
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.text import Text

from impasto_server.assets import metadata
from impasto_server.cli.commands import read_settings
from impasto_server.content_credentials.authority import own_authority_file

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_STATES = {
    "trusted": "trusted: signed by this installation, and unchanged",
    "valid": "valid: unchanged, and signed by an authority that is unknown here",
    "invalid": "invalid: the file or its credentials were changed",
}
_CLAIMS = ("signer", "signed_at", "ai_made", "source_type", "provider", "model", "agent", "agent_version")


def trace(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file made by an agent.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Verify a file's content credentials, and print which agent, version, step and model made it."""
    credentials, found = _verify(file), metadata.read(file)
    console = Console()
    if found is None and credentials is None:
        console.print(Text(f"{file.name} has no metadata of how it was made."))
        raise typer.Exit(1)
    if json:
        both = {**(found or {}), **({"credentials": credentials} if credentials else {})}
        console.print_json(orjson.dumps(both).decode())
        return
    lines = dict(found or {})
    if credentials:
        lines = {"credentials": _state_of(credentials), **_claims_of(credentials), **lines}
    for key, value in lines.items():
        shown = value if isinstance(value, str) else orjson.dumps(value).decode()
        console.print(Text(f"{_printable(key):>13}  ", "dim").append(_printable(shown), "not dim"))


def _verify(file: Path) -> dict[str, Any] | None:
    # Imported here: loading the native library takes longer than reading metadata.
    from impasto_server.content_credentials.offline import verify

    settings = read_settings()
    authorities = settings.content_trust_file or own_authority_file(settings)
    return verify(file, authorities if os.access(authorities, os.R_OK) else None)


def _state_of(report: dict[str, Any]) -> str:
    if "unreadable" in report:
        return f"invalid: {report['unreadable']}"
    problems = f" ({', '.join(report['problems'])})" if report["problems"] else ""
    return _STATES[report["state"]] + problems


def _claims_of(report: dict[str, Any]) -> dict[str, Any]:
    return {name: report[name] for name in _CLAIMS if report.get(name) is not None}


def _printable(text: str) -> str:
    """Replace control characters, with which a file could send commands to the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else _REPLACEMENT for char in text)
