"""Export and erasure of a user's agents, runs and assets."""

import io
import json
import zipfile
from typing import Any

import pytest
from tests.server.conftest import PASSWORD
from tests.server.responses import expect
from tests.server.sample_nodes import CALLS, chain, gate, png

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


async def test_texts_are_in_the_export(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    made = await make_flow(person, chain("shout"))
    await finished(person, await run_flow(person, made["id"], inputs={"ask": "kept"}))
    exported = await person.client.get("/users/me/export")
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".txt")]
        assert archive.read(name) == b"KEPT!"


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
