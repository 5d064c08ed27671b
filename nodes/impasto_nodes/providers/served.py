"""The models that the operator's own server has: Ollama, or anything that speaks OpenAI's protocol."""

from typing import Any

import httpx

from impasto import Context, NodeError
from impasto_nodes.providers.credentials import Access, access_to, is_configured
from impasto_nodes.providers.errors import CorruptOutput, UnknownModel
from impasto_nodes.providers.http_errors import error_for
from impasto_nodes.providers.known import NEED_ADDRESS, provider_title
from impasto_nodes.providers.transport import transport_error

_TIMEOUT = 5.0


async def served_models(provider: str, context: Context) -> list[str]:
    """The names of the server's models, its own order; raises a ProviderError where it cannot say."""
    access = await access_to(provider, context)
    try:
        async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
            answer = await client.get(
                _address(access), headers={"Authorization": f"Bearer {access.key or 'none'}"}
            )
    except httpx.HTTPError as error:
        raise transport_error(error, provider, access.key) from None
    if answer.status_code >= 400:
        raise error_for(answer.status_code, provider, "", f"{answer.status_code} for the list of models")
    return _names(provider, answer)


async def first_served_model(provider: str, context: Context) -> str:
    """The model used when none is named; raises UnknownModel where the server has none."""
    names = await served_models(provider, context)
    if not names:
        raise UnknownModel(provider, "", "the server lists no models")
    return names[0]


async def served_options(query: str, context: Context | None) -> list[dict[str, str]]:
    """The models of every server that the operator named, for a choice list; silent where one is down."""
    options: list[dict[str, str]] = []
    for provider in sorted(NEED_ADDRESS):
        if context is None or not await is_configured(provider, context):
            continue
        try:
            names = await served_models(provider, context)
        except NodeError as error:
            context.log.warning("%s cannot list its models: %s", provider, error.detail)
            continue
        options += [_option(provider, name) for name in names if query.casefold() in name.casefold()]
    return options


def _option(provider: str, name: str) -> dict[str, str]:
    return {"value": name, "label": name, "group": provider_title(provider), "provider": provider}


def _address(access: Access) -> str:
    base = f"{access.address}/v1" if access.provider == "ollama" else access.address
    return f"{base}/models"


def _names(provider: str, answer: httpx.Response) -> list[str]:
    try:
        found: Any = answer.json()
        return [str(model["id"]) for model in found["data"]]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptOutput(provider, "a list of models", str(error)) from None
