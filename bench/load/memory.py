"""The memory of a server while it executes thousands of runs."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import httpx
from installation import Installation
from launches import agent_of

_AT_ONCE = 4
_ENDS = ("event: run.finished", "event: run.failed", "event: run.cancelled")


class Reading(NamedTuple):
    """The number of runs that have ended, and the server's resident memory in MiB then."""

    runs: int
    mebibytes: float


def measure(installation: Installation, runs: int, every: int) -> Iterator[Reading]:
    """Execute runs of three steps, and yield the server's memory before them and after each `every`."""
    agent = agent_of(installation, "chain", 3)
    yield Reading(0, resident_mebibytes(installation.server))
    with httpx.Client(timeout=120) as client, ThreadPoolExecutor(_AT_ONCE) as pool:
        for done in range(every, runs + 1, every):
            installation.sign_in()
            client.headers.update(installation.headers)
            launched = list(pool.map(lambda _: _launch(installation, client, agent), range(every)))
            # Runs start in their order and a few at a time: the others have ended before the last ones.
            list(pool.map(lambda run_id: _follow(installation, client, run_id), launched[-3 * _AT_ONCE :]))
            yield Reading(done, resident_mebibytes(installation.server))


def resident_mebibytes(process: Popen) -> float:
    """Return the resident memory of a process, without its children."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _launch(installation: Installation, client: httpx.Client, agent: str) -> str:
    body = {"inputs": {"ask": uuid.uuid4().hex}, "version": "draft"}
    response = client.post(f"{installation.url}/flows/{agent}/runs", json=body)
    response.raise_for_status()
    return response.json()["id"]


def _follow(installation: Installation, client: httpx.Client, run_id: str) -> None:
    with client.stream("GET", f"{installation.url}/runs/{run_id}/events") as stream:
        end = next(line for line in stream.iter_lines() if line in _ENDS)
    if end != _ENDS[0]:
        raise RuntimeError(f"a run ended with {end}")
