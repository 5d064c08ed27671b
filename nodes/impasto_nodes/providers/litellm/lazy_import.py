"""The litellm library, imported when first needed: it takes seconds, so off the event loop."""

import asyncio
import importlib
import os
import weakref
from typing import Any

_PREFIX = {"openai_compatible": "openai", "local": "openai", "ollama": "ollama_chat"}
_connected: weakref.WeakSet[asyncio.AbstractEventLoop] = weakref.WeakSet()


async def library() -> Any:
    """The imported and quietened module, with connections of this loop's own."""
    litellm = await asyncio.to_thread(load)
    _renew_clients(litellm, asyncio.get_running_loop())
    return litellm


def full_name(provider: str, model: str) -> str:
    """The model as litellm spells it: its provider first."""
    return f"{_PREFIX.get(provider, provider)}/{model}"


def load() -> Any:
    """The same, at once."""
    for kept in ("MODEL_COST_MAP", "ANTHROPIC_BETA_HEADERS"):  # else it fetches these lists from the network
        os.environ.setdefault(f"LITELLM_LOCAL_{kept}", "True")
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.disable_hf_tokenizer_download = True  # else counting some models' tokens asks a stranger
    litellm.disable_aiohttp_transport = True  # its sessions outlive the loops they belong to
    litellm.drop_params = True  # a model that knows no seed simply gets none
    return litellm


def _renew_clients(litellm: Any, loop: asyncio.AbstractEventLoop) -> None:
    """litellm keeps its connections for good, and those of a loop that is over break the first call."""
    if loop not in _connected:
        _connected.clear()
        _connected.add(loop)
        litellm.in_memory_llm_clients_cache.flush_cache()
        vars(litellm).pop("module_level_aclient", None)  # made again when it is next asked for
