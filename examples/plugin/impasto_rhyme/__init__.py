"""Nodes that play with words: each function below `@node` is one."""

from dataclasses import dataclass
from typing import Annotated

from impasto import Context, Setting, Text, node


@dataclass(frozen=True)
class Verse:
    """A value type of this plugin: lines of a poem, and the sound that they end on."""

    lines: tuple[str, ...]
    sound: str


@node(title="Verse", category="transform_assets")
async def verse(
    text: Text,
    *,
    words: Annotated[int, Setting(title="Words a line", ge=1, le=12, main=True)] = 4,
    context: Context,
) -> Verse:
    """Break a text into the lines of a verse."""
    found = text.split()
    lines = tuple(" ".join(found[start : start + words]) for start in range(0, len(found), words))
    context.progress(1.0, f"{len(lines)} lines")
    return Verse(lines, found[-1][-3:] if found else "")


@node(title="Recite", category="transform_assets")
async def recite(verse: Verse, *, loud: bool = False) -> Text:
    """Say a verse, a line at a time."""
    said = "\n".join(verse.lines)
    return said.upper() if loud else said
