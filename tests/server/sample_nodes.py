"""Small, fast node types for the server's tests. Tests control some of them with events."""

import asyncio
import os
import signal
import struct
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated, Any, NamedTuple

from impasto import Catalog, Context, Image, Json, NodeError, Port, Setting, Text, node

CALLS: Counter[str] = Counter()
GATES: dict[str, asyncio.Event] = {}
ARRIVALS: dict[str, asyncio.Event] = {}


def gate(name: str) -> asyncio.Event:
    """Return the event that the `wait` node of this name waits for."""
    return GATES.setdefault(name, asyncio.Event())


async def arrived(name: str) -> None:
    """Return when the `wait` node of this name has started. Raises TimeoutError."""
    await asyncio.wait_for(ARRIVALS.setdefault(name, asyncio.Event()).wait(), 60)


def png(red: int, width: int = 8, height: int = 6) -> bytes:
    """Return a PNG of one color."""
    rows = b"".join(b"\0" + bytes([red, 90, 60]) * width for _ in range(height))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows))]
    chunks = [*parts, (b"IEND", b"")]
    encoded = (struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(encoded)


@node(id="ask", title="Ask", category="inputs")
def ask(*, text: Annotated[str, Setting(input=True, max_length=2000)]) -> Text:
    """The text that the user enters."""
    return text


@node(id="count", title="Count", category="inputs")
def count(*, value: Annotated[int, Setting(input=True, ge=0)] = 1) -> int:
    """The number that the user enters."""
    return value


@node(id="lines")
def lines(*, lines: Annotated[list[str], Setting(input=True)] = []) -> list[Text]:  # noqa: B006
    """The lines that the user enters, as a list."""
    return lines


@node(id="show", title="Show", category="inputs")
def show(*, image: Annotated[Image | None, Setting(input=True)] = None) -> Text:
    """Describe the image that the user uploads."""
    return f"{image.width}x{image.height} {image.asset_id}" if image else "none"


@node(id="shout")
def shout(text: Text, *, mark: Annotated[str, Setting(max_length=5)] = "!") -> Text:
    """Return the text in capitals."""
    CALLS["shout"] += 1
    return text.upper() + mark


@node(id="paint", generative=True, cost=0.01)
async def paint(text: Text, *, context: Context) -> Image:
    """Store an image."""
    CALLS["paint"] += 1
    context.record_generation(
        provider="sample", model="brush-1", prompt=text, seed=7, settings={"size": "small"}
    )
    context.charge(0.0125)
    return await context.store(png(len(text) % 256), "image/png", name="painting.png", width=8, height=6)


@node(id="draw", cost=lambda settings, inputs: {"usd": 0.0, "seconds": 4.0})
def draw(text: Text) -> Text:
    """Return the text; that is free, and expected to take four seconds."""
    return text


@node(id="spell")
async def spell(text: Text) -> AsyncIterator[Text]:
    """Stream the text word by word."""
    streamed = ""
    for word in text.split():
        streamed = f"{streamed} {word}".strip()
        yield streamed


@node(id="grumble")
def grumble(text: Text, *, context: Context) -> Text:
    """Write a warning to the log."""
    context.log.warning("hm")
    return text


class Composed(NamedTuple):
    """The same as plain text and as data."""

    output: Annotated[Text, Port(title="Text", text_of="data")]
    data: Annotated[Json, Port(title="Data", meaning="post")]


@node(id="compose")
def compose(text: Text) -> Composed:
    """Return a post."""
    return Composed(output=f"{text} #tile", data={"caption": text, "hashtags": ["#tile"]})


@node(id="stumble")
def stumble(text: Text) -> Text:
    """Fail at the first call only."""
    CALLS["stumble"] += 1
    if CALLS["stumble"] > 1:
        return text
    raise NodeError("The image was refused.", code="moderated", detail="policy 12", provider="sample")


@node(id="wait")
async def wait(text: Text, *, name: str = "gate") -> Text:
    """Wait for the event that the test sets."""
    CALLS[name] += 1
    ARRIVALS.setdefault(name, asyncio.Event()).set()
    await gate(name).wait()
    return text


@node(id="kill_process")
async def kill_process(text: Text) -> Text:
    """Kill the process that executes it, as a crash in native code does."""
    os.kill(os.getpid(), signal.SIGKILL)
    return text


@node(id="block_loop")
async def block_loop(text: Text) -> Text:
    """Block the event loop for ever, as an endless computation does."""
    while True:
        time.sleep(0.01)


@node(id="secret", beta=True)
def secret(text: Text) -> Text:
    """A node in private beta."""
    return text


def expected_price(settings: dict[str, object], inputs: dict[str, object]) -> dict[str, object]:
    """Return what the `buy` node says it will cost."""
    return {"usd": settings.get("expected", 0.4), "provider": "openai"}


@node(id="buy", generative=True, cost=expected_price)
async def buy(
    text: Text,
    *,
    price: float = 0.4,
    expected: float = 0.4,
    fails: bool = False,
    context: Context,
) -> Text:
    """Look up the key of OpenAI and charge a price."""
    CALLS["buy"] += 1
    await context.credential("openai")
    context.charge(price)
    if fails:
        raise NodeError("The provider failed after it was paid.", code="failed_late")
    return f"{text} bought"


@node(id="pay", generative=True)
async def pay(
    text: Text, *, max_usd: float = 0.5, price: float = 0.2, gate: str = "", context: Context
) -> Text:
    """Reserve dollars for a call with OpenAI's key, wait for a gate, and charge a price."""
    await context.credential("openai")
    async with context.reserve(max_usd if max_usd >= 0 else None, at_least=price) as call:
        CALLS["pay"] += 1
        if gate:
            ARRIVALS.setdefault(gate, asyncio.Event()).set()
            await GATES.setdefault(gate, asyncio.Event()).wait()
        call.charge(price)
    return f"{text} paid"


@node(id="keyed")
async def keyed(text: Text, *, context: Context) -> Text:
    """Return the user's provider key."""
    return f"{text} {await context.credential('openai')}"


@node(id="operators_variable")
async def operators_variable(text: Text, *, context: Context) -> Text:
    """Give the value of a variable that the operator has set."""
    return context.configuration.text("PAINT_API_KEY", "not set")


async def list_voices(query: str, context: Context) -> list[dict[str, str]]:
    """List the voices that match the query."""
    if query == "down":
        raise NodeError("The voices cannot be reached.")
    if query == "sampled":
        samples = ["data:image/png;base64,AAAA", "https://example.org/a.png", "data:text/html,<b>"]
        return [{"value": sample, "label": "Rachel", "sample": sample} for sample in samples]
    key = await context.credential("elevenlabs")
    voices = ["Rachel", "Adam", "Bella", *([key] if key else [])]
    return [{"value": voice.lower(), "label": voice} for voice in voices if query.lower() in voice.lower()]


async def list_effects(query: str) -> list[dict[str, Any]]:
    """List the settings of a voice, each with the JSON Schema of its value."""
    return [{"value": "echo", "label": "Echo", "schema": {"type": "integer", "maximum": 3}}]


@node(id="speak")
def speak(
    text: Text,
    *,
    voice: Annotated[str, Setting(options="list_voices")] = "rachel",
    effects: Annotated[dict[str, Any] | None, Setting(options="list_effects")] = None,
) -> Text:
    """Return the text with the voice's name."""
    return f"{voice}: {text}"


@node(id="agent", subflow="flow")
def agent(*, flow: str = "") -> None:
    """Run another agent."""


def sample_catalog() -> Catalog:
    """Return a catalog of all sample nodes."""
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
            draw,
            grumble,
            compose,
            stumble,
            wait,
            kill_process,
            block_loop,
            secret,
            buy,
            pay,
            keyed,
            operators_variable,
            speak,
            agent,
            *GATED_NODES,
        ]
    )


