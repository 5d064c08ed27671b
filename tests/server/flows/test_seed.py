"""The built-in agents, which are loaded from files."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow, png

from impasto_server.container import AppState
from impasto_server.flows import repository
from impasto_server.flows.seed import agents_dir, seed
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    folder = tmp_path / "agents"
    (folder / "covers").mkdir(parents=True)
    about = {"description": "Says it louder.", "category": "viral_content"}
    (folder / "loud.json").write_text(json.dumps({**chain("shout", name="Loud"), **about}))
    (folder / "broken.json").write_text("{")
    (folder / "wrong.json").write_text(json.dumps(flow("shout")))
    (folder / "covers" / "loud.webp").write_bytes(png(90, 60, 40))
    return folder


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


@pytest.fixture
def extra_settings(agents: Path) -> dict[str, Any]:
    return {"agents_dir": agents}


async def test_valid_files_become_public_system_agents(person: Any) -> None:
    listed = (await person.client.get("/flows/")).json()
    assert [(item["name"], item["description"], item["category"]) for item in listed] == [
        ("Loud", "Says it louder.", "viral_content")
    ]
    assert listed[0]["built_in"] is True
    assert listed[0]["mine"] is False
    assert listed[0]["version"] == 1
    assert listed[0]["avatar_url"] is not None


async def test_cover_keeps_the_size_of_the_files_of_covers(person: Any, client: Any) -> None:
    [listed] = (await person.client.get("/flows/")).json()
    loaded = await client.get(listed["avatar_url"].removeprefix("/api/v1"))
    with Image.open(io.BytesIO(loaded.content)) as image:
        assert image.size == (640, 320)


async def test_changed_file_is_published_as_new_version(person: Any, app: FastAPI, agents: Path) -> None:
    app_state: AppState = app.state.app_state
    await seed(app_state)
    before = (await person.client.get("/flows/")).json()[0]
    assert (before["version"], before["revision"]) == (1, 1)
    assert await row_of(app_state) == (None, False, ["text"], [], "public", 1, 1)
    changed = {**chain("paint", name="Louder"), "order": 3, "beta": True, "category": "ads"}
    (agents / "loud.json").write_text(json.dumps(changed))
    (agents / "covers" / "loud.webp").unlink()
    await seed(app_state)
    after = (await person.client.get("/flows/")).json()[0]
    assert (after["id"], after["name"], after["version"]) == (before["id"], "Louder", 2)
    assert (after["description"], after["category"], after["avatar_url"]) == ("", "ads", None)
    assert await row_of(app_state) == (3, True, ["image"], [], "public", 2, 2)
    (agents / "loud.json").write_text(json.dumps({**changed, "order": True, "beta": 1}))
    await seed(app_state)
    assert await row_of(app_state) == (None, False, ["image"], [], "public", 2, 2)


async def row_of(app_state: AppState) -> tuple[Any, ...]:
    async with app_state.database.reading() as session:
        row = await repository.find_built_in(session, "loud")
    assert row is not None
    return (
        row.position, row.beta, row.kinds, row.takes, row.visibility, row.revision, row.published_revision,
    )  # fmt: skip


def test_agents_are_those_of_the_setting_else_those_beside_the_source(tmp_path: Path) -> None:
    assert agents_dir(Settings(_env_file=None, agents_dir=tmp_path)) == tmp_path
    found = agents_dir(Settings(_env_file=None))
    assert found is not None
    assert (found.name, found.is_dir()) == ("agents", True)


async def test_servers_that_start_at_once_load_each_agent_once(
    person: Any, app: FastAPI, agents: Path
) -> None:
    app_state: AppState = app.state.app_state
    for number in range(5):
        (agents / f"new{number}.json").write_text(json.dumps(chain("shout", name=f"New {number}")))
    await asyncio.gather(*(seed(app_state) for _ in range(4)))
    listed = (await person.client.get("/flows/")).json()
    assert sorted((item["name"], item["version"]) for item in listed) == [
        ("Loud", 1), *((f"New {number}", 1) for number in range(5)),
    ]  # fmt: skip


async def test_built_in_agent_cannot_be_changed(person: Any) -> None:
    found = (await person.client.get("/flows/")).json()[0]
    response = await person.client.patch(f"/flows/{found['id']}", json={"name": "Mine"})
    expect(response, 403)
