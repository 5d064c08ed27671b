"""Structured logs and Prometheus metrics."""

import logging
import sys

import structlog
from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, Histogram, generate_latest

from impasto_server.http.errors import NotFound
from impasto_server.settings import Settings

REQUEST_SECONDS = Histogram(
    "impasto_request_seconds", "Seconds from request to response", ["method", "route", "status"]
)

router = APIRouter(tags=["system"], include_in_schema=False)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the metrics for Prometheus, if IMPASTO_METRICS is on."""
    settings: Settings = request.app.state.app_state.settings
    if not settings.metrics:
        raise NotFound
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def configure_logging(settings: Settings) -> None:
    """Log to standard error in the configured format and from the configured level."""
    level = getattr(logging, settings.log_level.upper())
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # Plain tracebacks: local variables could reveal secrets in the log, and rendering them is slow.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([structlog.processors.format_exc_info] if settings.log_format == "json" else []),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=max(level, logging.WARNING), stream=sys.stderr, force=True)
