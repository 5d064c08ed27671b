"""The nodes of the load benchmark."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from impasto import Catalog, Setting, Text, node


@node(id="ask")
async def ask(*, text: Annotated[str, Setting(input=True)]) -> Text:
    """Return the text that the user enters."""
    return text


@node(id="add")
async def add(text: Text) -> Text:
    """Return the text with one character more."""
    return text + "."


@node(id="join")
async def join(texts: list[Text]) -> Text:
    """Return the texts as one."""
    return "".join(texts)


@node(id="speak")
async def speak(
    text: Text, *, words: int = 300, pause: float = 0.01, delay: float = 0.0
) -> AsyncIterator[Text]:
    """Stream words as a language model does: the first after `delay` seconds, `pause` seconds between two."""
    await asyncio.sleep(delay)
    spoken = text
    for number in range(words):
        await asyncio.sleep(pause)
        spoken = f"{spoken} {number}"
        yield spoken


def catalog() -> Catalog:
    """Return the catalog of these nodes."""
    return Catalog([ask, add, join, speak])
