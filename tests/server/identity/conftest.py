"""Runs every test of this folder on SQLite and on PostgreSQL; fixtures of its tests."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def no_delay_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of the rate limits and of the delays after wrong passwords and codes."""
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now)


@pytest.fixture(scope="session")
def issuer() -> Iterator[str]:
    """The URL of a real provider, which runs in its own process."""
    script = Path(__file__).with_name("oidc_server.py")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        given = listener.fileno()
        process = subprocess.Popen(
            [sys.executable, script, url, str(given)],
            pass_fds=[given], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        httpx.get(url + "/jwks", timeout=100).raise_for_status()
        yield url
    finally:
        process.terminate()
        process.wait(60)
