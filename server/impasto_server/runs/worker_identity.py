"""Who this process is to the leases: one name for all lives of a server on its data folder.

A server that was killed and started again knows by the folder's lock that its former self is dead, and
takes its runs back at once instead of waiting for their leases to run out.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from impasto_server.utils import new_id


@dataclass(frozen=True)
class Instance:
    """A name for leases; `sole` when no other living process can have it."""

    name: str
    sole: bool


@contextmanager
def instance(data_dir: Path) -> Iterator[Instance]:
    """Hold the data folder's name for as long as the block lives; a second process gets one of its own."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "instance").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield Instance(new_id(), sole=False)
            return
        file.seek(0)
        name = file.read().strip() or new_id()
        file.seek(0)
        file.truncate()
        file.write(name)
        file.flush()
        yield Instance(name, sole=True)
