"""`impasto serve`, in a forked process."""

import os
from collections.abc import Callable

from impasto_server.__main__ import program
from impasto_server.cli import serving


def serve(on_ready: Callable[[], None]) -> None:
    """Run the command under the usual umask of a login shell, and call `on_ready` with its first line."""
    os.umask(0o022)
    welcome = serving._welcome

    def welcome_when_ready(settings: serving.Settings) -> str:
        on_ready()
        return welcome(settings)

    serving._welcome = welcome_when_ready
    program(["serve"])
