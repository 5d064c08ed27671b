"""The providers' fakes, for every suite of nodes."""

import sys
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.fakes.running import point_at
from tests.fakes.serving import served
from tests.fakes.state import State
from tests.one_authority import one_authority

__all__ = ["one_authority"]


@pytest.fixture(scope="session")
def serving() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture
async def fakes(serving: State, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[State]:
    """The providers' fakes, as new, with every provider's calls sent to them."""
    point_at(serving, monkeypatch)
    serving.reset()
    yield serving
    serving.reset()
    if "litellm" in sys.modules:  # it keeps its connections for good
        from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

        await close_litellm_async_clients()
