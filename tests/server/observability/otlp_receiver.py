"""A receiver of traces by OTLP/HTTP, on the loopback interface."""

import asyncio
import gzip
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

__all__ = ["receiver"]


@dataclass(frozen=True)
class Span:
    """One received span, with the attributes as text."""

    id: str
    parent: str
    trace: str
    name: str
    kind: int
    seconds: float
    is_error: bool
    schema: str
    service: str
    attributes: dict[str, str]


class Receiver:
    """Collects spans, and the requests as they came."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.spans: list[Span] = []

    def take(self, body: bytes, headers: dict[str, str]) -> None:
        """Parse one request."""
        content = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
        request = ExportTraceServiceRequest()
        request.ParseFromString(content)
        self.bodies.append(content)
        self.headers.append(headers)
        for resource in request.resource_spans:
            service = _texts(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [_span(span, scope.schema_url, service) for span in scope.spans]

    async def wait_for(self, found: Callable[[list[Span]], bool]) -> list[Span]:
        """Return all spans once they satisfy the condition. Raises TimeoutError after 30 s."""
        async with asyncio.timeout(30):
            while not found(self.spans):
                await asyncio.sleep(0.05)
        return self.spans

    def one(self, name: str) -> Span:
        """Return the only span of a name."""
        found = [span for span in self.spans if span.name == name]
        assert len(found) == 1, [span.name for span in self.spans]
        return found[0]


@contextmanager
def receiving(certificate: tuple[Path, Path] | None = None) -> Iterator[Receiver]:
    """Receive traces for the length of the block; with a certificate and its key, by https only."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.take(body, {name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Write no lines."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        scheme = "http" if certificate is None else "https"
        receiver.url = f"{scheme}://127.0.0.1:{server.server_port}/v1/traces"
        try:
            yield receiver
        finally:
            server.shutdown()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Return a receiver of traces."""
    with receiving() as found:
        yield found


def _span(span: Any, schema: str, service: str) -> Span:
    return Span(
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.trace_id.hex(),
        span.name,
        span.kind,
        (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
        span.status.code == span.status.STATUS_CODE_ERROR,
        schema,
        service,
        _texts(span.attributes),
    )


def _texts(attributes: Any) -> dict[str, str]:
    return {item.key: str(getattr(item.value, item.value.WhichOneof("value"))) for item in attributes}
