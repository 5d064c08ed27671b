"""Clients of httpx share the TLS context of the process: reading the certificates stops the event loop."""

import ast
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from impasto.sdk.http_client import client, tls_context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.elevenlabs.connection import connected as elevenlabs
from impasto_nodes.providers.litellm.lazy_import import load
from impasto_nodes.providers.preload import preload
from impasto_nodes.providers.replicate.connection import connected as replicate

ROOT = Path(__file__).parents[3]
MAKERS = {"httpx.AsyncClient", "httpx.Client", "httpx.AsyncHTTPTransport", "_FailFastTransport"}
ACCESS = Access(provider="elevenlabs", key="k", address="http://127.0.0.1:9")


def made_without_context(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        is_made = isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS
        if is_made and {"verify", "transport"}.isdisjoint(argument.arg for argument in node.keywords):
            yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_each_client_is_made_with_a_context() -> None:
    sources = [path for part in ("engine", "nodes", "server") for path in (ROOT / part).rglob("*.py")]
    assert len(sources) > 700
    assert [place for path in sources for place in made_without_context(path)] == []


@pytest.mark.anyio
async def test_no_client_reads_the_certificates_that_the_server_has_preloaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tls_context.cache_clear()
    litellm = load()
    monkeypatch.setattr(litellm, "telemetry", True)
    preload()
    assert not litellm.telemetry, "the library is configured as well"
    read: list[tuple[object, ...]] = []
    for name in ("load_verify_locations", "load_default_certs"):
        monkeypatch.setattr(ssl.SSLContext, name, lambda self, *args, **options: read.append(args))
    context = tls_context()
    assert (context.verify_mode, context.check_hostname, read) == (ssl.CERT_REQUIRED, True, [])
    async with client(), client(allow_private_hosts=True), elevenlabs(ACCESS), replicate(ACCESS, "m"):
        assert read == []
