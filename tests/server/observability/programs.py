"""Programs of an installation, as their commands run them, in forked processes."""

import sys
from collections.abc import Callable

from celery.__main__ import main as celery

from impasto_server.__main__ import program


def serve(on_ready: Callable[[], None]) -> None:
    """Run `impasto serve` until it ends."""
    program(["serve", "--port", "0"])


def work(on_ready: Callable[[], None]) -> None:
    """Run `celery worker` until it ends."""
    sys.argv = ["celery", "-A", "impasto_server.runs.worker", "worker"]
    celery()
