"""The same work as plain Celery tasks, each step a task, with Redis for messages and results."""

import os

from celery import Celery, chain, chord, group

URL = os.environ.get("PLAIN_CELERY_URL", "redis://127.0.0.1:6379/0")
app = Celery("plain", broker=URL, backend=URL)


@app.task
def add(text: str) -> str:
    """Return the text with one character more."""
    return text + "."


@app.task
def join(texts: list[str]) -> str:
    """Return the texts as one."""
    return "".join(texts)


def run(shape: str, size: int, text: str) -> str:
    """Execute a shape and return its result."""
    if shape == "chain":
        steps = [add.s(text), *(add.s() for _ in range(size - 1))]
        return chain(*steps).apply_async().get(timeout=120)
    return chord(group(add.s(text) for _ in range(size)), join.s()).apply_async().get(timeout=120)
