"""A website on loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Website:
    """Answers by path: a status, headers and a body; the path /never is not answered while it is served.

    `asked` and `headers` are those of the requests.
    """

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.headers: list[Message] = []
        self.is_over = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                site.headers.append(self.headers)
                if self.path == "/never":
                    site.is_over.wait(60)
                    return
                status, headers, body = site.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def put(self, path: str, body: bytes | str, media_type: str = "text/html", **headers: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.answers[path] = (200, {"Content-Type": media_type, **headers}, data)

    def redirect(self, path: str, target: str) -> None:
        self.answers[path] = (302, {"Location": target}, b"")


@contextmanager
def served() -> Iterator[Website]:
    """Serve a website for the length of the block."""
    site = Website()
    thread = threading.Thread(target=site.server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield site
    finally:
        site.is_over.set()
        site.server.shutdown()
        thread.join()
        site.server.server_close()
