"""The context of functions that list the options of a setting, outside of any run."""

import logging
import typing as t
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from impasto.configuration import Configuration
from impasto.sdk.services import Credentials

if t.TYPE_CHECKING:
    import httpx


class OptionSource(t.NamedTuple):
    """A source of options, such as a provider, and whether it could list them.

    `message` says why a source that "failed" could not, and how to fix it.
    """

    id: str
    title: str
    state: t.Literal["available", "no_key", "failed"]
    message: str = ""


@asynccontextmanager
async def options_context(
    *,
    credential: Credentials | None = None,
    configuration: Configuration | None = None,
    allow_private_hosts: bool = False,
) -> AsyncIterator["OptionsContext"]:
    """Yield a context for `Catalog.options`, which runs outside of any run.

    It has `credential`, `configuration` (the process's environment by default), `http` and `log`.
    """
    context = OptionsContext(credential, configuration or Configuration.load(), allow_private_hosts)
    try:
        yield context
    finally:
        await context.close()


class OptionsContext:
    """The context of a function that lists the options of a setting.

    `sources` are those that the function has reported.
    """

    def __init__(
        self, credential: Credentials | None, configuration: Configuration, allow_private_hosts: bool
    ) -> None:
        self._credential = credential
        self.configuration = configuration
        self._allow_private_hosts = allow_private_hosts
        self._http: httpx.AsyncClient | None = None
        self.log = logging.getLogger("impasto.options")
        self.sources: list[OptionSource] = []

    def report_source(self, source: OptionSource) -> None:
        """Report whether a source could list its options; those of the others are shown all the same."""
        self.sources.append(source)

    @property
    def http(self) -> "httpx.AsyncClient":
        """An HTTP client that refuses private addresses, unless they are allowed."""
        if self._http is None:
            from impasto.sdk.http_client import client

            self._http = client(self._allow_private_hosts)
        return self._http

    async def credential(self, provider: str) -> str | None:
        """Return the user's key for a provider, or None."""
        return await self._credential(provider) if self._credential is not None else None

    async def close(self) -> None:
        """Close the HTTP client."""
        if self._http is not None:
            await self._http.aclose()
