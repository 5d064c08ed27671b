"""Fixtures that make and run agents of the sample nodes."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import delete
from tests.server import sample_nodes
from tests.server.responses import expect

from impasto import Catalog
from impasto_server.container import AppState
from impasto_server.http.idempotency import StoredResponse
from impasto_server.users.models import User

__all__ = ["app_state", "catalog", "finished", "make_flow", "publish", "reset_sample_nodes", "run_flow"]

Make = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def catalog() -> Catalog:
    return sample_nodes.sample_catalog()


@pytest.fixture(autouse=True)
def reset_sample_nodes() -> Iterator[None]:
    sample_nodes.CALLS.clear()
    sample_nodes.GATES.clear()
    sample_nodes.ARRIVALS.clear()
    return


@pytest.fixture
def app_state(app: FastAPI) -> AppState:
    found: AppState = app.state.app_state
    return found


async def crash(app_state: AppState) -> None:
    """Delete the stored responses, as if the process had died between the launch and its response."""
    async with app_state.database.writing() as session:
        await session.execute(delete(StoredResponse))


async def user_of(app_state: AppState, person: Any) -> User:
    """Return the stored user of a person."""
    async with app_state.database.reading() as session:
        found = await session.get(User, await person.id())
    assert found is not None
    return found


@pytest.fixture
def make_flow() -> Make:
    """Create an agent of a person's."""

    async def make(person: Any, document: dict[str, Any] | None = None, **about: Any) -> dict[str, Any]:
        body = {"name": "Sample", "flow": document or sample_nodes.chain("shout"), **about}
        response = await person.client.post("/flows/", json=body)
        expect(response, 201)
        return dict(response.json())

    return make


@pytest.fixture
def publish(make_flow: Make) -> Make:
    """Create an agent and publish it."""

    async def make(person: Any, document: dict[str, Any] | None = None, **about: Any) -> dict[str, Any]:
        made = await make_flow(person, document, **about)
        response = await person.client.post(f"/flows/{made['id']}/publish", json={"note": "first"})
        expect(response, 200)
        return made

    return make


@pytest.fixture
def run_flow() -> Make:
    """Launch an agent and return the accepted run, or the problem if `status` is an error."""

    async def run(person: Any, flow_id: str, /, *, status: int = 202, **body: Any) -> dict[str, Any]:
        body.setdefault("inputs", {"ask": "hello"})
        body.setdefault("version", "draft")
        response = await person.client.post(f"/flows/{flow_id}/runs", json=body)
        expect(response, status)
        return dict(response.json())

    return run


@pytest.fixture
def finished() -> Make:
    """Follow a run's events to its end, then return it."""

    async def wait(person: Any, run: dict[str, Any]) -> dict[str, Any]:
        await person.client.get(f"/runs/{run['id']}/events", timeout=30)
        return dict((await person.client.get(f"/runs/{run['id']}")).json())

    return wait
