"""A download of another process that ends while someone looks at the folder of models."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

LOOKS = range(12)
"""The moments at which a download may end: before this many further looks at a file."""


@contextmanager
def ending_at(look: int, part: Path, publish: Callable[[], object]) -> Iterator[None]:
    """Hold a download's lock; before that look at a file, give the model its place and release the lock."""
    looks = 0
    with part.open("rb") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)

        def counted(method: Callable[..., Any]) -> Callable[..., Any]:
            def call(path: Path, *args: Any, **options: Any) -> Any:
                nonlocal looks
                looks += 1
                if looks == look + 1:
                    publish()
                    fcntl.flock(lock, fcntl.LOCK_UN)
                return method(path, *args, **options)

            return call

        for name in ("stat", "open"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        yield
