"""One node run through the engine, fed by input nodes, as an agent would."""

import functools
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from tests.fakes.state import GOOD_KEY, State

from impasto import Catalog, Flow, MemoryStore, compile, execute
from impasto.encoding import to_json
from impasto.plugins.allow_list import use
from impasto.runtime.policies.retry import Backoff
from impasto.sdk.options_context import options_context
from impasto_nodes.providers.credentials import Access

_SOON = Backoff(0.01)
SOURCES = {
    "Text": ("user_prompt", "text"),
    "Image": ("picture", "picture"),
    "Audio": ("audio_input", "audio"),
}
SOURCES |= {"Video": ("video_input", "video"), "Brand": ("brand_system", "brand"), "Mask": ("mask", "mask")}


def flow_of(node_type: str, settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> Flow:
    """A flow of one node `it`, each of its inputs fed by an input node of the input's name."""
    nodes: list[dict[str, Any]] = [
        {"id": "it", "type": node_type, "settings": dict(settings), "result": True}
    ]
    edges = []
    for name, value in inputs.items():
        kind = "Text" if isinstance(value, str) else type(value).__name__
        source, setting = SOURCES[kind]
        nodes.append({"id": f"in_{name}", "type": source, "settings": {setting: to_json(value)}})
        edges.append({"from": f"in_{name}.output", "to": f"it.{name}"})
    return Flow.loads(json.dumps({"format": 1, "name": "test", "nodes": nodes, "edges": edges}))


def installed() -> Catalog:
    """The catalog of the environment as it is now; all tests with the same environment share it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    found = _installed(frozenset(environment.items()), tuple(sys.path))
    use(found.allow_list)
    return found


@functools.lru_cache(maxsize=8)
def _installed(environment: frozenset[tuple[str, str]], paths: tuple[str, ...]) -> Catalog:
    return Catalog.discover()


async def run(
    node_type: str,
    inputs: Mapping[str, Any],
    *,
    key: str | None = GOOD_KEY,
    store: Any = None,
    options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Any:
    """The run's result, with the engine's options; `result.steps["it"]` is the node's."""
    plan = compile(flow_of(node_type, settings, inputs), installed())

    async def credentials(provider: str) -> str | None:
        return key

    given = {"backoff": _SOON, **(options or {})}
    return await execute(
        plan, {}, store=store or MemoryStore(), credentials=credentials, reuse="none", **given
    )


async def options_of(
    node_type: str, setting: str, query: str = "", *, key: str | None = GOOD_KEY
) -> list[Any]:
    """The choices that a setting offers to a user with this key."""

    async def credential(provider: str) -> str | None:
        return key

    async with options_context(credential=credential) as context:
        return await installed().options(node_type, setting, query, context)


def error_of(result: Any) -> Any:
    """The node's error; fails the test where there is none."""
    step = result.steps["it"]
    assert step.status == "failed", step
    return step.error


async def close_litellm_clients() -> None:
    """Close the connections that litellm otherwise keeps for good."""
    if "litellm" in sys.modules:
        from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

        await close_litellm_async_clients()


def point_at(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send every provider's calls to the fakes."""
    for name, value in addresses(state).items():
        monkeypatch.setenv(name, value)


def addresses(state: State) -> dict[str, str]:
    """The operator's settings that send every provider's calls to the fakes."""
    return {
        "IMPASTO_OPENAI_BASE_URL": f"{state.url}/openai/v1",
        "IMPASTO_ANTHROPIC_BASE_URL": f"{state.url}/anthropic",
        "IMPASTO_GEMINI_BASE_URL": f"{state.url}/gemini/v1beta",
        "IMPASTO_MISTRAL_BASE_URL": f"{state.url}/mistral/v1",
        "IMPASTO_GROQ_BASE_URL": f"{state.url}/openai/v1",
        "IMPASTO_OPENROUTER_BASE_URL": f"{state.url}/openai/v1",
        "IMPASTO_RUNWAYML_BASE_URL": f"{state.url}/runwayml/v1",
        "IMPASTO_MINIMAX_BASE_URL": f"{state.url}/minimax/v1",
        "IMPASTO_XAI_BASE_URL": f"{state.url}/xai/v1",
        "IMPASTO_DEEPSEEK_BASE_URL": f"{state.url}/openai/v1",
        "IMPASTO_FAL_BASE_URL": f"{state.url}/fal",
        "IMPASTO_REPLICATE_BASE_URL": f"{state.url}/replicate",
        "IMPASTO_ELEVENLABS_BASE_URL": f"{state.url}/elevenlabs",
    }


def access_to(provider: str, state: State, key: str = GOOD_KEY) -> Access:
    """The access to a provider's fake, as adapters get it."""
    return Access(
        provider=provider, key=key, address=addresses(state)[f"IMPASTO_{provider.upper()}_BASE_URL"]
    )


def clean_environment() -> dict[str, str]:
    """The environment without any provider's key."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.endswith(("_API_KEY", "_API_TOKEN", "FAL_KEY"))
    }
