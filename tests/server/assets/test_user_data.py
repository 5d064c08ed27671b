"""Export and erasure of a user's agents, runs and assets."""

import io
import json
import zipfile
from typing import Any

import pytest
from tests.server.assets.asset_rows import asset_row
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, chain, gate, png

from impasto_server.assets.models import AssetTextRow
from impasto_server.assets.user_data import data_owner

pytestmark = pytest.mark.anyio


async def test_export_contains_agents_runs_and_files(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    run = await finished(person, await run_flow(person, made["id"]))
    response = await person.client.get("/users/me/export")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        names = archive.namelist()
        agent = json.loads(archive.read(f"agents/{made['id']}.json"))
        assert agent["nodes"] == made["flow"]["nodes"]
        assert [item["id"] for item in json.loads(archive.read("runs.json"))] == [run["id"]]
        painting = next(name for name in names if name.endswith("painting.png"))
        assert archive.read(painting).startswith(b"\x89PNG")
        assert "signature=" not in archive.read("assets.json").decode()


async def test_text_of_a_result_is_downloaded_and_in_the_export(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    run = await finished(person, await run_flow(person, made["id"], inputs={"ask": "kept"}))
    (text,) = (await person.client.get("/assets/library", params={"run_id": run["id"]})).json()["items"]
    for path, kind in (("content", "inline"), ("export", "attachment")):
        file = await person.client.get(f"/assets/{text['id']}/{path}")
        assert (file.status_code, file.content) == (200, b"KEPT!")
        assert file.headers["content-disposition"].startswith(f"{kind}; ")
    expect(await person.client.get(f"/assets/{text['id']}/thumbnail"), 404)
    exported = await person.client.get("/users/me/export")
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".txt")]
        assert archive.read(name) == b"KEPT!"


async def test_export_lists_each_asset_and_erasure_names_its_objects(app_state: Any, person: Any) -> None:
    owner_id = await person.id()
    digest = "1" * 64
    rows = {
        "a": {"credentials": "sidecar"}, "b": {"credentials": "embedded"}, "c": {"excerpt": "Once"},
        "d": {"excerpt": ""},
    }  # fmt: skip
    async with app_state.database.writing() as session:
        session.add_all(
            asset_row(each, owner_id, sha256=digest, object_key="key", **about)
            for each, about in rows.items()
        )
        await session.flush()
        session.add(AssetTextRow(asset_id="c", content="Once é"))
    entries = [entry async for entry in data_owner.export(app_state.database, owner_id)]
    assert [(entry.path, entry.data, entry.object_key) for entry in entries] == [
        ("assets.json", b"", None),
        ("assets/a-a.png", b"", "key"),
        ("assets/a-a.png.c2pa", b"", f"credentials/{digest}"),
        ("assets/b-b.png", b"", "key"),
        ("assets/c-c.png", "Once é".encode(), None),
        ("assets/d-d.png", b"", None),
    ]
    assert entries[0].pieces is not None
    listed = json.loads(b"".join([piece async for piece in entries[0].pieces]))
    assert [asset["id"] for asset in listed] == ["a", "b", "c", "d"]
    assert not {"url", "thumbnail_url", "export_url", "credentials_url"} & listed[0].keys()
    async with app_state.database.reading() as session:
        keys = ["key", f"thumbnails/{digest}", f"credentials/{digest}", f"exports/{digest}"]
        assert list((await data_owner.erase(session, owner_id)).object_keys) == keys
        assert list((await data_owner.erase(session, "another")).object_keys) == []
        assert await data_owner.references(session, keys[1])
    others = [entry async for entry in data_owner.export(app_state.database, "another")]
    assert [entry.path for entry in others] == ["assets.json"]


async def test_account_deletion_keeps_files_shared_with_others(
    person: Any, new_person: Any, app_state: Any
) -> None:
    other = await new_person("ines")
    shared = {"file": ("a.png", png(1), "image/png")}
    alone = {"file": ("b.png", png(2), "image/png")}
    kept = (await other.client.post("/assets/", files=shared)).json()
    await person.client.post("/assets/", files=shared)
    gone = (await person.client.post("/assets/", files=alone)).json()
    response = await person.client.request("DELETE", "/users/me", json={"password": PASSWORD})
    expect(response, 204)
    assert (await other.client.get(f"/assets/{kept['id']}/content")).content == png(1)
    digest = gone["sha256"]
    assert not await app_state.storage.exists(f"{digest[:2]}/{digest[2:4]}/{digest}")


async def test_account_deletion_cancels_running_runs(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("wait", "shout"))
    await run_flow(person, made["id"])
    response = await person.client.request("DELETE", "/users/me", json={"password": PASSWORD})
    expect(response, 204)
    gate("gate").set()
    other = await new_person("ines")
    mine = await make_flow(other, chain("spell"))
    assert (await finished(other, await run_flow(other, mine["id"])))["status"] == "finished"
    assert CALLS["shout"] == 0
