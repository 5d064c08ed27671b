"""A logger whose lines a test reads."""

from typing import Any

import structlog
from structlog.testing import LogCapture


def captured_logger() -> tuple[Any, LogCapture]:
    """Return a logger and what it logs, whatever level of logs another test has configured."""
    capture, every_level = LogCapture(), structlog.make_filtering_bound_logger(0)
    return structlog.wrap_logger(None, processors=[capture], wrapper_class=every_level), capture
