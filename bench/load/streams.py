"""The server's CPU time for listeners of a run's event stream: live, and replayed after the end."""

import asyncio
import statistics
import time
import uuid
from collections.abc import Iterable
from typing import NamedTuple

import httpx
import orjson
from installation import Installation, cpu_seconds

WORDS, PAUSE, CONNECT = 300, 0.01, 3.0


class Heard(NamedTuple):
    """The result of a measurement: the delays of words by listener, and the server's CPU seconds."""

    cpu: float
    events: int
    delays: list[list[float]]


async def _listen(client: httpx.AsyncClient, url: str, headers: dict) -> tuple[list[int], list[float]]:
    """Return the numbers of a stream's events, and the seconds from each word's time to its receipt."""
    numbers, delays = [], []
    async with client.stream("GET", url, headers=headers) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                event = orjson.loads(line[6:])
                numbers.append(event["seq"])
                if event["type"] == "step.partial":
                    delays.append(time.time() - event["time"])
    return numbers, delays


async def _listen_all(installation: Installation, run_id: str, listeners: int) -> Heard:
    url = f"{installation.url}/runs/{run_id}/events"
    before = cpu_seconds(installation.server)
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as client:
        found = await asyncio.gather(*(_listen(client, url, installation.headers) for _ in range(listeners)))
    cpu = cpu_seconds(installation.server) - before
    expected = list(range(1, len(found[0][0]) + 1))
    if any(numbers != expected for numbers, _ in found):
        raise RuntimeError("a listener missed an event or saw one twice")
    return Heard(cpu, len(expected), [delays for _, delays in found])


def _launch(installation: Installation, agent: str) -> str:
    """Launch the agent with a text of its own, so that no result is reused, and return the run's id."""
    body = {"inputs": {"ask": uuid.uuid4().hex}, "version": "draft"}
    return installation.call("POST", f"/flows/{agent}/runs", json=body)["id"]


def _wait(installation: Installation, run_id: str) -> None:
    while installation.call("GET", f"/runs/{run_id}")["status"] not in ("finished", "failed", "cancelled"):
        time.sleep(0.05)


def measure(installation: Installation, listeners: int, samples: int) -> dict[str, float]:
    """Return medians: microseconds an event and listener, live and replayed, and delays in milliseconds.

    `first` is the delay of the first word, which is streamed once every listener is connected, and `p99` that
    of all words: both from the event's time to its receipt by a client on the same cores. The CPU time
    of the run itself is measured without listeners and not counted.
    """
    settings = {"words": WORDS, "pause": PAUSE, "delay": CONNECT}
    nodes = [{"id": "ask", "type": "ask"}, {"id": "speak", "type": "speak", "settings": settings}]
    agent = installation.make_agent(nodes, [("ask.output", "speak.text")])
    rows = []
    for _ in range(samples):
        before = cpu_seconds(installation.server)
        run_id = _launch(installation, agent)
        time.sleep(CONNECT + WORDS * PAUSE + 1)
        _wait(installation, run_id)
        alone = cpu_seconds(installation.server) - before
        run_id = _launch(installation, agent)
        live = asyncio.run(_listen_all(installation, run_id, listeners))
        replayed = asyncio.run(_listen_all(installation, run_id, listeners))
        heard = live.events * listeners
        rows.append(
            {
                "events": live.events,
                "live": max(0.0, live.cpu - alone) * 1e6 / heard,
                "replayed": replayed.cpu * 1e6 / heard,
                "first": _p99(each[0] for each in live.delays) * 1e3,
                "p99": _p99(delay for each in live.delays for delay in each) * 1e3,
            }
        )
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


def _p99(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[int(len(ordered) * 0.99)]
