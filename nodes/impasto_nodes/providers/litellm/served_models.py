"""The models of the operator's own server: Ollama, or any server that speaks OpenAI's protocol."""

from typing import Any

import httpx

from impasto import Context
from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.credentials import Access, access_to
from impasto_nodes.providers.errors import CorruptOutput
from impasto_nodes.providers.http_errors import status_error, transport_error
from impasto_nodes.providers.registry import model_option, specs
from impasto_nodes.providers.spec import Option

_TIMEOUT_SECONDS = 5.0


async def list_served_models(provider: str, context: Context) -> list[Option]:
    """Return the server's models in its own order, as choices. Raises a `ProviderError` if it fails."""
    access = await access_to(provider, context)
    try:
        async with httpx.AsyncClient(verify=tls_context(), timeout=_TIMEOUT_SECONDS) as client:
            response = await client.get(
                _models_url(access), headers={"Authorization": f"Bearer {access.key or 'none'}"}
            )
    except httpx.HTTPError as error:
        raise transport_error(error, provider, access.key) from None
    if response.status_code >= 400:
        raise status_error(
            response.status_code, provider, "", f"status {response.status_code} for the list of models"
        )
    return [model_option(specs()[provider], name, name) for name in _names(provider, response)]


def _models_url(access: Access) -> str:
    base = f"{access.address}/v1" if access.provider == "ollama" else access.address
    return f"{base}/models"


def _names(provider: str, response: httpx.Response) -> list[str]:
    try:
        found: Any = response.json()
        return [str(model["id"]) for model in found["data"]]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptOutput(provider, "a list of models", str(error)) from None
