"""What the image and video adapters share: the model's input schema, PNGs as data URLs, model settings."""

import base64
from typing import Any

from impasto import Context
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.replicate.connection import PROVIDER, connected, read_account
from impasto_nodes.providers.replicate.schema import inputs_from
from impasto_nodes.providers.spec import Option

_schemas: dict[tuple[str, str], Any] = {}


async def inputs_of(client: Any, address: str, model: str) -> Inputs:
    """Return a model's input schema, cached for the life of the process."""
    key = (address, model)
    if key not in _schemas:
        found = await client.models.async_get(model.partition(":")[0])
        _schemas[key] = found.latest_version.openapi_schema if found.latest_version else None
    return inputs_from(model.partition(":")[0].rpartition("/")[2], _schemas[key])


async def ping(context: Context) -> None:
    """Raise a `ProviderError` if Replicate does not accept the token."""
    access = await access_to(PROVIDER, context)
    async with connected(access, "") as client:
        await read_account(client)


def png_url(data: bytes) -> str:
    """Return a PNG as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


async def list_model_settings(model: str, context: Context) -> list[Option]:
    """Return the settings that the model has besides those of the nodes, each with its JSON Schema."""
    access = await access_to(PROVIDER, context)
    async with connected(access, model) as client:
        inputs = await inputs_of(client, access.address, model)
    return inputs.setting_options()