def flow(
    *nodes: str | dict[str, object], name: str = "Sample", edges: list[str] | None = None
) -> dict[str, object]:
    """Return a flow document. Nodes are dicts or type ids, edges are texts like "a.output -> b.text"."""
    listed = [{"id": item, "type": item} if isinstance(item, str) else item for item in nodes]
    pairs = [edge.split(" -> ") for edge in edges or []]
    return {
        "format": 1,
        "name": name,
        "nodes": listed,
        "edges": [{"from": source, "to": target} for source, target in pairs],
    }


def agent_node(node_id: str, of: object, **settings: object) -> dict[str, Any]:
    """Return a node that runs an agent, given by its id or by its document."""
    return {"id": node_id, "type": "agent", "settings": {"flow": of, **settings}}


def image_reference(asset_id: object, **about: object) -> dict[str, Any]:
    """Return the value of an image in settings, inputs and outputs."""
    return {"$type": "Image", "asset_id": asset_id, **about}


def chain(*types: str, name: str = "Sample") -> dict[str, object]:
    """Return a flow document with a chain of nodes after an `ask` node."""
    names = ("ask", *types)
    return flow(
        *names, name=name, edges=[f"{a}.output -> {b}.text" for a, b in zip(names, types, strict=False)]
    )


def waiting(name: str) -> dict[str, object]:
    """Return a flow document that waits for the gate with this name."""
    wait = {"id": "wait", "type": "wait", "settings": {"name": name}}
    return flow("ask", wait, edges=["ask.output -> wait.text"])
