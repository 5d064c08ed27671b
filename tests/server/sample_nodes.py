"""Node types for the server's tests: small, quick, and some of them on a leash."""

import asyncio
import struct
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated

from impasto import Catalog, Context, Image, NodeError, Setting, Text, node

CALLS: Counter[str] = Counter()
GATES: dict[str, asyncio.Event] = {}
ARRIVALS: dict[str, asyncio.Event] = {}


def gate(name: str) -> asyncio.Event:
    """The event that a `wait` node of this name waits for."""
    return GATES.setdefault(name, asyncio.Event())


async def arrived(name: str) -> None:
    """Return once a `wait` node of this name waits for its event."""
    await asyncio.wait_for(ARRIVALS.setdefault(name, asyncio.Event()).wait(), 60)


def png(red: int, width: int = 8, height: int = 6) -> bytes:
    """A picture of one colour."""
    rows = b"".join(b"\0" + bytes([red, 90, 60]) * width for _ in range(height))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows))]
    chunks = [*parts, (b"IEND", b"")]
    encoded = (struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(encoded)


@node(id="ask", title="Ask", category="inputs")
def ask(*, text: Annotated[str, Setting(input=True, max_length=2000)]) -> Text:
    """What the user says."""
    return text


@node(id="count", title="Count", category="inputs")
def count(*, value: Annotated[int, Setting(input=True, ge=0)] = 1) -> int:
    """How many."""
    return value


@node(id="lines")
def lines(*, lines: Annotated[list[str], Setting(input=True)] = []) -> list[Text]:  # noqa: B006
    """Several lines of the user's, each for a step of its own."""
    return lines


@node(id="show", title="Show", category="inputs")
def show(*, picture: Annotated[Image | None, Setting(input=True)] = None) -> Text:
    """A picture of the user's."""
    return f"{picture.width}x{picture.height} {picture.asset_id}" if picture else "none"


@node(id="shout")
def shout(text: Text, *, mark: Annotated[str, Setting(max_length=5)] = "!") -> Text:
    """Say it louder."""
    CALLS["shout"] += 1
    return text.upper() + mark


@node(id="paint", generative=True, cost=0.01)
async def paint(text: Text, *, context: Context) -> Image:
    """Paint a picture."""
    CALLS["paint"] += 1
    context.made_by(provider="sample", model="brush-1", prompt=text, seed=7, settings={"size": "small"})
    context.charge(0.0125)
    return await context.store(png(len(text) % 256), "image/png", name="painting.png", width=8, height=6)


@node(id="spell")
async def spell(text: Text) -> AsyncIterator[Text]:
    """Say it word by word."""
    said = ""
    for word in text.split():
        said = f"{said} {word}".strip()
        yield said


@node(id="stumble")
def stumble(text: Text) -> Text:
    """Fail, the first time in words."""
    CALLS["stumble"] += 1
    if CALLS["stumble"] > 1:
        return text
    raise NodeError("The picture was refused.", code="moderated", detail="policy 12", provider="sample")


@node(id="wait")
async def wait(text: Text, *, name: str = "gate") -> Text:
    """Go on when the test says so."""
    CALLS[name] += 1
    ARRIVALS.setdefault(name, asyncio.Event()).set()
    await gate(name).wait()
    return text


@node(id="secret", beta=True)
def secret(text: Text) -> Text:
    """For a few."""
    return text


@node(id="keyed")
async def keyed(text: Text, *, context: Context) -> Text:
    """Use the user's key."""
    return f"{text} {await context.credential('openai')}"


async def list_voices(query: str, context: Context) -> list[dict[str, str]]:
    """The voices that match."""
    if query == "down":
        raise NodeError("The voices cannot be reached.")
    key = await context.credential("elevenlabs")
    voices = ["Rachel", "Adam", "Bella", *([key] if key else [])]
    return [{"value": voice.lower(), "label": voice} for voice in voices if query.lower() in voice.lower()]


@node(id="speak")
def speak(text: Text, *, voice: Annotated[str, Setting(options="list_voices")] = "rachel") -> Text:
    """Say it in a voice."""
    return f"{voice}: {text}"


@node(id="agent", subflow="flow")
def agent(*, flow: str = "") -> None:
    """Run another agent as one step."""


def sample_catalog() -> Catalog:
    """All of them."""
    from tests.server.barriers import GATED_NODES

    return Catalog(
        [
            ask,
            count,
            lines,
            show,
            shout,
            paint,
            spell,
            stumble,
            wait,
            secret,
            keyed,
            speak,
            agent,
            *GATED_NODES,
        ]
    )


def flow(
    *nodes: str | dict[str, object], name: str = "Sample", edges: list[str] | None = None
) -> dict[str, object]:
    """A document: nodes as dicts or as their type's name, edges as "a.output -> b.text"."""
    listed = [{"id": item, "type": item} if isinstance(item, str) else item for item in nodes]
    pairs = [edge.split(" -> ") for edge in edges or []]
    return {
        "format": 1,
        "name": name,
        "nodes": listed,
        "edges": [{"from": source, "to": target} for source, target in pairs],
    }


def chain(*types: str, name: str = "Sample") -> dict[str, object]:
    """A document of nodes that feed each other, from an `ask`."""
    names = ("ask", *types)
    return flow(
        *names, name=name, edges=[f"{a}.output -> {b}.text" for a, b in zip(names, types, strict=False)]
    )
