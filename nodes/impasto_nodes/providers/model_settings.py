"""The settings that only one model has."""

from typing import Any

from impasto import Context, NodeError
from impasto_nodes.providers.credentials import is_configured


async def own_settings(model: str, context: Context | None) -> list[dict[str, Any]]:
    """The named Replicate model's own settings; nothing where it is not one, or cannot be asked."""
    if context is None or "/" not in model or not await is_configured("replicate", context):
        return []
    from impasto_nodes.providers.replicate.requests import own_settings as ask

    try:
        return await ask(model, context)
    except NodeError as error:
        context.log.warning("the settings of %s cannot be listed: %s", model, error.detail)
        return []
