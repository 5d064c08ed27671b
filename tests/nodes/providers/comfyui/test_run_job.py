"""A job is queued once, found again, followed to its end and cancelled."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from tests.fakes.reports import seen_by, shown
from websockets.asyncio import client
from websockets.asyncio.server import ServerConnection, serve

from impasto.testing import FakeContext
from impasto_nodes.providers.comfyui import job as module
from impasto_nodes.providers.comfyui.client import ComfyUI
from impasto_nodes.providers.comfyui.errors import JobLost, JobStopped
from impasto_nodes.providers.comfyui.job import run_job
from impasto_nodes.providers.errors import ProviderError

pytestmark = pytest.mark.anyio
NODES = {"3": {"class_type": "KSampler"}}
MEMO = {"order": "order", "client_id": "client", "prompt_id": "mine"}
DONE: dict[str, Any] = {"outputs": {"3": {}}, "status": {"status_str": "success", "completed": True}}
Queue = tuple[list[Any], list[Any]]


class Script:
    """A server's answers: its queue at each look, its history by prompt id, and what it was asked."""

    def __init__(self) -> None:
        self.queues: list[Queue | int] = []
        self.history: dict[str, Any] = {}
        self.latest: dict[str, Any] = {}
        self.submitted: httpx.Response = httpx.Response(200, json={"prompt_id": "mine"})
        self.asked: list[tuple[str, Any]] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "POST":
            self.asked.append((path, orjson.loads(request.content)))
            return self.submitted if path == "/prompt" else httpx.Response(200, json={})
        if path == "/queue":
            queue = self.queues.pop(0) if self.queues else ([], [])
            if isinstance(queue, int):
                return httpx.Response(queue, json={})
            return httpx.Response(200, json={"queue_running": queue[0], "queue_pending": queue[1]})
        if path == "/history":
            return httpx.Response(200, json=self.latest)
        name = path.removeprefix("/history/")
        return httpx.Response(200, json={name: self.history[name]} if name in self.history else {})

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    monkeypatch.setattr(module, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(module, "_MIN_POLL_SECONDS", 0.0)
    return Script()


def server_of(answer: Callable[[httpx.Request], Any], address: str = "http://127.0.0.1:9") -> ComfyUI:
    """Return a client of a server with these answers. Nothing listens at the usual address."""
    return ComfyUI(httpx.AsyncClient(base_url=address, transport=httpx.MockTransport(answer)), address)


@pytest.fixture
def server(script: Script) -> ComfyUI:
    return server_of(script.answer)


def entry(number: int, prompt_id: str, **extra: Any) -> list[Any]:
    return [number, prompt_id, {}, extra]


MINE, OTHER = entry(5, "mine"), entry(1, "other")


async def test_new_job_is_queued_remembered_and_followed(
    script: Script, server: ComfyUI, context: FakeContext
) -> None:
    script.queues = [([OTHER], [entry(2, "another"), MINE]), ([OTHER], [MINE]), ([], [MINE]), ([MINE], [])]
    script.history["mine"] = DONE
    others = asyncio.all_tasks()
    assert await run_job(server, NODES, seen_by(context)) == DONE
    assert asyncio.all_tasks() == others, "the websocket is no longer read"
    ((path, body),) = script.asked
    assert path == "/prompt"
    assert body["prompt"] == NODES
    memo = context.memory["comfyui job"]
    assert memo == {"order": body["prompt_id"], "client_id": body["client_id"], "prompt_id": "mine"}
    assert len({*memo.values()}) == 3
    assert shown(context) == [
        (0.0, "Waiting in ComfyUI's queue: 2 before this one"),
        (0.0, "Waiting in ComfyUI's queue: 1 before this one"),
        (0.0, "Starting"),
    ]


@pytest.mark.parametrize(
    ("queue", "history", "latest", "prompt_id"),
    [
        (([MINE], []), {}, {}, "mine"),
        (([], [MINE]), {}, {}, "mine"),
        (([entry(1, "order")], []), {}, {}, "order"),
        (([entry(1, "theirs", impasto_order="order")], []), {}, {}, "theirs"),
        (([OTHER], []), {"mine": DONE}, {}, "mine"),
        (([OTHER], []), {"order": DONE}, {}, "order"),
        (([], []), {}, {"theirs": {"prompt": entry(1, "theirs", impasto_order="order")} | DONE}, "theirs"),
        (([], []), {}, {"other": {"prompt": OTHER}, "mine": DONE, "odd": 5}, "mine"),
        (([], []), {}, {"mine": {"prompt": [1, "mine", {}]} | DONE}, "mine"),
    ],
)
async def test_job_of_an_earlier_attempt_is_found_by_its_ids(
    script: Script,
    server: ComfyUI,
    context: FakeContext,
    queue: Queue,
    history: dict[str, Any],
    latest: dict[str, Any],
    prompt_id: str,
) -> None:
    context.memory["comfyui job"] = MEMO
    script.queues, script.history, script.latest = [queue], history, latest
    step = asyncio.ensure_future(run_job(server, NODES, seen_by(context)))
    await asyncio.sleep(0)
    script.history[prompt_id] = DONE
    assert await step == DONE
    assert script.asked == []


async def test_job_that_the_server_no_longer_knows_is_queued_again(
    script: Script, server: ComfyUI, context: FakeContext
) -> None:
    context.memory["comfyui job"] = MEMO | {"prompt_id": ""}
    script.queues = [([OTHER], []), ([entry(1, "new")], [])]
    script.latest = {"other": {"prompt": OTHER}}
    script.submitted = httpx.Response(200, json={"prompt_id": "new"})
    script.history["new"] = DONE
    assert await run_job(server, NODES, seen_by(context)) == DONE
    assert script.paths() == ["/prompt"]
    assert context.memory["comfyui job"]["prompt_id"] == "new"


async def test_job_that_is_nowhere_three_times_is_lost(
    script: Script, server: ComfyUI, context: FakeContext
) -> None:
    nowhere: Queue = ([], [])
    script.queues = [nowhere, nowhere, ([MINE], []), nowhere, nowhere, nowhere, ([MINE], [])]
    with pytest.raises(JobLost):
        await run_job(server, NODES, seen_by(context))
    assert len(script.queues) == 1
    assert context.memory["comfyui job"] is None


async def test_look_that_fails_in_passing_is_repeated_four_times(
    script: Script, server: ComfyUI, context: FakeContext
) -> None:
    script.history["mine"] = DONE
    script.queues = [503, 503, 503, 503, ([MINE], []), 503]
    assert await run_job(server, NODES, seen_by(context)) == DONE
    script.queues = [503] * 6
    with pytest.raises(ProviderError) as raised:
        await run_job(server, NODES, seen_by(FakeContext()))
    assert raised.value.code == "provider_unavailable"
    assert len(script.queues) == 1


async def test_look_that_is_refused_is_not_repeated(
    script: Script, server: ComfyUI, context: FakeContext
) -> None:
    script.queues = [401, 401]
    with pytest.raises(ProviderError) as raised:
        await run_job(server, NODES, seen_by(context))
    assert raised.value.code == "wrong_credential"
    assert len(script.queues) == 1


def status(*messages: Any, **facts: Any) -> dict[str, Any]:
    return {"status": {"status_str": "error", "completed": False, "messages": list(messages)} | facts}


@pytest.mark.parametrize("found", [{}, {"status": None}, {"status": {}}, {"status": {"completed": True}}])
async def test_job_without_a_status_has_succeeded(
    script: Script, server: ComfyUI, context: FakeContext, found: dict[str, Any]
) -> None:
    script.history["mine"] = found | {"outputs": {}}
    assert await run_job(server, NODES, seen_by(context)) == found | {"outputs": {}}


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        (
            status(["execution_error", {"node_id": "3", "exception_message": "mat1"}]),
            "generation_failed",
            "'KSampler' (node 3) failed: mat1",
        ),
        (status(status_str="success"), "generation_failed", "it gave no reason"),
        (status(completed=True), "generation_failed", "it gave no reason"),
        (status(["execution_error", "odd"], ["one"], 5), "generation_failed", "it gave no reason"),
        (status(messages="odd"), "generation_failed", "it gave no reason"),
        (status(["execution_interrupted", {}]), "job_stopped", "stopped in ComfyUI"),
    ],
)
async def test_job_that_failed_says_why_and_is_forgotten(
    script: Script, server: ComfyUI, context: FakeContext, found: dict[str, Any], code: str, words: str
) -> None:
    script.history["mine"] = found
    with pytest.raises(ProviderError) as raised:
        await run_job(server, NODES, seen_by(context))
    assert raised.value.code == code
    assert words in raised.value.message
    assert isinstance(raised.value, JobStopped) is (code == "job_stopped")
    assert context.memory["comfyui job"] is None


