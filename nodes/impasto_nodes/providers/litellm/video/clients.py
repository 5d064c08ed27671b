"""An HTTP client for litellm's functions for video, which sends every request once."""

import sys
from typing import Any

import httpx

_TIMEOUT = httpx.Timeout(120.0, connect=10.0)


class Connection:
    """A client of litellm's that never sends a request twice. `failure` is what interrupted it."""

    def __init__(self, litellm: Any) -> None:
        self.failure: BaseException | None = None
        self.client = litellm.llms.custom_httpx.http_handler.AsyncHTTPHandler(timeout=_TIMEOUT)
        # litellm asks for a second client when a connection was lost, to send the same request with it.
        self.client.create_client = self._refuse

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        self.failure = sys.exc_info()[1]
        raise ConnectionError("the connection was lost")
