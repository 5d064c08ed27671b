"""The providers' fakes and a machine without fonts, for every suite of nodes."""

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import close_litellm_clients, point_at
from tests.fakes.serving import served
from tests.fakes.small_images import small_worker
from tests.fakes.state import State
from tests.one_authority import one_authority

from impasto_nodes.providers.local import image

__all__ = ["one_authority"]


@pytest.fixture(scope="session")
def serving() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture(autouse=True, scope="session")
def one_answer_an_image() -> Iterator[None]:
    """The network finds the subject of an image once, which takes half a second of processor time."""
    from impasto_nodes.media.image import matting

    find = matting._by_network
    found: dict[object, Any] = {}

    def remembered(network: Any, photo: Any) -> Any:
        key = (photo.size, photo.mode, photo.tobytes())
        if key not in found:
            found[key] = find(network, photo)
        return found[key].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matting, "_by_network", remembered)
        yield


@pytest.fixture
def small_images(monkeypatch: pytest.MonkeyPatch) -> None:
    """The local provider draws a sixteenth of the area."""
    monkeypatch.setattr(image, "_worker", small_worker)


@pytest.fixture
def system_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, the only one of the system's fonts: letters have the bundled fonts alone."""
    from impasto_nodes.media.text import fonts

    caches = (
        *(fonts._bundled_file, fonts._system_files, fonts._of_the_system),
        *(fonts._installed, fonts._loaded, fonts._draws),
    )
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