@pytest.mark.parametrize(("answer", "is_kept"), [(400, False), (401, False), (503, True)])
async def test_only_a_request_that_may_have_arrived_is_remembered(
    script: Script, server: ComfyUI, context: FakeContext, answer: int, is_kept: bool
) -> None:
    script.submitted = httpx.Response(answer, json={"error": {"message": "no"}})
    with pytest.raises(ProviderError):
        await run_job(server, NODES, seen_by(context))
    memo = context.memory["comfyui job"]
    assert (memo is not None) is is_kept
    assert memo is None or memo["prompt_id"] == ""


@pytest.mark.parametrize(
    ("abandoned", "running", "asked"),
    [
        (False, [OTHER], ["/prompt", "/queue"]),
        (False, [MINE], ["/prompt", "/queue", "/interrupt"]),
        (True, [MINE], ["/prompt"]),
    ],
)
async def test_cancelled_step_removes_or_interrupts_its_own_job_only(
    script: Script,
    server: ComfyUI,
    context: FakeContext,
    abandoned: bool,
    running: list[Any],
    asked: list[str],
) -> None:
    context.abandoned = abandoned
    script.queues = [([OTHER], [MINE])] * 3 + [(running, [])] * 1_000
    looks = len(script.queues)
    step = asyncio.ensure_future(run_job(server, NODES, seen_by(context)))
    while len(script.queues) > looks - 3:
        assert not step.done()
        await asyncio.sleep(0)
    script.queues = [(running, [])]
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert script.paths() == asked
    deleted = [body for path, body in script.asked if path == "/queue"]
    assert deleted == ([] if abandoned else [{"delete": ["mine"]}])


