"""`impasto trace FILE`: prints how a file was made, from its content credentials and its metadata."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.text import Text

from impasto_server.cli.start import read_settings

if TYPE_CHECKING:
    from impasto_server.settings import Settings

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
    """Verify a file's content credentials, look for the watermark, and print how the file was made."""
    from impasto_server.assets import metadata
    from impasto_server.assets.media.images import has_watermark

    settings = read_settings()
    credentials, found = _verify(file, settings), metadata.read(file)
    is_watermarked = has_watermark(file, settings.image_megapixels)
    console = Console()
    if found is None and credentials is None and not is_watermarked:
        console.print(Text(f"{file.name} has no metadata of how it was made."))
        raise typer.Exit(1)
    if json:
        every = {**(found or {}), "watermark": is_watermarked}
        if credentials:
            every["credentials"] = credentials
        console.print_json(orjson.dumps(every).decode())
        return
    lines = dict(found or {})
    if credentials:
        lines = {"credentials": _state_of(credentials), **_claims_of(credentials), **lines}
    if is_watermarked:
        lines["watermark"] = "found: AI made the image, or a part of it, with Impasto"
    for key, value in lines.items():
        shown = value if isinstance(value, str) else orjson.dumps(value).decode()
        console.print(Text(f"{_printable(key):>13}  ", "dim").append(_printable(shown), "not dim"))


def _verify(file: Path, settings: Settings) -> dict[str, Any] | None:
    from impasto_server.content_credentials.authority import own_authority_file
    from impasto_server.content_credentials.offline import verify

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
