"""What pictures and clips share on the way to Replicate: the model's schema, and a picture to send along."""

import asyncio
import base64
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.replicate.connection import PROVIDER, connected
from impasto_nodes.providers.replicate.inputs import Inputs

_schemas: dict[tuple[str, str], Any] = {}


async def inputs_of(client: Any, address: str, model: str) -> Inputs:
    """What a model takes, asked once per process."""
    key = (address, model)
    if key not in _schemas:
        found = await client.models.async_get(model.partition(":")[0])
        _schemas[key] = found.latest_version.openapi_schema if found.latest_version else None
    return Inputs(model.partition(":")[0].rpartition("/")[2], _schemas[key])


async def inline(picture: Image | None, context: Context) -> str | None:
    """A picture as a data address, the form that every model takes."""
    if picture is None:
        return None
    from impasto_nodes.media.image.normalize_image import plain

    media_type, data = await asyncio.to_thread(plain, await context.read(picture), picture.media_type)
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


async def own_settings(model: str, context: Context) -> list[dict[str, Any]]:
    """What a model can be told beside our own words, each with its JSON Schema, for a choice list."""
    access = await access_to(PROVIDER, context)
    async with connected(access, model) as client:
        takes = await inputs_of(client, access.address, model)
    properties = takes.advanced()["properties"]
    return [
        {
            "value": name,
            "label": schema.get("title", name),
            "detail": schema.get("description", ""),
            "schema": schema,
        }
        for name, schema in properties.items()
    ]
