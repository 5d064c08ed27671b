"""What every test stands on: one asyncio loop kind, and no reach for models over the network."""

import os

import pytest

os.environ.setdefault("IMPASTO_LOCAL_DOWNLOAD", "0")


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the product does."""
    return "asyncio"
