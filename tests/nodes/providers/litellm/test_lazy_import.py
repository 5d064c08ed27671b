"""litellm's cached clients belong to an event loop, and it asks for nothing by itself."""

import asyncio
import os
from typing import Any

import pytest

from impasto_nodes.providers.litellm.lazy_import import library, load


async def kept_with(client: str) -> list[str]:
    """Let litellm cache a client; all that it has then."""
    (await library()).in_memory_llm_clients_cache.set_cache(client, client)
    return list((await library()).in_memory_llm_clients_cache.cache_dict.values())


def test_clients_are_kept_until_another_event_loop_needs_some() -> None:
    with asyncio.Runner() as one, asyncio.Runner() as other:
        assert one.run(kept_with("first")) == ["first"]
        assert one.run(kept_with("second")) == ["first", "second"]
        assert other.run(kept_with("third")) == ["third"]
        assert one.run(kept_with("fourth")) == ["fourth"]


async def with_a_client_of_the_module() -> Any:
    """Give litellm the client that it makes once for a process."""
    litellm = await library()
    litellm.module_level_aclient = "the client"
    return await library()


def test_client_of_the_module_is_kept_until_another_event_loop_needs_one() -> None:
    with asyncio.Runner() as one, asyncio.Runner() as other:
        litellm = one.run(with_a_client_of_the_module())
        assert vars(litellm)["module_level_aclient"] == "the client"
        other.run(library())
        assert "module_level_aclient" not in vars(litellm)


def test_library_reports_and_downloads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {
        "suppress_debug_info": True,
        "telemetry": False,
        "disable_hf_tokenizer_download": True,
        "disable_aiohttp_transport": True,
        "drop_params": True,
    }
    variables = {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
        "LITELLM_MODE": "PRODUCTION",
    }
    for name in variables:
        monkeypatch.delenv(name, raising=False)
    litellm = load()
    assert {name: getattr(litellm, name) for name in settings} == settings
    assert {name: os.environ.get(name) for name in variables} == variables
