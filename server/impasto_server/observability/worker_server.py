"""The HTTP server of a worker: /healthz, /readyz and /metrics on a port of its own."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
import uvicorn
from fastapi import FastAPI

from impasto_server.container import AppState
from impasto_server.http.errors import install_error_handlers
from impasto_server.observability import telemetry
from impasto_server.observability.health import router as health_router

log = structlog.get_logger()


@asynccontextmanager
async def serving(app_state: AppState) -> AsyncIterator[None]:
    """Serve for the length of the block, if `IMPASTO_WORKER_METRICS_PORT` is set.

    A port that cannot be used is logged: the worker executes runs all the same.
    """
    listener = _listen(app_state)
    if listener is None:
        yield
        return
    app = FastAPI(openapi_url=None)
    app.state.app_state = app_state
    install_error_handlers(app)
    app.include_router(health_router)
    app.include_router(telemetry.router)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="metrics of the worker")
    with listener:
        try:
            yield
        finally:
            server.should_exit = True
            await asyncio.wait([task])


def _listen(app_state: AppState) -> socket.socket | None:
    settings = app_state.settings
    if settings.worker_metrics_port is None:
        return None
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.worker_metrics_port))
    except OSError as error:
        listener.close()
        address = f"{settings.host}:{settings.worker_metrics_port}"
        log.error("the metrics of this worker are not served", address=address, reason=error.strerror)
        return None
    return listener
