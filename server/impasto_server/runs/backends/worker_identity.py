"""The name under which this process leases runs: the same across restarts on one data folder.

A server that was killed and started again holds the lock of its data folder, so it knows that the former
process is dead and takes its runs back at once instead of waiting for their leases to expire.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from impasto_server.file_modes import make_private_file, make_private_folder
from impasto_server.utils import new_id


@dataclass(frozen=True)
class WorkerIdentity:
    """A lease owner's name. `exclusive`: no other living process has the same name."""

    name: str
    exclusive: bool


@contextmanager
def hold_identity(data_dir: Path) -> Iterator[WorkerIdentity]:
    """Lock the data folder's name for the length of the block; a second process gets a name of its own."""
    make_private_folder(data_dir)
    make_private_file(data_dir / "instance")
    with (data_dir / "instance").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield WorkerIdentity(new_id(), exclusive=False)
            return
        file.seek(0)
        name = file.read().strip() or new_id()
        file.seek(0)
        file.truncate()
        file.write(name)
        file.flush()
        yield WorkerIdentity(name, exclusive=True)
