"""Structured logs and Prometheus metrics."""

import hmac
import logging
import sys
from contextlib import suppress
from typing import Any

import structlog
from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from impasto_server.container import AppState
from impasto_server.http.errors import NotAuthenticated, NotFound
from impasto_server.observability.collect import Collector
from impasto_server.security.masking import mask_passwords
from impasto_server.settings import Settings

router = APIRouter(tags=["system"], include_in_schema=False)


class MetricsTokenInvalid(NotAuthenticated):
    """The request has no token of `IMPASTO_METRICS_TOKEN`, or a wrong one."""

    def __init__(self) -> None:
        super().__init__("The metrics need the bearer token of IMPASTO_METRICS_TOKEN.")


_collector = Collector()


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the metrics for Prometheus, if IMPASTO_METRICS is on and the request has the token."""
    app_state: AppState = request.app.state.app_state
    settings = app_state.settings
    if not settings.metrics or settings.metrics_token is None:
        raise NotFound
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    expected = settings.metrics_token.get_secret_value()
    # compare_digest takes the same time for every wrong token. It needs bytes for text that is not ASCII.
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), expected.encode()):
        raise MetricsTokenInvalid
    await _collector.collect(app_state)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _mask_line(_logger: object, _method: str, line: Any) -> str:
    """Mask what errors of libraries quote, such as the endpoint of a storage that does not respond."""
    return mask_passwords(line)


class _LineLogger(structlog.PrintLogger):
    """Loses a line that cannot be written, as on a full disk: what it is about must not fail by it."""

    def msg(self, message: str) -> None:
        """Write a line."""
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg


def configure_logging(settings: Settings) -> None:
    """Log to standard error in the configured format and from the configured level.

    The lines of libraries have the same format; of them, only warnings and errors are written.
    """
    level = getattr(logging, settings.log_level.upper())
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # Plain tracebacks: local variables could reveal secrets in the log, and rendering them is slow.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    about: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        # What `context.log` of a node adds to its lines.
        structlog.stdlib.ExtraAdder(["run_id", "step"]),
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render = [structlog.processors.format_exc_info, renderer] if settings.log_format == "json" else [renderer]
    render.append(_mask_line)
    structlog.configure(
        processors=[*about, *render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _LineLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=about, processors=[strip, *render])
    )
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)
