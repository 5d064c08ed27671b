"""Processes that the tests fork."""

import os
import select
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, time
from tests.fork_server import fork_servers, forking_context, will_fork
will_fork("json")
fork_servers()
forking_context("json").Process(target=time.sleep, args=[60]).start()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="servers are forked on Linux only")
def test_pipes_of_a_killed_process_end_while_forked_processes_run() -> None:
    reading, writing = os.pipe()
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], pass_fds=[writing], start_new_session=True, stdin=subprocess.DEVNULL
    )
    os.close(writing)
    try:
        assert program.wait(30) < 0
        assert select.select([reading], [], [], 20)[0], "pytest would not see that a worker was killed"
        assert os.read(reading, 1) == b""
    finally:
        os.killpg(program.pid, signal.SIGKILL)
        os.close(reading)
