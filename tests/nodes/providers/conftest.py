from collections.abc import Iterator

import pytest
from tests.fakes.running import point_at
from tests.fakes.serving import served
from tests.fakes.state import State


@pytest.fixture(scope="session")
def serving() -> Iterator[State]:
    with served(State()) as state:
        yield state


@pytest.fixture
def fakes(serving: State, monkeypatch: pytest.MonkeyPatch) -> Iterator[State]:
    """The providers' fakes, as new, with every provider's calls sent to them."""
    point_at(serving, monkeypatch)
    serving.reset()
    yield serving
    serving.reset()
