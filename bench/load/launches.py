"""The rate and the CPU time of runs in process and on a worker, compared with plain Celery."""

import itertools
import json
import os
import statistics
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from subprocess import DEVNULL, Popen
from typing import NamedTuple

from installation import HERE, Installation, cpu_seconds

SHAPES = {
    "sequence of 3": ("chain", 3),
    "fan-out of 10": ("fan", 10),
    "chain of 40": ("chain", 40),
    "sequence of 100": ("chain", 100),
}
_ENDS = ("event: run.finished", "event: run.failed", "event: run.cancelled")


class Row(NamedTuple):
    """Runs per second, CPU milliseconds of a run in all processes, and its median milliseconds."""

    rate: float
    cpu: float
    median: float


def agent_of(installation: Installation, shape: str, size: int) -> str:
    """Create an agent whose runs have `size` steps after its input, and return its id."""
    adding = [{"id": f"s{number}", "type": "add"} for number in range(size)]
    ask = {"id": "ask", "type": "ask"}
    if shape == "chain":
        names = ["ask", *(node["id"] for node in adding)]
        edges = [(f"{before}.output", f"{after}.text") for before, after in itertools.pairwise(names)]
        return installation.make_agent([ask, *adding], edges)
    edges = [("ask.output", f"{node['id']}.text") for node in adding]
    edges += [(f"{node['id']}.output", "join.texts") for node in adding]
    return installation.make_agent([ask, *adding, {"id": "join", "type": "join"}], edges)


def of_installation(
    installation: Installation, processes: Sequence[Popen], name: str, runs: int, at_once: int
) -> Row:
    """Measure runs of a shape on an installation whose work is done by these processes."""
    agent = agent_of(installation, *SHAPES[name])
    # One connection a thread. The client takes the time of the processes that it measures: the standard
    # library's takes a third of that of httpx.
    local = threading.local()

    def request(method: str, path: str, body: bytes | None = None) -> HTTPResponse:
        if not hasattr(local, "connection"):
            local.connection = HTTPConnection("127.0.0.1", installation.port, timeout=120)
        headers = {**installation.headers, "Content-Type": "application/json"}
        local.connection.request(method, f"/api/v1{path}", body, headers)
        response: HTTPResponse = local.connection.getresponse()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {response.read()[:500]!r}")
        return response

    def one() -> None:
        body = {"inputs": {"ask": uuid.uuid4().hex}, "version": "draft"}
        with request("POST", f"/flows/{agent}/runs", json.dumps(body).encode()) as response:
            run = json.load(response)["id"]
        with request("GET", f"/runs/{run}/events") as response:
            lines = response.read().decode().splitlines()
        end = next(line for line in lines if line in _ENDS)
        if end != _ENDS[0]:
            raise RuntimeError(f"a run ended with {end}")

    return _measure(one, processes, runs, at_once)


def of_plain_celery(redis_url: str, name: str, runs: int, at_once: int) -> Row:
    """Measure the same shape as plain Celery tasks on one worker with as many threads as runs at once."""
    import plain_celery

    plain_celery.app.conf.update(broker_url=redis_url, result_backend=redis_url)
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "plain_celery",
        "worker",
        "-c",
        str(at_once),
        "--loglevel",
        "error",
    ]
    worker = Popen(
        [*command, "--pool", "threads"],
        cwd=HERE,
        env={**os.environ, "PLAIN_CELERY_URL": redis_url},
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        plain_celery.run("chain", 1, "warm")
        shape, size = SHAPES[name]
        return _measure(lambda: plain_celery.run(shape, size, uuid.uuid4().hex), [worker], runs, at_once)
    finally:
        worker.terminate()
        worker.wait(60)


def _measure(one: Callable[[], None], processes: Sequence[Popen], runs: int, at_once: int) -> Row:
    one()
    seconds: list[float] = []
    lock = threading.Lock()

    def timed(_: int) -> None:
        begun = time.perf_counter()
        one()
        with lock:
            seconds.append(time.perf_counter() - begun)

    before = sum(map(cpu_seconds, processes))
    begun = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(timed, range(runs)))
    wall = time.perf_counter() - begun
    cpu = sum(map(cpu_seconds, processes)) - before
    return Row(runs / wall, cpu * 1e3 / runs, statistics.median(seconds) * 1e3)
