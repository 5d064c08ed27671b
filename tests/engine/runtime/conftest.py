"""Fixtures of the runtime's tests."""

import pytest
from tests.engine.runtime.run_nodes import calls


@pytest.fixture(autouse=True)
def no_calls():
    """Nodes that note their calls have made none."""
    calls.clear()
