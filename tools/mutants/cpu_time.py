"""The CPU time of a process and all that it started, which other work on the machine does not change."""

import os
from pathlib import Path

POLL_SECONDS = 0.5
PROCESSES = Path("/proc")


def session_seconds(session: int) -> float:
    """Return the CPU time of a session's processes and their ended children, in seconds; 0 without /proc."""
    return sum(_seconds_in(path, session) for path in PROCESSES.glob("[0-9]*/stat"))


def _seconds_in(path: Path, session: int) -> float:
    try:
        # The name in parentheses may have spaces.
        fields = path.read_text().rpartition(")")[2].split()
    except OSError:  # the process has ended
        return 0.0
    if int(fields[3]) != session:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
