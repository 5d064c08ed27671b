"""A tracked value type, and nodes of every kind that read parts of its values."""

import dataclasses
from collections.abc import AsyncIterator
from typing import Annotated

from tests.engine.runtime.run_nodes import calls

from impasto import Any, Context, Delta, Json, NodeError, Setting, Text, node, tracked


@tracked(source="origin")
@dataclasses.dataclass(frozen=True)
class Theme:
    ink: str = "black"
    paper: str = "white"
    tone: str = "dry"
    origin: str = ""


@node
async def theme(*, value: Annotated[Theme | None, Setting(input=True)] = None) -> Theme:
    return value or Theme()


@node
async def themes(*, value: Annotated[list[Theme], Setting(input=True)] = []) -> list[Theme]:  # noqa: B006
    return value


def _read(look: Theme, how: str) -> str:
    """Read fields in an order that depends on their values: `how` is a list of fields, one letter each."""
    calls.append(how)
    names = {"i": "ink", "p": "paper", "t": "tone"}
    found = []
    for letter in how:
        if letter == "*":
            found.append(repr(look))
        elif letter == "?":
            if look.ink == "black":
                break
        else:
            found.append(getattr(look, names[letter]))
    return " ".join(found)


@node
async def read(look: Theme, text: Text = "", *, how: str = "i") -> Text:
    return f"{_read(look, how)} {text}".strip()


@node
def read_in_thread(look: Theme, *, how: str = "i") -> Text:
    return _read(look, how)


@node(cpu=True)
def read_in_process(look: Theme, *, how: str = "i") -> Text:
    return _read(look, how)


@node(cpu=True)
def pass_on_in_process(look: Theme) -> Theme:
    return look


@node
async def read_stream(look: Theme, *, how: str = "i") -> AsyncIterator[Delta]:
    for letter in how:
        yield Delta(_read(look, letter) + ".")


@node(retries=1)
async def read_twice(look: Theme, *, context: Context) -> Text:
    """Fail after reading the ink, then read the tone; the first attempt decides what the second returns."""
    earlier = await context.recall("ink")
    if earlier is None:
        await context.remember("ink", look.ink)
        raise NodeError("busy", retryable=True)
    return f"{earlier} {look.tone}"


@node
async def read_any(look: Any, *, how: str = "i") -> Text:
    return _read(look, how)


@node
async def read_data(look: Json) -> Text:
    return str(sorted(look.items()))


@node
async def first(one: Any = None, two: Any = None) -> Any:
    return one or two


@node
async def seeded(look: Theme, *, context: Context) -> Text:
    return f"{look.ink} {context.seed}"


NODES = [
    theme,
    themes,
    read,
    read_in_thread,
    read_in_process,
    read_stream,
    read_twice,
    read_any,
    read_data,
    first,
    seeded,
    pass_on_in_process,
]
