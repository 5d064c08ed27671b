"""The litellm library, imported on first use: importing it takes seconds, so it happens in a thread."""

import asyncio
import importlib
import os
import weakref
from typing import Any

_PREFIX = {"openai_compatible": "openai", "local": "openai", "ollama": "ollama_chat"}
_ENVIRONMENT = {
    # litellm downloads these lists unless its environment says otherwise.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    # In its other mode, litellm copies the variables of a `.env` file into the environment of the process.
    "LITELLM_MODE": "PRODUCTION",
}
_loops: weakref.WeakSet[asyncio.AbstractEventLoop] = weakref.WeakSet()


async def library() -> Any:
    """Return the imported and configured module, with connections of the running event loop."""
    litellm = await asyncio.to_thread(load)
    _renew_clients(litellm, asyncio.get_running_loop())
    return litellm


def full_name(provider: str, model: str) -> str:
    """Return the model's name for litellm, which begins with its provider."""
    return f"{_PREFIX.get(provider, provider)}/{model}"


def load() -> Any:
    """Import and configure the module; takes seconds the first time."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - litellm reads it while it is imported
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.disable_hf_tokenizer_download = True  # else it downloads tokenizers to count some models' tokens
    litellm.disable_aiohttp_transport = True  # its sessions outlive the event loops they belong to
    litellm.drop_params = True  # ignore a seed that a model does not support
    handler = litellm.llms.custom_httpx.http_handler.AsyncHTTPHandler
    handler.single_connection_post_request = _raise_what_interrupted
    return litellm


async def _raise_what_interrupted(*args: Any, **kwargs: Any) -> None:
    """Raise the error that interrupted a request, where litellm would send the request a second time.

    It may be a paid one that the provider has received: the step decides whether to send it again.
    """
    raise  # noqa: PLE0704 - litellm calls it while it handles the error


def _renew_clients(litellm: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Drop litellm's cached connections when the event loop changes: those of a closed loop fail."""
    if loop not in _loops:
        _loops.clear()
        _loops.add(loop)
        litellm.in_memory_llm_clients_cache.flush_cache()
        vars(litellm).pop("module_level_aclient", None)  # litellm creates it again on demand
