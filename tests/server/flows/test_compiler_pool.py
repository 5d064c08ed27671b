"""What the pool of compiler processes tells about a request."""

from collections.abc import Sequence
from typing import Any

import pytest

from impasto_server.compiler.pool import ProcessPool

pytestmark = pytest.mark.anyio


class _Process:
    """A process that uses a quarter of a second of processor time for a request, in no time."""

    pid = 1
    is_alive = True

    def __init__(self) -> None:
        self._used = 7.0

    def processor_seconds(self) -> float:
        return self._used

    def wait_until_ready(self) -> None:
        self._used += 3.0

    def call(self, parts: Sequence[bytes]) -> list[bytes]:
        self._used += 0.25
        return [b"done", *parts]

    def kill(self) -> None:
        self.is_alive = False

    def close(self) -> None:
        self.is_alive = False


async def test_request_counts_the_processor_time_that_it_took() -> None:
    process: Any = _Process()
    pool = ProcessPool(1, 60.0, lambda: b"", lambda setup: process)
    answer, seconds = await pool.call("mara", [b"flow"])
    await pool.close()
    assert answer == [b"flow"]
    assert seconds == pytest.approx(0.25)
