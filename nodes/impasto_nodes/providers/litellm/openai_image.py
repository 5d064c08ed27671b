"""Images of the OpenAI protocol through OpenAI's own SDK.

litellm 1.106 writes `extra_headers` into the body of this one call, which the service refuses, and replaces
`max_retries=0` by 2, so that a failing paid request is sent three times.
"""

import asyncio
import importlib
from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.litellm.lazy_import import library


async def generate_image(
    full_name: str,
    body: Mapping[str, Any],
    *,
    key: str,
    address: str,
    headers: Mapping[str, str],
    timeout_seconds: float,
) -> Any:
    """Send one request and return the answer as litellm's `ImageResponse`, with its cost by litellm's table.

    `full_name` is litellm's name of the model; `address` is empty for the service's own. Raises the SDK's
    exceptions.
    """
    litellm = await library()
    openai: Any = await asyncio.to_thread(importlib.import_module, "openai")
    client = openai.AsyncOpenAI(
        api_key=key, base_url=address or None, default_headers=headers, timeout=timeout_seconds, max_retries=0
    )
    async with client:
        answer = await client.images.generate(**body)
    response = litellm.ImageResponse(**answer.model_dump())
    response._hidden_params["response_cost"] = _cost(litellm, response, full_name)
    return response


def _cost(litellm: Any, response: Any, full_name: str) -> float | None:
    """Return the cost in US dollars; None for a model that litellm's table does not list."""
    try:
        cost: float = litellm.completion_cost(
            completion_response=response, model=full_name, call_type="image_generation"
        )
    except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model without a price
        return None
    return cost
