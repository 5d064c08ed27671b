"""Metrics are readable with the operator's token only."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError
from tests.server.responses import expect

from impasto_server.observability.metrics import CONNECTIONS_MAX
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
TOKEN = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"metrics": True, "metrics_token": TOKEN}


async def test_metrics_without_the_token_are_refused(app: FastAPI, subtests: pytest.Subtests) -> None:
    cases: list[str | None] = [
        None,
        "",
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \xe9",
    ]
    for authorization in cases:
        with subtests.test(authorization=authorization):
            headers = {} if authorization is None else {"Authorization": authorization.encode("latin-1")}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://testserver"
            ) as client:
                answer = await client.get("/metrics", headers=headers)
            expect(answer, 401)
            assert "impasto_request_seconds" not in answer.text


async def test_metrics_with_the_token_are_returned(app: FastAPI) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") as client:
        CONNECTIONS_MAX.set(0)
        found = expect(await client.get("/metrics", headers={"Authorization": f"bearer {TOKEN}"}), 200)
    assert found.headers["content-type"] == "text/plain; version=1.0.0; charset=utf-8"
    assert "impasto_database_connections_max 40.0" in found.text.splitlines()


def test_metrics_without_a_token_in_the_settings_stop_the_start() -> None:
    with pytest.raises(ValidationError, match="set IMPASTO_METRICS_TOKEN too"):
        Settings(_env_file=None, metrics=True)


@pytest.mark.parametrize("token", ["short", "with a space in the middle", "é" * 20])
def test_unusable_token_stops_the_start(token: str) -> None:
    with pytest.raises(ValidationError, match="at least 16 ASCII characters"):
        Settings(_env_file=None, metrics=True, metrics_token=token)
