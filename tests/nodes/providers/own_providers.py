"""Parts of the provider specs that tests install in place of the real ones."""

from collections.abc import Callable
from typing import Any

Install = Callable[..., None]
"""The fixture `install_only`."""


def unused() -> Any:
    """Make a provider offer a kind whose adapter no test calls."""


def lists(*values: str) -> Any:
    """A function of a spec that lists these options."""

    async def listed(*asked: object) -> list[dict[str, Any]]:
        return [{"value": value, "label": value.title(), "group": "Listed"} for value in values]

    return listed


def fails(error: Exception) -> Any:
    """A function of a spec that raises this error."""

    async def failing(*asked: object) -> Any:
        raise error

    return failing