@pytest.mark.parametrize(
    ("abandoned", "queue", "asked", "said"),
    [
        (False, ([MINE], []), ["/prompt", "/queue", "/interrupt"], []),
        (False, 503, ["/prompt", "/queue"], ["Failed to cancel the ComfyUI job mine: "]),
        (True, ([MINE], []), ["/prompt"], []),
    ],
    ids=["running", "busy", "abandoned"],
)
async def test_job_of_a_step_that_is_cancelled_before_the_answer_is_removed_with_its_id(
    script: Script,
    context: FakeContext,
    caplog: pytest.LogCaptureFixture,
    abandoned: bool,
    queue: Queue | int,
    asked: list[str],
    said: list[str],
) -> None:
    caplog.set_level(logging.WARNING, logger="impasto.step")
    context.abandoned = abandoned
    script.queues = [queue]
    sent, answered = asyncio.Event(), asyncio.Event()

    async def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/prompt":
            sent.set()
            await answered.wait()
        return script.answer(request)

    step = asyncio.ensure_future(run_job(server_of(answer), NODES, seen_by(context)))
    await sent.wait()
    step.cancel()
    await asyncio.sleep(0)
    answered.set()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert script.paths() == asked
    assert [text.partition("status")[0] for text in caplog.messages] == said


async def test_job_is_looked_at_once_for_each_change(
    script: Script,
    server: ComfyUI,
    context: FakeContext,
    pauses: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "POLL_SECONDS", 60.0)
    monkeypatch.setattr(module, "_MIN_POLL_SECONDS", 0.2)

    has_changed = asyncio.Event()

    @asynccontextmanager
    async def refuse(*args: object, **options: object) -> AsyncIterator[None]:
        await has_changed.wait()
        raise ValueError  # the server has no websocket: that is the one change
        yield

    monkeypatch.setattr(client, "connect", refuse)
    script.queues = [([MINE], [])] * 100
    step = asyncio.ensure_future(run_job(server, NODES, seen_by(context)))
    for left in (99, 98):
        for _ in range(300):
            await asyncio.sleep(0)
        assert len(script.queues) == left
        has_changed.set()
    assert pauses == [0.2, 0.2]
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step


async def test_job_of_a_connected_server_is_looked_at_seldom_unless_a_look_was_in_vain(
    script: Script, context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    often, seldom, waits, timeout = 111.0, 222.0, [], asyncio.timeout
    monkeypatch.setattr(module, "POLL_SECONDS", often)
    monkeypatch.setattr(module, "CONNECTED_POLL_SECONDS", seldom)
    connected: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()

    def recorded(seconds: float | None) -> asyncio.Timeout:
        if seconds not in {often, seldom}:
            return timeout(seconds)
        waits.append(seconds)
        return timeout(0)

    async def take(connection: ServerConnection) -> None:
        await (await connection.ping())
        connected.set_result(connection)
        await connection.wait_closed()

    async def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/prompt":
            begins = {"node": "3", "prompt_id": orjson.loads(request.content)["prompt_id"]}
            connection = await connected
            await connection.send(orjson.dumps({"type": "executing", "data": begins}).decode())
            await (await connection.ping())
        return script.answer(request)

    script.queues = [([MINE], []), 503, ([], []), ([MINE], []), ([], [])]
    monkeypatch.setattr(asyncio, "timeout", recorded)
    async with serve(take, "127.0.0.1", 0) as socket:
        address = f"http://127.0.0.1:{next(iter(socket.sockets)).getsockname()[1]}"
        step = asyncio.ensure_future(run_job(server_of(answer, address), NODES, seen_by(context)))
        while script.queues[1:]:
            assert not step.done()
            await asyncio.sleep(0)
        script.history["mine"] = DONE
        assert await step == DONE
    assert waits == [seldom, often, often, seldom]
    assert shown(context) == [(0.0, "KSampler")], "the job began before its request was answered"


async def test_server_that_does_not_answer_does_not_hold_up_a_cancelled_step(
    script: Script, context: FakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FINAL_SECONDS", 0.0)
    looked = asyncio.Event()

    async def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/queue":
            looked.set()
            await asyncio.Event().wait()
        return script.answer(request)

    step = asyncio.ensure_future(run_job(server_of(answer), NODES, seen_by(context)))
    await looked.wait()
    step.cancel()
    async with asyncio.timeout(20):
        with pytest.raises(asyncio.CancelledError):
            await step
    assert script.paths() == ["/prompt"]
