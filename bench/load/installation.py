"""An installation to measure: one server process, its data in a temporary folder, and one signed-in user."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

HERE = Path(__file__).parent
_TICKS = os.sysconf("SC_CLK_TCK")
_START_SECONDS = 60
_UNLIMITED = 1_000_000
_PASSWORD = "Thick-paint-7"


def free_port() -> int:
    """Return a port on loopback that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Installation:
    """A server with the benchmark's nodes. Use it as a context manager."""

    def __init__(self, data: Path, **settings) -> None:
        self.data = data
        # The address of its database for SQLAlchemy.
        self.database_url = settings.get("database_url") or f"sqlite+aiosqlite:///{data / 'impasto.db'}"
        self.port = free_port()
        chosen = {
            "data_dir": data,
            "agents_dir": data / "agents",
            "port": self.port,
            "public_url": f"http://127.0.0.1:{self.port}",
            "argon2_time_cost": 1,
            "argon2_memory_kib": 64,
            "log_level": "error",
            "limit_streams": _UNLIMITED,
            "daily_quota": _UNLIMITED,
            "limit_concurrent_runs": _UNLIMITED,
            "limit_queued_runs": _UNLIMITED,
            "limit_agents": _UNLIMITED,
            "rate_limit_compilations": f"{_UNLIMITED}/minute",
            "warm": 0,
            **settings,
        }
        self.environment = {**os.environ} | {f"IMPASTO_{key.upper()}": str(chosen[key]) for key in chosen}
        self.processes: list[subprocess.Popen] = []
        self.headers: dict[str, str] = {}

    @property
    def url(self) -> str:
        """The address of the API."""
        return f"http://127.0.0.1:{self.port}/api/v1"

    def __enter__(self) -> "Installation":
        try:
            return self._started()
        except BaseException:
            self.__exit__()
            raise

    def _started(self) -> "Installation":
        self.server = self.start(sys.executable, str(HERE / "server.py"))
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self.server.poll() is None:
            try:
                httpx.get(f"{self.url.removesuffix('/api/v1')}/healthz", timeout=1).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.05)
            else:
                self._sign_up()
                return self
        raise RuntimeError("the server did not start")

    def __exit__(self, *error: object) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            process.wait(_START_SECONDS)

    def start(self, *command: str) -> subprocess.Popen:
        """Start a process of the installation, which ends with it."""
        process = subprocess.Popen(command, env=self.environment, cwd=self.data)
        self.processes.append(process)
        return process

    def call(self, method: str, path: str, **given) -> dict:
        """Send a request as the user, and return the answer's JSON. Raises `httpx.HTTPStatusError`."""
        response = httpx.request(method, self.url + path, headers=self.headers, timeout=60, **given)
        if response.is_error:
            raise RuntimeError(f"{method} {path}: {response.status_code} {response.text[:500]}")
        return response.json()

    def make_agent(self, nodes: list[dict], edges: list[tuple[str, str]]) -> str:
        """Create an agent and return its id."""
        pairs = [{"from": source, "to": target} for source, target in edges]
        flow = {"format": 1, "name": "Load", "nodes": nodes, "edges": pairs}
        return self.call("POST", "/flows/", json={"name": "Load", "flow": flow})["id"]

    def sign_in(self) -> None:
        """Sign in again: an identity token counts for minutes."""
        body = {"username": "load", "password": _PASSWORD}
        self._use(self.call("POST", "/identity/sign-in", json=body)["session"])

    def _sign_up(self) -> None:
        body = {"username": "load", "email": "load@example.com", "password": _PASSWORD}
        self.call("POST", "/identity/sign-up", json=body)
        answer = {"username": "load", "code": self._code()}
        self._use(self.call("POST", "/identity/confirm-sign-up", json=answer)["session"])

    def _use(self, session: dict) -> None:
        self.headers["Authorization"] = f"Bearer {session['identity_token']}"

    def _code(self) -> str:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            for letter in sorted((self.data / "outbox").glob("*.eml")):
                if found := re.search(r"^\s+(\d{6})\s*$", letter.read_text(), re.MULTILINE):
                    return found[1]
            time.sleep(0.02)
        raise RuntimeError("no e-mail with a code arrived")


def cpu_seconds(process: subprocess.Popen) -> float:
    """Return the CPU time that a process has used, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
