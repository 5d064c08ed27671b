"""What a function that lists choices may ask for, outside of any run."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from impasto.runtime.resources import Resources


class OptionsContext:
    """The part of a `Context` that makes sense without a step: the user's keys and the HTTP client."""

    def __init__(self, credential: Callable[[str], Awaitable[str | None]], http: Callable[[], Any]) -> None:
        self._credential = credential
        self._http = http

    async def credential(self, provider: str) -> str | None:
        """The user's key for a provider, or None."""
        return await self._credential(provider)

    @property
    def http(self) -> Any:
        """An HTTP client that refuses private addresses."""
        return self._http()


@asynccontextmanager
async def options_context(
    credential: Callable[[str], Awaitable[str | None]], *, allow_private_hosts: bool
) -> AsyncIterator[OptionsContext]:
    """Give a context whose client is closed with the block."""
    resources = Resources(None)
    try:
        yield OptionsContext(credential, lambda: resources.http(allow_private_hosts))
    finally:
        await resources.close()
