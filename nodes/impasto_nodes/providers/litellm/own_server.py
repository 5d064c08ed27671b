"""Clients for servers of one's own, which follow no redirect.

A user may have chosen the server from the operator's list, which does not say where it would send a request.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.litellm.lazy_import import full_name
from impasto_nodes.providers.registry import specs


@asynccontextmanager
async def client_for_own_server(
    litellm: Any, provider: str, address: str, key: str, seconds: float
) -> AsyncIterator[dict[str, Any]]:
    """Yield the argument that makes litellm call a server of one's own; none for a service."""
    if provider not in specs() or specs()[provider].address != "required":
        yield {}
    elif full_name(provider, "") == "openai/":
        from openai import AsyncOpenAI

        async with httpx.AsyncClient(verify=tls_context(), timeout=seconds, follow_redirects=False) as http:
            client = AsyncOpenAI(api_key=key or "none", base_url=address, http_client=http, max_retries=0)
            yield {"client": client}
    else:
        handler = litellm.llms.custom_httpx.http_handler.AsyncHTTPHandler(
            timeout=seconds, follow_redirects=False
        )
        try:
            yield {"client": handler}
        finally:
            await handler.close()
