"""Callbacks: a provider calls the server, and the waiting step continues."""

import asyncio
from typing import Any

import httpx
import pytest
from prometheus_client import REGISTRY
from tests.fakes.replicate import webhook_call
from tests.fakes.state import WEBHOOK_SECRET, Prediction
from tests.server.responses import expect
from tests.server.sample_nodes import ask, flow

from impasto import Catalog, Context, Text, node
from impasto_server.callbacks.service import open_callback
from impasto_server.container import AppState

pytestmark = pytest.mark.anyio
DONE = Prediction("p1", "owner/model", {"prompt": "a can"}, None, "succeeded")
ADDRESSES: list[asyncio.Queue[str]] = []


@node(id="listen")
async def listen(text: Text, *, context: Context) -> Text:
    """Publish the callback URL and wait for a call."""
    async with context.callback("done") as callback:
        ADDRESSES[-1].put_nowait(callback.address(WEBHOOK_SECRET))
        return f"{text} {await callback.wait(30)}"


@pytest.fixture
def public_url() -> str:
    return "https://testserver/"


@pytest.fixture
def extra_settings(public_url: str) -> dict[str, Any]:
    return {"public_url": public_url}


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([ask, listen])


@pytest.fixture
def given_away() -> asyncio.Queue[str]:
    ADDRESSES.append(asyncio.Queue())
    return ADDRESSES[-1]


async def call(
    app_state: AppState, client: httpx.AsyncClient, address: str, secret: str = WEBHOOK_SECRET
) -> httpx.Response:
    headers, body = webhook_call(DONE, app_state.clock().timestamp(), secret)
    return await client.post(address, content=body, headers=headers)


async def address_of(app_state: AppState, topic: str = "run step done") -> str:
    async with open_callback(app_state, topic) as callback:
        return callback.address(WEBHOOK_SECRET)


async def test_call_wakes_waiting_step(
    person: Any,
    app_state: AppState,
    client: Any,
    make_flow: Any,
    run_flow: Any,
    finished: Any,
    given_away: Any,
) -> None:
    made = await make_flow(person, flow("ask", "listen", edges=["ask.output -> listen.text"]))
    run = await run_flow(person, made["id"])
    address = await asyncio.wait_for(given_away.get(), 20)
    assert address.startswith("https://testserver/api/v1/callbacks/")
    assert WEBHOOK_SECRET not in address
    expect(await call(app_state, client, address), 204)
    done = await finished(person, run)
    assert done["status"] == "finished"
    assert "hello True" in str(done)


async def test_call_with_wrong_secret_is_rejected(app_state: AppState, client: Any) -> None:
    async with open_callback(app_state, "topic") as callback:
        address = callback.address(WEBHOOK_SECRET)
        response = await call(app_state, client, address, "whsec_b3RoZXI=")
        expect(response, 403, code="call_refused")
        assert (response.json()["title"], response.json()["detail"]) == (
            "Invalid signature",
            "The signature does not match this call.",
        )
        expect(await client.post(address, content=b"{}"), 403)
        assert not await callback.wait(0.01)
        expect(await call(app_state, client, address), 204)
        assert await callback.wait(0.01)


async def test_unknown_token_is_not_found(
    app_state: AppState, client: Any, subtests: pytest.Subtests
) -> None:
    cases = ["x", "AAAA", "é", "a" * 5000, "..", "=" * 12]
    for token in cases:
        with subtests.test(token=token):
            response = await call(app_state, client, f"https://testserver/api/v1/callbacks/{token}")
            expect(response, 404, 405)


async def test_modified_token_is_not_found(app_state: AppState, client: Any) -> None:
    address = await address_of(app_state)
    for changed in (
        address[:-20] + ("A" if address[-20] != "A" else "B") + address[-19:],
        f"{address[:-20]}!!!!{address[-20:]}",
    ):
        refused = expect(await call(app_state, client, changed), 404)
        assert refused.json()["detail"] == "There is no step at this address."


async def test_call_wakes_its_own_topic_only(app_state: AppState, client: Any) -> None:
    async with open_callback(app_state, "one") as one, open_callback(app_state, "two") as two:
        await call(app_state, client, two.address(WEBHOOK_SECRET))
        assert await two.wait(0.01)
        assert not await one.wait(0.01)


async def test_calls_are_counted_by_their_result(app_state: AppState, client: Any) -> None:
    def counted() -> dict[str, float]:
        results = ("accepted", "unsigned", "unknown")
        return {
            each: REGISTRY.get_sample_value("impasto_webhooks_total", {"result": each}) or 0
            for each in results
        }

    before, address = counted(), await address_of(app_state)
    for _ in range(3):
        await call(app_state, client, address)
    for _ in range(2):
        await call(app_state, client, address, "whsec_b3RoZXI=")
    await call(app_state, client, "https://testserver/api/v1/callbacks/AAAA")
    assert {name: value - before[name] for name, value in counted().items()} == {
        "accepted": 3, "unsigned": 2, "unknown": 1,
    }  # fmt: skip


async def test_call_for_ended_step_is_accepted(app_state: AppState, client: Any) -> None:
    expect(await call(app_state, client, await address_of(app_state)), 204)


async def test_url_stays_valid_after_restart(app_state: AppState, client: Any) -> None:
    """The process that resumes the run subscribes again; only the encryption key is needed."""
    address = await address_of(app_state, "same")
    async with open_callback(app_state, "same") as again:
        await call(app_state, client, address)
        assert await again.wait(0.01)


@pytest.mark.parametrize("public_url", ["", "http://studio.example"])
async def test_server_without_https_has_no_callback_url(app_state: AppState) -> None:
    assert await address_of(app_state) == ""
