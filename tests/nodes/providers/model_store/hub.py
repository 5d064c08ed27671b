"""A model hub on loopback: the API of metadata, and files with ranges."""

import hashlib
import http.server
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

CONTENT = b"GGUF" + bytes(range(256)) * 20_000
REVISION = "9217f5db79a29953eb74d5343926648285ec7e67"


@dataclass
class Hub:
    """A running hub.

    `others` are files beside `file`; of those up to 10,000 bytes it states git's hash, as hubs do. If
    `is_moved`, it redirects to another address for `file`. `tokens` are the Authorization headers that it has
    received.
    `cut_after`: bytes after which an answer ends, and its connection with it. `holds_after`: bytes after
    which it waits until the hub closes. After `max_answers` files every further request fails with the status
    `refusal`; `refused` counts those.
    """

    address: str = ""
    repository: str = "maker/Tiny-GGUF"
    file: str = "tiny-q4.gguf"
    content: bytes = CONTENT
    others: dict[str, bytes] = field(default_factory=dict)
    is_moved: bool = False
    stated_sha256: str = hashlib.sha256(CONTENT).hexdigest()
    cut_after: int | None = None
    holds_after: int | None = None
    max_answers: int | None = None
    refusal: int = 503
    refused: int = 0
    takes_ranges: bool = True
    closed: threading.Event = field(default_factory=threading.Event)
    starts: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"/{self.repository}/resolve/{REVISION}/{self.file}"

    @property
    def url(self) -> str:
        return f"{self.address}{self.path}"

    def content_at(self, path: str) -> bytes | None:
        if path in {self.path, "/moved"}:
            return self.content
        return self.others.get(path.rpartition("/")[2]) if "/resolve/" in path else None

    def described(self) -> dict[str, object]:
        lfs = {"sha256": self.stated_sha256, "size": len(self.content), "pointerSize": 135}
        card = {"rfilename": "README.md", "size": 10, "blobId": "b"}
        model = {"rfilename": self.file, "size": len(self.content), "blobId": "a", "lfs": lfs}
        return {
            "id": self.repository,
            "sha": REVISION,
            "siblings": [card, model, *(_described(*one) for one in self.others.items())],
            "cardData": {"license": "apache-2.0"},
            "tags": [],
            "private": False,
            "downloads": 1,
            "likes": 1,
        }


def _described(name: str, content: bytes) -> dict[str, object]:
    git = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    described: dict[str, object] = {"rfilename": name, "size": len(content), "blobId": git}
    if len(content) > 10_000:
        lfs = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 135}
        described["lfs"] = lfs
    return described


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that ends early is what some tests are about."""


@contextmanager
def running_hub() -> Iterator[Hub]:
    """Run a hub until the block ends."""
    hub = Hub()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            """Keep the test's output clean."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            hub.tokens += self.headers.get_all("Authorization", [])
            if path == f"/api/models/{hub.repository}":
                self._send(200, json.dumps(hub.described()).encode(), "application/json")
            elif hub.is_moved and path == hub.path:
                self.send_response(302)
                self.send_header("Location", f"{hub.address}/moved")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif (content := hub.content_at(path)) is not None:
                self._send_file(content)
            else:
                self.send_response(404)
                self.send_header("X-Error-Code", "RepoNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()

        def _send_file(self, content: bytes) -> None:
            found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")) if hub.takes_ranges else None
            start = int(found[1]) if found else 0
            if hub.max_answers is not None and len(hub.starts) >= hub.max_answers:
                hub.refused += 1
                self._send(hub.refusal, b"", "text/plain")
                return
            hub.starts.append(start)
            self._send(206 if found else 200, content[start:], "application/octet-stream", hub.cut_after)

        def _send(self, status: int, body: bytes, kind: str, max_bytes: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            max_bytes = (
                hub.holds_after
                if max_bytes is None and status != 404 and kind.endswith("stream")
                else max_bytes
            )
            self.wfile.write(body[:max_bytes])
            if kind.endswith("stream") and hub.holds_after is not None:
                self.wfile.flush()
                hub.closed.wait(30)

    with _Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        hub.address = f"http://127.0.0.1:{server.server_port}"
        yield hub
        hub.closed.set()
        server.shutdown()
