"""Browsers on other origins, which the operator names, may call the API."""

from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.anyio
ORIGIN = "https://tool.example"


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"cors_origins": (ORIGIN,)}


async def test_named_origin_may_send_credentials_and_read_headers(client: httpx.AsyncClient) -> None:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "PATCH"}
    asked["Access-Control-Request-Headers"] = "authorization,if-match"
    preflight = await client.options("/flows/x", headers=asked)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == ORIGIN
    assert preflight.headers["access-control-allow-credentials"] == "true"
    assert "PATCH" in preflight.headers["access-control-allow-methods"]
    assert preflight.headers["access-control-allow-headers"] == "authorization,if-match"
    response = await client.get("/users/me", headers={"Origin": ORIGIN})
    assert response.headers["access-control-allow-origin"] == ORIGIN
    assert response.headers["access-control-expose-headers"] == "ETag, X-Request-ID, Retry-After"


async def test_other_origin_gets_no_permission(client: httpx.AsyncClient) -> None:
    response = await client.get("/users/me", headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in response.headers
