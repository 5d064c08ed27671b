"""A worker's handler that answers chats with the drafts of a file, one after the other, as llama.cpp does."""

import http.server
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any


def serve(task: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Serve the drafts in `<model>.drafts.json`; the requests are written to `<model>.asked.json`.

    A draft that ends with "[cut]" has reached its limit there.
    """
    model = Path(task["model"])
    report(0.0, f"Loading with {task['threads']} threads")
    drafts = json.loads(model.with_suffix(".drafts.json").read_text("utf-8"))
    asked: list[dict[str, Any]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            """Keep the test's output clean."""

        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            model.with_suffix(".asked.json").write_text(json.dumps(asked), "utf-8")
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            draft = drafts[(len(asked) - 1) % len(drafts)]
            text = draft.removesuffix("[cut]")
            for word in text.split(" "):
                self._send({"delta": {"content": f"{word} "}, "index": 0, "finish_reason": None})
            self._send({"delta": {}, "index": 0, "finish_reason": "stop" if text == draft else "length"})
            self.wfile.write(b"data: [DONE]\n\n")

        def _send(self, choice: dict[str, Any]) -> None:
            chunk = {
                "id": "c",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return {"address": f"http://127.0.0.1:{server.server_port}"}
