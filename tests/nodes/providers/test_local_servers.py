"""Model servers on this machine are recognized by their lists of models."""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.fakes.serving import redirecting
from tests.fakes.state import State

from impasto.sdk.providers import FoundServer
from impasto_nodes.providers import local_servers
from impasto_nodes.providers.local_servers import LocalServer, find, is_local_address
from impasto_nodes.providers.spec import ProviderSpec

pytestmark = pytest.mark.anyio


def server(fakes: State, **facts: Any) -> LocalServer:
    port = urlsplit(fakes.url).port or 0
    return LocalServer(title="Own", port=port, path="/xai/v1/thing", base="/v1", **facts)


async def count(fakes: State, answer: Any, status: int = 200, **facts: Any) -> int | None:
    body = answer if isinstance(answer, str) else json.dumps(answer)
    fakes.misbehave("answer", on="/thing", status=status, body=body)
    asked = server(fakes, **facts)
    found = await find("acme", [asked])
    if not found:
        return None
    (one,) = found
    assert one == FoundServer(provider="acme", title="Own", address=asked.address, models=one.models)
    return one.models


MODELS = [{"id": "a", "owned_by": "vllm"}, {"id": "b"}]


@pytest.mark.parametrize(
    ("answer", "facts", "models"),
    [
        ({"data": MODELS}, {}, 2),
        ({"data": []}, {}, 0),
        ({"models": MODELS[:1]}, {"items": "models"}, 1),
        ({"data": MODELS}, {"owner": "vllm"}, 2),
        ({"data": MODELS}, {"owner": "other"}, None),
        ({"data": []}, {"owner": "vllm"}, None),
        ({"models": MODELS}, {}, None),
        ({"data": "many"}, {}, None),
        ({"data": [{}, "b"]}, {}, None),
        ([MODELS], {}, None),
        ("<html>", {}, None),
        ("", {}, None),
        ([1, 2, 3], {"count_models": len}, 3),
        ([], {"count_models": lambda answer: None}, None),
    ],
)
async def test_server_is_found_by_its_list_of_models(
    fakes: State, answer: Any, facts: dict[str, Any], models: int | None
) -> None:
    assert await count(fakes, answer, **facts) == models


@pytest.mark.parametrize("status", [201, 404, 500])
async def test_other_status_is_another_service(fakes: State, status: int) -> None:
    assert await count(fakes, {"data": MODELS}, status) is None


async def test_largest_answer_is_read_and_a_larger_one_is_another_service(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"data": MODELS})
    monkeypatch.setattr(local_servers, "_MAX_BYTES", len(text))
    assert await count(fakes, text) == 2
    assert await count(fakes, text + " ") is None


async def test_redirect_of_a_server_is_another_service() -> None:
    async with redirecting("/elsewhere") as (address, asked):
        port = urlsplit(address).port or 0
        assert await find("acme", [LocalServer(title="Own", port=port, path="/models")]) == []
    assert asked == ["/models"]


async def test_proxy_of_the_environment_is_not_asked_for_a_server_of_this_machine(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert await count(fakes, {"data": MODELS}) == 2


async def test_server_that_does_not_answer_in_time_is_left_out(
    fakes: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_servers, "_SECONDS", 0.1)
    fakes.misbehave("slow", on="/thing")
    async with asyncio.timeout(20):
        assert await count(fakes, {"data": MODELS}) is None


async def test_port_where_nothing_listens_has_no_server() -> None:
    assert await find("acme", [LocalServer(title="Own", port=9, path="/models")]) == []


async def test_provider_finds_its_own_servers(fakes: State) -> None:
    fakes.misbehave("answer", on="/thing", status=200, body='{"data": []}')
    asked = server(fakes)
    spec = ProviderSpec(id="acme", title="Acme", local_servers=(asked,))
    found = FoundServer(provider="acme", title="Own", address=asked.address, models=0)
    assert await spec.find_local_servers() == [found]


async def test_address_of_a_server_is_on_this_machine() -> None:
    own = LocalServer(title="Own", port=1234, path="/models", base="/v1")
    assert own.address == "http://127.0.0.1:1234/v1"
    assert is_local_address("http://127.0.0.1:1234/v1", [own])
    assert not is_local_address("http://127.0.0.1:1234", [own])
    assert not is_local_address("http://127.0.0.1:1234/v1", [])
