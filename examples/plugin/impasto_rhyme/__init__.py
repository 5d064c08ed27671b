"""Nodes for verses: each function with `@node` is one."""

from dataclasses import dataclass
from typing import Annotated

from impasto import Context, Setting, Text, node


@dataclass(frozen=True)
class Verse:
    """A value type of this plugin: the lines of a verse, and the ending of the last word."""

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
    split = text.split()
    lines = tuple(" ".join(split[start : start + words]) for start in range(0, len(split), words))
    context.progress(1.0, f"{len(lines)} lines")
    return Verse(lines, split[-1][-3:] if split else "")


@node(title="Recite", category="transform_assets")
async def recite(verse: Verse, *, loud: bool = False) -> Text:
    """Return the text of a verse, one line after another."""
    text = "\n".join(verse.lines)
    return text.upper() if loud else text
