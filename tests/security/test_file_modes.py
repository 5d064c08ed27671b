"""Other users of the machine cannot read what the server writes."""

import os
import signal
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.server.forked_processes import ForkedProcess
from tests.server.ports import free_port
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.cli.start import read_settings
from impasto_server.file_modes import private_umask, restrict_existing

DATABASE = ("impasto.db", "impasto.db-wal", "impasto.db-shm")


@pytest.fixture(autouse=True)
def readable_by_default() -> Iterator[None]:
    """The usual umask of a login shell, under which carelessly created files are readable by everyone."""
    previous = os.umask(0o022)
    yield
    os.umask(previous)


def readable_by_others(folder: Path) -> dict[str, str]:
    paths = [folder, *folder.rglob("*")]
    modes = {str(path): path.lstat().st_mode for path in paths}
    return {path: stat.filemode(mode) for path, mode in modes.items() if mode & 0o077}


def wait_for(folder: Path, *patterns: str) -> None:
    """Wait until every pattern has a match; mail is written after the response."""
    deadline = time.monotonic() + 30
    while missing := [pattern for pattern in patterns if not list(folder.glob(pattern))]:
        assert time.monotonic() < deadline, missing
        time.sleep(0.02)


@pytest.mark.anyio
async def test_served_data_folder_is_private_and_named(tmp_path: Path) -> None:
    data, port, log = tmp_path / "new" / "data", free_port(), tmp_path / "log"
    log.touch()
    environment = {
        **os.environ,
        "IMPASTO_DATA_DIR": str(data),
        "IMPASTO_WARM": "0",
        "IMPASTO_PORT": str(port),
        "IMPASTO_LOG_LEVEL": "error",
        "IMPASTO_EDITOR_DIR": str(tmp_path),
    }
    server = ForkedProcess("tests.security.serving", "serve", environment, tmp_path, str(log))
    try:
        await server.wait_until_ready()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=60) as client:
            body = {"username": "mara", "email": "mara@northbound.example", "password": "Thick-paint-7"}
            expect(await client.post("/identity/sign-up", json=body), 201)
        wait_for(data, *DATABASE, "secrets", "assets", "outbox/*.eml")
        assert not readable_by_others(data)
    finally:
        server.send_signal(signal.SIGTERM)
        code = await server.wait()
    assert code == -signal.SIGTERM
    assert log.read_text().splitlines() == [
        f"Impasto is running at http://localhost:{port}",
        f"E-mail: {data / 'outbox'}",
        f"Data: {data}",
        "The editor is not built, so only the API is available. Build it with `npm run build -w editor`.",
    ]


@pytest.mark.anyio
async def test_data_folder_of_an_embedded_application_is_private(
    app: FastAPI, person: Any, settings: Any
) -> None:
    with private_umask():
        await person.client.post("/assets/", files={"file": ("x.png", png(3), "image/png")})
    assert not readable_by_others(settings.data_dir)


def test_files_of_an_older_version_are_restricted_at_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for folder in (data, data / "secrets", data / "assets", data / "outbox"):
        folder.mkdir(mode=0o755)
    for name in (*DATABASE, "secrets/encryption.keys", "outbox/1.eml", "instance"):
        (data / name).touch(0o644)
    restrict_existing(read_settings(_env_file=None, data_dir=data))
    assert not readable_by_others(data)


def test_shared_folder_is_not_restricted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    restrict_existing(read_settings(_env_file=None, data_dir=shared))
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    monkeypatch.chdir(home / "work")
    restrict_existing(read_settings(_env_file=None, data_dir=home))
    assert stat.S_IMODE(home.stat().st_mode) == 0o755
