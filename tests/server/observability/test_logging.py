"""One set-up of logs for the server's own lines and those of its libraries, in every kind of process."""

import asyncio
import errno
import io
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from tests.server.forked_processes import ForkedProcess

from impasto_server.observability.telemetry import configure_logging
from impasto_server.settings import Settings

SECRET = "hunter2-in-no-log"


@pytest.fixture
def restore() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before
    structlog.reset_defaults()


def fail() -> None:
    password = SECRET
    raise ValueError(f"a secret of {len(password)} characters was refused")


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_tracebacks_of_all_loggers_have_no_local_variables(
    log_format: Any, capsys: pytest.CaptureFixture[str], restore: None
) -> None:
    configure_logging(Settings(_env_file=None, log_format=log_format))
    try:
        fail()
    except ValueError as error:
        structlog.get_logger().error("own", exc_info=error)
        logging.getLogger("celery.worker").error("of a library", exc_info=error)
    output = capsys.readouterr().err
    assert output.count("Traceback") == 2
    assert SECRET not in output


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_password_in_a_url_is_masked_in_lines_of_all_loggers(
    log_format: Any, capsys: pytest.CaptureFixture[str], restore: None
) -> None:
    configure_logging(Settings(_env_file=None, log_format=log_format))
    url = f"http://me:{SECRET}@127.0.0.1:9/x"
    for log in (structlog.get_logger(), logging.getLogger("celery.worker")):
        log.error("HEAD %s", url, exc_info=ConnectionError(f"no answer of {url}"))
    output = capsys.readouterr().err
    assert output.count("http://me:***@127.0.0.1:9/x") == 4
    assert SECRET not in output


@pytest.mark.parametrize(
    ("level", "own", "of_library"),
    [
        ("error", ["error"], ["error"]),
        ("warning", ["warning", "error"], ["warning", "error"]),
        ("debug", ["debug", "info", "warning", "error"], ["warning", "error"]),
    ],
    ids=["error", "warning", "debug"],
)
def test_format_and_level_count_for_all_loggers(
    level: Any, own: list[str], of_library: list[str], capsys: pytest.CaptureFixture[str], restore: None
) -> None:
    configure_logging(Settings(_env_file=None, log_format="json", log_level=level))
    for log, shown in ((structlog.get_logger(), own), (logging.getLogger("celery.worker"), of_library)):
        for kind in ("debug", "info", "warning", "error"):
            getattr(log, kind)("a line")
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [(line["event"], line["level"]) for line in lines] == [("a line", kind) for kind in shown]
        assert all(line["timestamp"].endswith("Z") for line in lines)


class FullDisk(io.StringIO):
    """A log file on a disk without room."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_line_that_cannot_be_written_is_lost(
    log_format: Any, monkeypatch: pytest.MonkeyPatch, restore: None
) -> None:
    """Otherwise the request that it is about fails, without an answer that clients understand."""
    monkeypatch.setattr(sys, "stderr", FullDisk())
    configure_logging(Settings(_env_file=None, log_format=log_format))
    structlog.get_logger().info("request")
    structlog.get_logger().error("request failed", exc_info=ValueError("why"))


KEYS = f"region=us-east-1&access_key_id=a&secret_access_key={SECRET}"


@pytest.mark.anyio
@pytest.mark.timeout(300)
async def test_no_process_writes_a_secret_while_a_service_does_not_respond(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # without a listener
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        outputs = await asyncio.gather(
            output_of(
                "serve",
                tmp_path / "1",
                DATABASE_URL=f"postgresql+asyncpg://impasto:{SECRET}@{address}/impasto",
            ),
            output_of("serve", tmp_path / "2", STORAGE_URL=f"s3://paint?endpoint=http://{address}&{KEYS}"),
            output_of("work", tmp_path / "3", REDIS_URL=f"redis://:{SECRET}@{address}/0"),
        )
    reasons = ("impasto does not respond", "s3://paint cannot be used", "no subscription at Redis")
    for output, reason in zip(outputs, reasons, strict=True):
        assert reason in output
        assert SECRET not in output


async def output_of(program: str, folder: Path, **changes: str) -> str:
    """Return what a process writes until it ends, or has written that it waits for a service."""
    given = {
        "DATA_DIR": str(folder),
        "SMTP_URL": f"smtp://impasto:{SECRET}@127.0.0.1:9",
        "METRICS_TOKEN": SECRET,
        "WARM": "0",
        "LOG_LEVEL": "debug",
        **changes,
    }
    environment = {**os.environ, **{f"IMPASTO_{name}": value for name, value in given.items()}}
    folder.mkdir()
    pipe = folder / "output"
    os.mkfifo(pipe)
    output = asyncio.StreamReader()
    end = os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb")
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(output), end
    )
    process = ForkedProcess("tests.server.observability.programs", program, environment, folder, str(pipe))
    lines: list[str] = []
    async with asyncio.timeout(280):
        async for line in output:
            lines.append(line.decode())
            if "no subscription at Redis" in lines[-1]:
                process.send_signal(signal.SIGKILL)
        await process.wait()
    transport.close()
    return "".join(lines)
