"""A context without an engine, and providers of a test's own."""

from collections.abc import Callable, Iterator

import pytest

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
