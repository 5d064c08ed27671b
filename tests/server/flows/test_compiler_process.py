"""What a compiler process tells about itself."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.compiler_processes import ForkedCompilerProcess

from impasto import Catalog
from impasto_server.compiler.limits import FlowLimits
from impasto_server.compiler.process import CompilerProcess, ProcessDied, setup_message

LIMITS = FlowLimits(
    nodes=100, edges=100, steps=100, settings_bytes=100_000, setting_values=1000, setting_depth=20
)
SETUP = setup_message(Catalog([]), LIMITS, seconds=60, memory_bytes=2**30)


@pytest.fixture(scope="module")
def process() -> Iterator[CompilerProcess]:
    process = CompilerProcess(SETUP)
    process.wait_until_ready()
    yield process
    process.close()


@pytest.mark.skipif(sys.platform != "linux", reason="processor time is read on Linux only")
def test_processor_time_grows_with_each_request(process: CompilerProcess) -> None:
    begun, before = time.monotonic(), process.processor_seconds()
    process.call([b'{"operation":"diff"}', b"{}", b"{}"])
    after = process.processor_seconds()
    assert before is not None
    assert after is not None
    assert before > 0, "its start is counted"
    # The two clocks do not run exactly alike.
    assert 0 < after - before <= time.monotonic() - begun + 0.001


@pytest.mark.skipif(sys.platform != "linux", reason="variables of a process are read on Linux only")
def test_numeric_libraries_use_one_thread_which_the_memory_limit_has_room_for(
    process: CompilerProcess,
) -> None:
    variables = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    assert {b"OPENBLAS_NUM_THREADS=1", b"OMP_NUM_THREADS=1"} <= {*variables}


def test_ended_process_is_closed_and_its_processor_time_is_unknown() -> None:
    process = ForkedCompilerProcess(SETUP)
    assert process.is_alive
    process.close()
    assert not process.is_alive
    with pytest.raises(ProcessDied):
        process.call([b'{"operation":"diff"}', b"{}", b"{}"])
    assert process.processor_seconds() is None
