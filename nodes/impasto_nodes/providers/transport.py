"""What goes wrong between here and a provider, as httpx tells it."""

import httpx

from impasto_nodes.providers.errors import ProviderError, StreamDropped, TimedOut, Unavailable
from impasto_nodes.providers.redact import redact


def transport_error(error: httpx.HTTPError | httpx.InvalidURL, provider: str, *secrets: str) -> ProviderError:
    """A timeout, a dropped connection, or a provider that cannot be reached."""
    detail = redact(f"{type(error).__name__}: {error}", *secrets)
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(provider, detail)
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return StreamDropped(provider, detail)
    return Unavailable(provider, detail)
