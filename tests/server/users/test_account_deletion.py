"""Export and deletion of an account: agents, runs, files and keys of this user only."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image
from sqlalchemy import func, select
from tests.fakes.media import saved
from tests.server.responses import expect

from impasto_server.db.migrations.tables import metadata

pytestmark = pytest.mark.anyio

PASSWORD = "Thick-paint-7"


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


def picture(colour: str) -> bytes:
    return saved(Image.new("RGB", (64, 64), colour))


async def upload(person: Any, data: bytes) -> str:
    answer = await person.client.post("/assets/", files={"file": ("poster.png", data, "image/png")})
    expect(answer, 201)
    return str(answer.json()["id"])


async def settle(person: Any, shared: bytes, own: bytes) -> None:
    """Create one row of each kind for a user."""
    await upload(person, shared)
    mine = await upload(person, own)
    assert (await person.client.get(f"/assets/{mine}/thumbnail")).is_success
    made = await person.client.post("/flows/", json={"name": f"{person.username}'s agent"})
    values = {"values": {"tone": "Warm"}}
    assert (await person.client.patch(f"/flows/{made.json()['id']}/customization", json=values)).is_success
    assert (await person.client.post("/api-keys", json={"name": "ci", "scopes": ["run"]})).is_success
    key = {"key": "sk-0123456789abcdef"}
    assert (await person.client.put("/credentials/openai", json=key)).is_success


async def rows_of(app: FastAPI, user_id: str) -> dict[str, int]:
    """Count the rows of each table that belong to a user."""
    found = {}
    async with app.state.app_state.database.reading() as session:
        for table in metadata.sorted_tables:
            for column in table.columns:
                if any(key.column.table.name == "users" for key in column.foreign_keys):
                    count = await session.scalar(select(func.count()).where(column == user_id))
                    found[f"{table.name}.{column.name}"] = int(count or 0)
    return found


async def test_export_has_every_kind_of_data(new_person: Callable[..., Any]) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    await settle(mara, picture("#fff"), picture("#de4f2a"))
    await settle(noor, picture("#fff"), picture("#2f57e0"))
    archive = zipfile.ZipFile(io.BytesIO((await mara.client.get("/users/me/export")).content))
    contents = {name: archive.read(name) for name in archive.namelist()}
    everything = b"".join(contents.values())
    assert {picture("#fff"), picture("#de4f2a")} <= set(contents.values()), "the files as they were uploaded"
    assert picture("#2f57e0") not in contents.values()
    assert b"mara's agent" in everything
    assert b"noor's agent" not in everything
    assert b"sk-0123456789abcdef" not in everything


async def test_deletion_leaves_no_row_and_no_file(
    app: FastAPI, new_person: Callable[..., Any], settings: Any
) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    await settle(mara, picture("#fff"), picture("#de4f2a"))
    await settle(noor, picture("#fff"), picture("#2f57e0"))
    mara_id, noor_id = await mara.id(), await noor.id()
    assert sum((await rows_of(app, mara_id)).values()) > 5
    before = await rows_of(app, noor_id)

    answer = await mara.client.request("DELETE", "/users/me", json={"password": PASSWORD})
    expect(answer, 204)
    assert set((await rows_of(app, mara_id)).values()) == {0}
    assert await rows_of(app, noor_id) == before
    kept = [path.read_bytes() for path in (settings.data_dir / "assets").rglob("*") if path.is_file()]
    assert picture("#de4f2a") not in kept
    assert picture("#fff") in kept, "another user uploaded the same file"
    assert picture("#2f57e0") in kept
    thumbnails = list((settings.data_dir / "assets" / "thumbnails").iterdir())
    assert len(thumbnails) == 1, "only of the image that another user has"
