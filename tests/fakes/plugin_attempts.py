"""A plugin whose nodes try what their setting says; tests install it and run them in worker processes."""

import ctypes
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from impasto import Any, Context, node


class Answer:
    """Runs a command where it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self):
        return (os.system, (self.command,))


@dataclass(frozen=True)
class Note:
    text: str


@node(id="acme_attempt", cpu=True)
def attempt(*, how: str, target: str = "", context: Context) -> Any:
    return globals()[how](target, context)


def own_files(target, context):
    path = context.temp_dir / "note"
    path.write_text("hi")
    stored = context.store(path, "text/plain")
    with context.open(stored) as copy:
        return Note(Path(copy).read_text())


def process(target, context):
    return os.getpid()


def connect(target, context):
    host, port = target.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=5) as found:
        return found.recv(5).decode()


def native_connect(target, context):
    libc = ctypes.CDLL(None, use_errno=True)
    host, port = target.rsplit(":", 1)
    address = (
        (2).to_bytes(2, sys.byteorder) + int(port).to_bytes(2, "big") + socket.inet_aton(host) + bytes(8)
    )
    if libc.connect(libc.socket(2, 1, 0), address, 16) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "connected"


def run(target, context):
    return subprocess.run([sys.executable, "-c", "print('ran')"], capture_output=True, text=True).stdout


def fork(target, context):
    if (child := os.fork()) == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "forked"


def native_run(target, context):
    return ctypes.CDLL(None).system(target.encode()) == 0


def read(target, context):
    return Path(target).read_text()


def native_read(target, context):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.open(target.encode(), 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "opened"


def listed(target, context):
    return [path.name for path in Path(target).iterdir()]


def write(target, context):
    Path(target).write_text("written")
    return "written"


def remove(target, context):
    Path(target).unlink()
    return "removed"


def store(target, context):
    return context.read(context.store(Path(target), "text/plain")).decode()


def store_link(target, context):
    link = context.temp_dir / "link"
    link.symlink_to(target)
    return store(link, context)


def variable(target, context):
    return os.environ[target]


def configured(target, context):
    return context.configuration.text(target)


def start_environment(target, context):
    return Path("/proc/self/environ").read_text()


def environment_of_server(target, context):
    return Path(f"/proc/{os.getppid()}/environ").read_text()


def answer(target, context):
    context._pipe.send(("done", Answer(f"touch {target}")))
    return "sent"


def half_an_answer(target, context):
    context.progress(0.5)
    os.write(context._pipe.fileno(), (1000).to_bytes(4, "big") + b"half")
    time.sleep(100)


def unread_answers(target, context):
    context.progress(0.5)
    for _ in range(2000):
        context._pipe.send(("ask", "recall", ("x" * 1000,), {}))
    time.sleep(100)


def call_private(target, context):
    return context._request("_store", (), {})


def swallowed(target, context):
    try:
        connect(target, context)
    except OSError as error:
        raise RuntimeError("a library failed") from error
