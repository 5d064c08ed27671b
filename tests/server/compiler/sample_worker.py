"""A worker process whose operations print, fail, wait and use memory."""

import os
import threading
from typing import Any

import orjson

from impasto_server.compiler.request_loop import answer_requests


class Operations:
    """The operations by name."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._setup = setup

    def echo(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Print, as plugins do, and return the set-up, the rest of the header and the parts."""
        print("printed", flush=True)
        os.write(1, b"written")
        return [orjson.dumps(self._setup), orjson.dumps(header), *parts]

    def allocate(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Use a number of bytes."""
        return [b"%d" % len(bytearray(header["bytes"]))]

    def recurse(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Call itself without an end."""
        return self.recurse(header, parts)

    def fail(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Raise an error whose text is no UTF-8."""
        raise ValueError("a reason \udc80")

    def linger(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Start a thread that does not end by itself."""
        threading.Thread(target=threading.Event().wait, args=(60,)).start()
        return []

    def wait(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Take a minute."""
        threading.Event().wait(60)
        return []


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    answer_requests(Operations)
