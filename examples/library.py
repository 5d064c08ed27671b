"""Impasto without a server: two nodes, a flow, a run with live events, and a second run from the cache."""

import asyncio
from typing import Annotated

import impasto
from impasto import Catalog, Flow, MemoryCache, Setting, Text, node, start


@node(title="Topic", category="inputs")
async def topic(*, text: Annotated[str, Setting(input=True)] = "tea") -> Text:
    """Return the topic of the slogan."""
    return text


@node(title="Slogan", category="ai_models")
async def slogan(about: Text, *, mood: str = "calm") -> Text:
    """Write a slogan."""
    await asyncio.sleep(0.2)
    return f"{about.capitalize()}, but {mood}."


FLOW = {
    "format": 1,
    "name": "Slogans",
    "nodes": [
        {"id": "topic", "type": "topic"},
        {"id": "calm", "type": "slogan"},
        {"id": "wild", "type": "slogan", "settings": {"mood": "wild"}},
    ],
    "edges": [{"from": "topic.output", "to": "calm.about"}, {"from": "topic.output", "to": "wild.about"}],
}


async def main() -> dict[str, str]:
    """Run the flow twice: the second run reuses every result."""
    plan = impasto.compile(Flow.parse(FLOW), Catalog([topic, slogan]))
    cache = MemoryCache()
    results: dict[str, str] = {}
    for _ in range(2):
        async with start(plan, {"topic": "coffee"}, cache=cache) as run:
            async for event in run.events():
                print(event.seq, event.type, event.step or "")
            results = dict((await run.result()).results)
    return results


if __name__ == "__main__":
    print(asyncio.run(main()))
