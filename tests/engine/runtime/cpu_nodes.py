"""Nodes for worker processes, which import them by name from a module."""

import math
import os
import sys
import time
from typing import Any as Anything

from impasto import Any, Context, File, Integer, Json, NodeError, Text, node


@node(cpu=True)
def where(text: Text) -> Json:
    return {"pid": os.getpid(), "text": text}


@node(cpu=True)
def ask(text: Text, *, context: Context) -> File:
    worker: Anything = context.sync
    worker.progress(0.5, "half")
    worker.charge(0.25, calls=1)
    worker.remember("k", [1])
    assert worker.recall("k") == [1]
    assert worker.credential("openai") == "sk-openai"
    assert worker.configuration.text("PAINT_THREADS") == "3"
    (worker.temp_dir / "x").write_text(text)
    stored = worker.store(worker.temp_dir / "x", "text/plain", name="x.txt")
    assert worker.read(stored) == text.encode()
    with worker.open(stored) as path:
        assert path.read_text() == text
    return stored


@node(cpu=True)
def spin(text: Text, *, context: Context) -> Text:
    context.progress(0.1, "spinning")
    while True:
        time.sleep(0.01)


@node(cpu=True)
def refuse(text: Text, *, how: str, context: Context) -> Any:
    if how == "exit":
        os._exit(3)
    if how == "leave":
        sys.exit(3)
    if how == "unpicklable":
        return lambda: text
    if how == "odd charge":
        context.charge(math.nan)
        time.sleep(60)
    if how == "node":
        raise NodeError("No.", code="refused", retryable=True, retry_after=2.5)
    raise ValueError("plain")


@node(cpu=True)
def square(n: Integer) -> Integer:
    return n * n
