"""Clients for servers of one's own follow no redirect and send each request once; services have litellm's."""

from typing import Any

import pytest
from tests.fakes.running import close_litellm_clients

from impasto_nodes.providers.litellm.lazy_import import library
from impasto_nodes.providers.litellm.own_server import client_for_own_server

pytestmark = pytest.mark.anyio
ADDRESS = "http://127.0.0.1:9/v1"


@pytest.fixture
async def litellm() -> Any:
    yield await library()
    await close_litellm_clients()


@pytest.mark.parametrize("provider", ["openai", "gemini", "local", "not_installed"])
async def test_service_has_the_client_of_litellm(litellm: Any, provider: str) -> None:
    async with client_for_own_server(litellm, provider, ADDRESS, "key", 5.0) as arguments:
        assert arguments == {}


@pytest.mark.parametrize(("key", "sent"), [("a-key", "a-key"), ("", "none")])
async def test_server_like_openai_has_its_client(litellm: Any, key: str, sent: str) -> None:
    async with client_for_own_server(litellm, "openai_compatible", ADDRESS, key, 5.0) as arguments:
        client = arguments.pop("client")
        assert arguments == {}
        assert (str(client.base_url), client.api_key, client.max_retries) == (f"{ADDRESS}/", sent, 0)
        http = client._client
        assert (http.follow_redirects, http.timeout.read, http.is_closed) == (False, 5.0, False)
    assert http.is_closed


async def test_other_server_has_a_client_of_litellms_kind(litellm: Any) -> None:
    async with client_for_own_server(litellm, "ollama", ADDRESS, "", 5.0) as arguments:
        http = arguments.pop("client").client
        assert arguments == {}
        assert (http.follow_redirects, http.timeout.read, http.is_closed) == (False, 5.0, False)
    assert http.is_closed
