"""A ComfyUI server, new for each test."""

from collections.abc import Iterator

import pytest
from tests.fakes.comfyui import Server, serve

from impasto_nodes.providers.comfyui import job


@pytest.fixture
def comfyui(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serve() as server:
        monkeypatch.setenv("IMPASTO_COMFYUI_BASE_URL", server.url)
        monkeypatch.setattr(job, "POLL_SECONDS", 0.05)
        monkeypatch.setattr(job, "_MIN_POLL_SECONDS", 0.01)
        yield server
