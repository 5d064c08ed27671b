"""The providers' fakes and a machine without fonts, for every suite of nodes."""

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.fakes.running import close_litellm_clients, point_at
from tests.fakes.serving import served
from tests.fakes.state import State
from tests.one_authority import one_authority

__all__ = ["one_authority"]


@pytest.fixture(scope="session")
def serving() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture
def system_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, the only one of the system's fonts: letters have the bundled fonts alone."""
    from impasto_nodes.media.text import fonts

    caches = (fonts._system_files, fonts._installed, fonts._loaded, fonts._of_the_system, fonts._draws)
    folder = tmp_path / "fonts"
    folder.mkdir()
    folders = (str(tmp_path / "none"), str(folder))
    monkeypatch.setattr(fonts, "_SYSTEM_FOLDERS", {sys.platform: folders})
    for cache in caches:
        cache.cache_clear()
    yield folder
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
async def fakes(serving: State, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[State]:
    """The providers' fakes, as new, with every provider's calls sent to them."""
    point_at(serving, monkeypatch)
    serving.reset()
    yield serving
    serving.reset()
    await close_litellm_clients()
