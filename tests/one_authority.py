"""HTTP clients of the tests trust one authority. Each one loads all of them, which takes 30 ms."""

from collections.abc import Iterator
from pathlib import Path

import pytest

__all__ = ["one_authority"]


@pytest.fixture(autouse=True, scope="module")
def one_authority() -> Iterator[None]:
    """Replace the machine's authorities for this process and those it starts: the fakes speak plain HTTP."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(Path(__file__).parent / "fixtures" / "authority.pem"))
        yield
