"""OpenTelemetry traces of requests, launches and runs, sent by OTLP/HTTP.

They are off unless `IMPASTO_OTEL_ENDPOINT` is set, and OpenTelemetry is imported only then. Attributes hold
ids, names of node types, providers and models, figures and error codes: no prompt, result, file name, address
or error message, any of which may be private.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING
from urllib.parse import unquote

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from impasto import Configuration
from impasto.errors import NodeError
from impasto_server.settings import Settings
from impasto_server.utils import own_version

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span

SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0"
"""The version of OpenTelemetry's semantic conventions, those of generative AI included, that spans follow."""

Attributes = Mapping[str, str | int | float | bool]
log = structlog.get_logger()
_EXPORT_SECONDS = 5.0
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Tracing:
    """Makes spans and sends them in the background. What the receiver does not take is dropped and logged."""

    def __init__(self, settings: Settings) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

        configuration = settings.configuration
        # What is None here OpenTelemetry looks for in the environment.
        exporter = OTLPSpanExporter(
            endpoint=settings.otel_endpoint,
            headers=settings.otel_header_values,
            timeout=_EXPORT_SECONDS,
            certificate_file=_exporter_option(configuration, "CERTIFICATE"),
            client_certificate_file=_exporter_option(configuration, "CLIENT_CERTIFICATE"),
            client_key_file=_exporter_option(configuration, "CLIENT_KEY"),
        )
        about = {
            **_resource_attributes(configuration),
            "service.name": settings.otel_service_name,
            "service.version": own_version(),
        }
        # The ratio decides by the trace's id alone, so all processes keep or drop the same traces.
        self._provider = TracerProvider(
            sampler=TraceIdRatioBased(settings.otel_ratio),
            resource=Resource.create(about),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter,
                max_queue_size=_number(configuration, "OTEL_BSP_MAX_QUEUE_SIZE"),
                max_export_batch_size=_number(configuration, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
                schedule_delay_millis=_number(configuration, "OTEL_BSP_SCHEDULE_DELAY"),
            )
        )
        self._tracer = self._provider.get_tracer("impasto", own_version(), schema_url=SCHEMA_URL)

    @contextmanager
    def span(
        self, name: str, attributes: Attributes, *, traceparent: str | None = None, is_request: bool = False
    ) -> Iterator["Span"]:
        """Trace the block as a child of the current span, or of the remote `traceparent`.

        Spans that start in the block are its children. An exception marks it as failed, by its class only.
        """
        from opentelemetry.trace import SpanKind

        with self._tracer.start_as_current_span(
            name,
            _context_of(traceparent) if traceparent else None,
            SpanKind.SERVER if is_request else SpanKind.INTERNAL,
            attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                set_error(span, type(error).__name__)
                raise

    def start_span(
        self,
        name: str,
        parent: "Context",
        attributes: Attributes,
        started: float,
        *,
        is_provider_call: bool = False,
    ) -> "Span":
        """Return a span that started at a time in seconds since 1970, to be ended by `end_span`."""
        from opentelemetry.trace import SpanKind

        kind = SpanKind.CLIENT if is_provider_call else SpanKind.INTERNAL
        return self._tracer.start_span(name, parent, kind, attributes, start_time=_nanoseconds(started))

    async def close(self) -> None:
        """Send what has not been sent yet, for at most some seconds."""
        try:
            async with asyncio.timeout(2 * _EXPORT_SECONDS):
                await asyncio.to_thread(self._provider.shutdown)
        except TimeoutError:
            log.warning("the last spans could not be sent")


class TracingMiddleware:
    """Traces each request of the API, as a child of the span that its `traceparent` header names."""

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self.app = app
        self.tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        status = 0

        async def send_with_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        about = {
            "http.request.method": method,
            "impasto.request_id": str(scope.get("state", {}).get("request_id", "")),
        }
        header = next((value for name, value in scope["headers"] if name == b"traceparent"), b"")
        with (
            self.tracing.span(method, about, traceparent=header.decode("latin-1"), is_request=True) as span,
            structlog.contextvars.bound_contextvars(trace_id=trace_id_of(span)),
        ):
            try:
                await self.app(scope, receive, send_with_status)
            finally:
                route = getattr(scope.get("route"), "path", None)
                if route is not None:
                    span.update_name(f"{method} {route}")
                    span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", status)
                if status >= 500:
                    set_error(span, str(status))


def open_tracing(settings: Settings) -> Tracing | None:
    """Return the tracing of this process; None if it is off."""
    return Tracing(settings) if settings.otel_endpoint else None


def traced(
    tracing: Tracing | None, name: str, attributes: Attributes
) -> "AbstractContextManager[Span | None]":
    """Trace the block if tracing is on."""
    return nullcontext() if tracing is None else tracing.span(name, attributes)


def current_traceparent(tracing: Tracing | None) -> str | None:
    """Return the current span as a W3C `traceparent`, for another process; None if there is none."""
    if tracing is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent")


def context_of(traceparent: str | None) -> "Context":
    """Return the context of a remote span: an empty one without a valid `traceparent`."""
    from opentelemetry.context import Context

    return _context_of(traceparent) if traceparent else Context()


def context_in(span: "Span") -> "Context":
    """Return the context of the children of a span."""
    from opentelemetry.context import Context
    from opentelemetry.trace import set_span_in_context

    return set_span_in_context(span, Context())


def trace_id_of(span: "Span") -> str:
    """Return the id of a span's trace, as receivers show it."""
    return f"{span.get_span_context().trace_id:032x}"


def set_error(span: "Span", kind: str) -> None:
    """Mark a span as failed, with the code or the class of the error."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(StatusCode.ERROR)


def end_span(span: "Span", ended: float | None = None) -> None:
    """End a span, at a time in seconds since 1970 or now."""
    span.end(_nanoseconds(time.time() if ended is None else ended))


def error_type(error: BaseException) -> str:
    """Return what `error.type` says of the error of a step: its code."""
    return "cancelled" if isinstance(error, asyncio.CancelledError) else NodeError.wrap(error).code


def _exporter_option(configuration: Configuration, name: str) -> str | None:
    found = (configuration.text(f"OTEL_EXPORTER_OTLP_{one}") for one in (f"TRACES_{name}", name))
    return next(filter(None, found), None)


def _resource_attributes(configuration: Configuration) -> dict[str, str]:
    pairs = (part.partition("=") for part in configuration.text("OTEL_RESOURCE_ATTRIBUTES").split(","))
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs if name.strip()}


def _number(configuration: Configuration, name: str) -> int | None:
    text = configuration.text(name)
    return int(text) if text.isdecimal() else None


def _context_of(traceparent: str) -> "Context":
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent}, Context())


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
