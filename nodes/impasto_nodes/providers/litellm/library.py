"""The litellm library, imported when first needed: it takes seconds, so off the event loop."""

import asyncio
import importlib
import os
from typing import Any

_PREFIX = {"openai_compatible": "openai", "local": "openai", "ollama": "ollama_chat"}


async def library() -> Any:
    """The imported and quietened module."""
    return await asyncio.to_thread(load)


def full_name(provider: str, model: str) -> str:
    """The model as litellm spells it: its provider first."""
    return f"{_PREFIX.get(provider, provider)}/{model}"


def load() -> Any:
    """The same, at once."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else it fetches a price list on import
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.disable_aiohttp_transport = True  # its sessions outlive the loops they belong to
    litellm.drop_params = True  # a model that knows no seed simply gets none
    return litellm
