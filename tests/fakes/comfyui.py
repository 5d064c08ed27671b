"""A ComfyUI server: its HTTP and websocket protocol, with a queue that runs one job after another.

It refuses what the real server refuses: unknown fields, nodes and model files that it does not have, inputs
that were not uploaded, workflows without an output node.
"""

import asyncio
import io
import json
import struct
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from PIL import Image
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from tests.fakes.comfyui_workflow import CHECKPOINTS, OUTPUT_NODES, WORKFLOW, invalid, refusal_of
from tests.fakes.serving import in_thread

_PROMPT_FIELDS = {"prompt", "client_id", "prompt_id", "extra_data", "number", "front"}


@dataclass
class Job:
    """One prompt in the queue."""

    number: int
    id: str
    nodes: dict[str, Any]
    extra: dict[str, Any]

    @property
    def entry(self) -> list[Any]:
        outputs = [one for one, node in self.nodes.items() if node["class_type"] in OUTPUT_NODES]
        return [self.number, self.id, self.nodes, self.extra, outputs]


@dataclass
class Server:
    """What the tests set, and what the server has seen. Read and written from both threads.

    `fault` is one way to fail; `held` keeps the job that runs from ending; `previous` are jobs of others
    before the next one. `is_old`: chooses prompt ids itself and ignores the id of an interrupt.
    """

    url: str = ""
    fault: str = ""
    held: bool = False
    is_old: bool = False
    has_socket: bool = True
    sockets_lost: int = 0
    seen: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    pending: list[Job] = field(default_factory=list)
    running: Job | None = None
    history: dict[str, Any] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    interrupted: list[str] = field(default_factory=list)
    clients: dict[str, WebSocket] = field(default_factory=dict)
    is_interrupted: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def previous(self, number: int) -> None:
        """Put jobs of another client before the next one."""
        for _ in range(number):
            self.pending.append(Job(-1, uuid.uuid4().hex, WORKFLOW, {}))

    def restart(self) -> None:
        """Forget queue and history, as a restart does."""
        self.pending.clear()
        self.history.clear()
        self.running = None

    def count(self, request: str) -> int:
        """The number of requests that begin with this method and path."""
        return sum(one.startswith(request) for one in self.seen)


@contextmanager
def serve(port: int = 0) -> Iterator[Server]:
    """Serve until the block ends, on a free port unless one is given."""
    state = Server()
    config = uvicorn.Config(
        _Watch(_app(state), state),
        log_level="critical",
        ws="websockets-sansio",
        lifespan="off",
        access_log=False,
    )
    with in_thread(config, port) as url:
        state.url = url
        yield state


class _Watch:
    """Writes requests down, and fails where that needs no protocol."""

    def __init__(self, app: Any, state: Server) -> None:
        self.app, self.state = app, state

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        self.state.seen.append(f"{scope['method']} {path}")
        fault = self.state.fault
        if fault == "unavailable" or (fault == "unavailable once" and path == "/prompt"):
            self.state.fault = fault if fault == "unavailable" else ""
            await Response("down", 503)(scope, receive, send)
        elif fault == "password":
            await Response("who are you", 401)(scope, receive, send)
        elif fault == "html" and path == "/prompt":
            await Response("<html>", 200)(scope, receive, send)
        elif fault == "hang up" and path == "/prompt":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
            await send({"type": "http.response.body", "body": b"{", "more_body": True})
            raise ConnectionError("hung up on demand")
        else:
            await self.app(scope, receive, send)


class _Handlers:
    def __init__(self, state: Server) -> None:
        self.state = state
        self.tasks: set[asyncio.Task[None]] = set()

    async def post_prompt(self, request: Request) -> Response:
        body = await request.json()
        unknown = set(body) - _PROMPT_FIELDS
        if unknown or "prompt" not in body:
            return invalid("no_prompt", "No prompt provided", f"unknown: {sorted(unknown)}")
        refused = refusal_of(body["prompt"], self.state.uploads)
        if refused is not None:
            return refused
        extra = {**body.get("extra_data", {}), "client_id": body["client_id"]}
        given = None if self.state.is_old else body.get("prompt_id")
        job = Job(len(self.state.jobs), given or str(uuid.uuid4()), body["prompt"], extra)
        self.state.jobs.append(job)
        self.state.pending.append(job)
        if not self.tasks:
            self.tasks.add(asyncio.create_task(_work(self.state)))
        await _status(self.state)
        return JSONResponse({"prompt_id": job.id, "number": job.number, "node_errors": {}})

    async def upload(self, request: Request) -> Response:
        if self.state.fault == "upload too large":
            return Response("too large", 413)
        async with request.form() as form:
            file = form.get("image")
            if not isinstance(file, UploadFile) or set(form) - {"image", "overwrite", "type", "subfolder"}:
                return Response(status_code=400)
            name = str(file.filename)
            self.state.uploads[name] = await file.read()
        return JSONResponse({"name": name, "subfolder": "", "type": "input"})

    async def get_queue(self, request: Request) -> Response:
        running = [self.state.running.entry] if self.state.running else []
        return JSONResponse(
            {"queue_running": running, "queue_pending": [one.entry for one in self.state.pending]}
        )

    async def post_queue(self, request: Request) -> Response:
        for one in (await request.json()).get("delete", []):
            self.state.pending[:] = [job for job in self.state.pending if job.id != one]
        return Response()

    async def interrupt(self, request: Request) -> Response:
        wanted = (await request.json()).get("prompt_id") if not self.state.is_old else None
        if self.state.running and wanted in {None, self.state.running.id}:
            self.state.interrupted.append(self.state.running.id)
            self.state.is_interrupted = True
        return Response()

    async def get_history(self, request: Request) -> Response:
        wanted = request.path_params.get("prompt_id")
        return JSONResponse({one: it for one, it in self.state.history.items() if wanted in {None, one}})

    async def view(self, request: Request) -> Response:
        if self.state.fault == "output deleted":
            return Response(status_code=404)
        if request.query_params.get("type") not in {"output", "temp", "input"}:
            return Response(status_code=400)
        data = b"not an image" if self.state.fault == "damaged" else png()
        return Response(data, media_type="image/png")

    async def object_info(self, request: Request) -> Response:
        name = request.path_params["node"]
        inputs = {"required": {"ckpt_name": [CHECKPOINTS, {}]}}
        return JSONResponse({name: {"input": inputs}} if name == "CheckpointLoaderSimple" else {})

    async def socket(self, connection: WebSocket) -> None:
        if not self.state.has_socket:
            await connection.close(1011)
            return
        await connection.accept()
        client = connection.query_params["clientId"]
        self.state.clients[client] = connection
        await connection.send_json(
            {"type": "status", "data": {"status": {"exec_info": {"queue_remaining": 0}}, "sid": client}}
        )
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await connection.receive_text()
        self.state.clients.pop(client, None)


