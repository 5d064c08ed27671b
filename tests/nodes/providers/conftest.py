"""A context without an engine, pauses that take no time, a hub of models, and a test's own providers."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.nodes.providers.model_store.hub import Hub, running_hub

from impasto import Configuration
from impasto.testing import FakeContext
from impasto_nodes.providers.registry import listed_models, specs
from impasto_nodes.providers.spec import ProviderSpec


@pytest.fixture
def context() -> Iterator[FakeContext]:
    """A context without credentials or configuration."""
    made = FakeContext()
    yield made
    made.close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that coroutines of the test's thread wait with `asyncio.sleep`, none of which pass."""
    waited: list[float] = []
    sleep, here = asyncio.sleep, threading.get_ident()

    async def pause(seconds: float, result: Any = None) -> Any:
        if threading.get_ident() != here:  # the fakes serve in another thread
            return await sleep(seconds, result)
        if seconds:
            waited.append(seconds)
        return await sleep(0, result)

    monkeypatch.setattr(asyncio, "sleep", pause)
    return waited


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def configuration(hub: Hub, tmp_path: Path) -> Configuration:
    """A configuration that downloads from the hub into a folder of the test."""
    return Configuration({"IMPASTO_MODEL_HUB": hub.address, "IMPASTO_MODELS_DIR": str(tmp_path / "models")})


@pytest.fixture
def install_only() -> Iterator[Callable[..., None]]:
    """A function that installs provider specs in place of all others, until the test ends."""
    before = dict(specs())

    def install(*given: ProviderSpec) -> None:
        replace({spec.id: spec for spec in sorted(given, key=lambda spec: spec.rank)})

    def replace(found: dict[str, ProviderSpec]) -> None:
        specs().clear()
        specs().update(found)
        listed_models.cache_clear()

    yield install
    replace(before)
