"""Time stamps of an RFC 3161 authority: what is sent to it, and what happens without its answer."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tests.server.content_credentials.samples import make_signer, read, sample

from impasto_server.content_credentials import authority, claims
from impasto_server.content_credentials.worker import Operations

GENERATION = {"provider": "replicate", "model": "flux-1.1-pro"}


class _Authority(BaseHTTPRequestHandler):
    """Answers every request with an error, and keeps what it was sent."""

    received: list[tuple[str | None, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.headers["Content-Type"], body))
        self.send_error(503)

    def log_message(self, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def requests() -> Iterator[tuple[str, list[tuple[str | None, bytes]]]]:
    """The URL of an authority, and the requests that it received."""
    received: list[tuple[str | None, bytes]] = []
    handler = type("Handler", (_Authority,), {"received": received})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/stamps", received
    server.shutdown()
    thread.join()
    server.server_close()


def _sign(folder: Path, timestamp_url: str) -> tuple[Path, bytes]:
    make_signer(folder / "own")
    file = str(folder / "own" / authority.FILE)
    setup = {"own": True, "certificates": file, "key": file, "signer": "", "trusted": ""}
    path = folder / "file"
    path.write_bytes(sample("image/png"))
    nature = claims.nature_of(GENERATION, "image", [])
    definition = claims.definition(
        version="1",
        agent="Jugs",
        agent_version=3,
        node_type="paint",
        generation=GENERATION,
        nature=nature,
        signed_at=datetime(2026, 11, 22, 3, 26, tzinfo=UTC),
    )
    header = {
        "path": str(path),
        "target": f"{path}.signed",
        "media_type": "image/png",
        "embedded": True,
        "definition": definition,
        "ingredients": [],
    }
    _, missing = Operations({**setup, "timestamp_url": timestamp_url}).sign(header, [])
    return Path(f"{path}.signed"), missing


def test_only_a_hash_is_sent_to_the_authority_and_its_failure_leaves_the_file_signed(
    tmp_path: Path, requests: tuple[str, list[tuple[str | None, bytes]]]
) -> None:
    url, received = requests
    signed, missing = _sign(tmp_path, url)
    (content_type, body), *_ = received
    assert content_type == "application/timestamp-query"
    assert len(body) < 200
    assert b"flux" not in body
    assert missing
    assert read(make_signer(tmp_path / "own"), signed)["state"] == "trusted"


def test_file_is_signed_while_the_authority_cannot_be_reached(tmp_path: Path) -> None:
    signed, missing = _sign(tmp_path, "http://127.0.0.1:1/stamps")
    assert missing
    assert read(make_signer(tmp_path / "own"), signed)["state"] == "trusted"


def test_no_request_is_sent_without_an_authority(tmp_path: Path) -> None:
    assert _sign(tmp_path, "")[1] == b""