def _app(state: Server) -> Starlette:
    to = _Handlers(state)
    return Starlette(
        routes=[
            Route("/prompt", to.post_prompt, methods=["POST"]),
            Route("/upload/image", to.upload, methods=["POST"]),
            Route("/queue", to.get_queue, methods=["GET"]),
            Route("/queue", to.post_queue, methods=["POST"]),
            Route("/interrupt", to.interrupt, methods=["POST"]),
            Route("/history", to.get_history),
            Route("/history/{prompt_id}", to.get_history),
            Route("/view", to.view),
            Route("/object_info/{node}", to.object_info),
            WebSocketRoute("/ws", to.socket),
        ]
    )


async def _work(state: Server) -> None:
    while True:
        if state.pending and not (state.held and state.pending[0].number < 0):
            state.running = job = state.pending.pop(0)
            state.is_interrupted = False
            if job.number >= 0:
                status, outputs = await _run(job, state)
                if state.running is job:  # else the server was restarted
                    state.history[job.id] = {
                        "prompt": job.entry,
                        "outputs": outputs,
                        "status": status,
                        "meta": {},
                    }
            if state.running is job:
                state.running = None
            await _status(state)
        await asyncio.sleep(0.01)


async def _run(job: Job, state: Server) -> tuple[dict[str, Any], dict[str, Any]]:
    async def tell(kind: str, **data: Any) -> None:
        messages.append([kind, {"prompt_id": job.id, **data}])
        await _send(state, job, {"type": kind, "data": {"prompt_id": job.id, **data}})

    messages: list[Any] = []
    outputs: dict[str, Any] = {}
    await tell("execution_start")
    await tell("execution_cached", nodes=["4"])
    for one, node in job.nodes.items():
        await tell("executing", node=one, display_node=one)
        if node["class_type"] == "KSampler":
            await tell("progress", value=1, max=4, node=one)
            await _send(state, job, struct.pack(">II", 1, 2) + png())
            if state.sockets_lost:
                state.sockets_lost -= 1
                await state.clients[job.extra["client_id"]].close(1011)
            while state.held and not state.is_interrupted and state.running is job:
                await asyncio.sleep(0.01)
            if state.is_interrupted or state.fault == "stopped":
                await tell("execution_interrupted", node_id=one, node_type="KSampler", executed=[])
                return {"status_str": "error", "completed": False, "messages": messages}, {}
            if state.fault in {"out of memory", "node fails"}:
                await tell("execution_error", node_id=one, node_type="KSampler", **_exception(state.fault))
                return {"status_str": "error", "completed": False, "messages": messages}, {}
        if node["class_type"] in OUTPUT_NODES and state.fault != "no file":
            kind = "output" if node["class_type"] == "SaveImage" else "temp"
            files = [{"filename": f"ComfyUI_{n:05}_.png", "subfolder": "", "type": kind} for n in (1, 2)]
            outputs[one] = {"images": files}
            await tell("executed", node=one, output=outputs[one])
    await tell("executing", node=None)
    await tell("execution_success")
    return {"status_str": "success", "completed": True, "messages": messages}, outputs


def _exception(fault: str) -> dict[str, Any]:
    if fault == "out of memory":
        kind, sentence = "torch.OutOfMemoryError", "Allocation on device 0 would exceed allowed memory."
    else:
        kind, sentence = "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (154x768 and 2048x640)"
    return {"exception_type": kind, "exception_message": f"{sentence}\n", "traceback": ["  File x"]}


async def _status(state: Server) -> None:
    left = len(state.pending) + (state.running is not None)
    message = {"type": "status", "data": {"status": {"exec_info": {"queue_remaining": left}}}}
    for client in list(state.clients.values()):
        await _write(client, message)


async def _send(state: Server, job: Job, message: Any) -> None:
    client = state.clients.get(job.extra.get("client_id", ""))
    if client is not None:
        await _write(client, message)


async def _write(client: WebSocket, message: Any) -> None:
    with suppress(RuntimeError, WebSocketDisconnect, OSError):
        if isinstance(message, bytes):
            await client.send_bytes(message)
        else:
            await client.send_text(json.dumps(message))


def png() -> bytes:
    """A small image."""
    file = io.BytesIO()
    Image.new("RGB", (8, 8), "teal").save(file, "PNG")
    return file.getvalue()
