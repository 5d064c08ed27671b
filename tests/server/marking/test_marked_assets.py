"""Marks of an agent's images: the watermark, the visible mark on exports, and the name in credentials."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.assets.test_similarity import scene
from tests.server.content_credentials.samples import sample
from tests.server.responses import expect

from impasto.store import Provenance
from impasto_server.assets import exports, repository
from impasto_server.assets.media.images import has_watermark
from impasto_server.assets.run_store import RunProvenance, RunStore

pytestmark = pytest.mark.anyio
GENERATION = {"provider": "replicate", "model": "flux-1.1-pro"}


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"content_credentials": True}


@pytest.fixture
async def flow(person: Any, make_flow: Any) -> dict[str, Any]:
    found: dict[str, Any] = await make_flow(person)
    return found


@pytest.fixture
async def store(app_state: Any, person: Any, flow: Any, run_flow: Any, finished: Any) -> RunStore:
    run = await finished(person, await run_flow(person, flow["id"]))
    return RunStore(app_state, RunProvenance(run["id"], await person.id(), flow["id"], "Jugs", 3))


def _image(seed: int, form: str = "PNG") -> bytes:
    return saved(scene(seed).resize((640, 480)), form)


async def _put(person: Any, store: RunStore, data: bytes, media_type: str, **more: Any) -> dict[str, Any]:
    origin = Provenance(run_id="run-1", step="draw", node_type="paint", **more)
    asset_id = (await store.put(data, media_type, origin=origin)).asset_id
    found: dict[str, Any] = (await person.client.get(f"/assets/{asset_id}")).json()
    return found


async def _download(person: Any, url: str) -> bytes:
    response = await person.client.get(url.removeprefix("/api/v1"))
    expect(response, 200)
    content: bytes = response.content
    return content


async def test_marks_are_off_by_default(person: Any, flow: Any, store: RunStore, tmp_path: Path) -> None:
    assert (flow["watermark"], flow["mark_exports"]) == (False, False)
    asset = await _put(person, store, _image(1), "image/png", generation=GENERATION)
    (tmp_path / "file").write_bytes(await _download(person, asset["url"]))
    assert not has_watermark(tmp_path / "file", 40)
    assert asset["export_url"] is None
    same = await person.client.get(f"/assets/{asset['id']}/export")
    assert same.content == (tmp_path / "file").read_bytes()
    assert same.headers["content-disposition"].startswith("attachment")


async def test_agent_with_watermark_marks_what_ai_made_and_nothing_else(
    person: Any, flow: Any, store: RunStore, tmp_path: Path
) -> None:
    expect(await person.client.patch(f"/flows/{flow['id']}", json={"watermark": True}), 200)
    made = await _put(person, store, _image(2, "JPEG"), "image/jpeg", generation=GENERATION)
    drawn = await _put(person, store, _image(3), "image/png", generation={"model": "r", "method": "rendered"})
    content = await _download(person, made["url"])
    found = (await person.client.get(f"/assets/{made['id']}/credentials")).json()
    assert found["state"] == "trusted"
    assert "c2pa.watermarked.unbound" in [each["action"] for each in found["actions"]]
    small = Image.open(io.BytesIO(content)).resize((320, 240))  # loses the credentials
    copy = saved(small, "WEBP", quality=80)
    traced = await person.client.post("/assets/trace", files={"file": ("c.webp", copy, "image/webp")})
    assert (traced.json()["watermark"], traced.json()["credentials"]) == (True, None)
    (tmp_path / "drawn").write_bytes(await _download(person, drawn["url"]))
    assert not has_watermark(tmp_path / "drawn", 40)


async def test_export_has_the_visible_mark_and_the_original_as_parent(
    person: Any, app_state: Any, flow: Any, store: RunStore
) -> None:
    expect(await person.client.patch(f"/flows/{flow['id']}", json={"mark_exports": True}), 200)
    asset = await _put(person, store, _image(4), "image/png", generation=GENERATION)
    plain, marked = await _download(person, asset["url"]), await _download(person, asset["export_url"])
    export = await person.client.get(asset["export_url"].removeprefix("/api/v1"))
    assert export.headers["content-type"] == "image/png"
    assert export.headers["content-disposition"] == (
        "attachment; filename=\"draw.png\"; filename*=UTF-8''draw.png"
    )
    before, after = (np.asarray(Image.open(io.BytesIO(each)).convert("L"), int) for each in (plain, marked))
    changed = np.argwhere(before != after)
    assert len(changed) > 100
    assert changed.max(axis=0).tolist() < [60, 80]  # the mark is in the upper left corner
    files = {"file": ("marked.png", marked, "image/png")}
    found = (await person.client.post("/assets/trace", files=files)).json()
    assert (found["found"], found["flow_name"]) == (True, "Jugs")
    report = found["credentials"]
    assert (report["state"], report["ai_made"]) == ("trusted", "yes")
    assert (report["sources"][0]["asset_id"], report["sources"][0]["relationship"]) == (
        asset["id"],
        "parentOf",
    )
    source_type = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
    assert f'Iptc4xmpExt:DigitalSourceType="{source_type}"'.encode() in marked
    assert (report["agent"], report["agent_version"], report["model"]) == ("Jugs", 3, "flux-1.1-pro")
    assert await _download(person, asset["export_url"]) == marked
    expect(await person.client.delete(f"/assets/{asset['id']}"), 204)
    assert not await app_state.storage.exists(f"exports/{asset['sha256']}")
    gif = await _put(person, store, sample("image/gif"), "image/gif", generation=GENERATION)
    assert await _download(person, gif["export_url"]) == await _download(person, gif["url"])


async def test_exported_video_has_the_visible_mark_and_the_original_as_parent(
    person: Any, app_state: Any, flow: Any, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect(await person.client.patch(f"/flows/{flow['id']}", json={"mark_exports": True}), 200)
    video = await _put(person, store, sample("video/mp4"), "video/mp4", generation=GENERATION)
    plain = await _download(person, video["url"])
    monkeypatch.setattr("impasto_server.marking.video_mark.MAX_PIXELS", 100)
    assert await _download(person, video["export_url"]) == plain  # too large
    monkeypatch.undo()
    marked = await _download(person, video["export_url"])
    files = {"file": ("marked.mp4", marked, "video/mp4")}
    found = (await person.client.post("/assets/trace", files=files)).json()
    assert (found["found"], found["flow_name"]) == (True, "Jugs")
    report = found["credentials"]
    assert (report["state"], report["ai_made"]) == ("trusted", "yes")
    assert [(each["asset_id"], each["relationship"]) for each in report["sources"]] == [
        (video["id"], "parentOf")
    ]
    assert await _download(person, video["export_url"]) == marked
    async with app_state.database.reading() as session:
        row = await repository.find_any(session, video["id"])
    assert row is not None
    exists, is_locked = app_state.storage.exists, list[bool]()

    async def note_lock(key: str) -> bool:
        is_locked.append(app_state.video_marking.locked())
        return bool(await exists(key))

    monkeypatch.setattr(app_state.storage, "exists", note_lock)
    assert await exports.marked_file(app_state, row) == marked
    assert is_locked == [True], "another one waits, also for one that is stored"
    assert not app_state.video_marking.locked()
    webm = await _put(person, store, sample("video/webm"), "video/webm", generation=GENERATION)
    assert webm["export_url"] is None


@pytest.mark.parametrize(
    ("marks_exports", "generation", "is_marked"),
    [
        (True, GENERATION, True),
        (False, GENERATION, False),
        (True, {"model": "r", "method": "rendered"}, False),
    ],
)
async def test_changed_version_is_marked_if_ai_made_it_and_the_agent_marks_exports(
    person: Any,
    flow: Any,
    store: RunStore,
    marks_exports: bool,
    generation: dict[str, str],
    is_marked: bool,
) -> None:
    chosen = {"mark_exports": marks_exports, "watermark": marks_exports}
    expect(await person.client.patch(f"/flows/{flow['id']}", json=chosen), 200)
    asset = await _put(person, store, _image(8), "image/png", generation=generation)
    crop = {"crop": {"x": 300, "y": 100, "width": 320, "height": 320}}
    changed = expect(await person.client.post(f"/assets/{asset['id']}/versions", json=crop), 201).json()
    assert [each["export_url"] is not None for each in (asset, changed)] == [is_marked, is_marked]
    assert has_watermark(await _download(person, changed["url"]), 40) is is_marked


class TestWithoutContentCredentials:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"content_credentials": False}

    async def test_export_has_the_visible_mark(self, person: Any, flow: Any, store: RunStore) -> None:
        expect(await person.client.patch(f"/flows/{flow['id']}", json={"mark_exports": True}), 200)
        asset = await _put(person, store, _image(6), "image/png", generation=GENERATION)
        assert asset["credentials"] is None
        marked = await _download(person, asset["export_url"])
        assert marked != await _download(person, asset["url"])
        frames = [Image.new("RGB", (64, 64), color) for color in ("red", "green")]
        data = saved(frames[0], "WEBP", save_all=True, append_images=frames[1:])
        animated = await _put(person, store, data, "image/webp", generation=GENERATION)
        assert await _download(person, animated["export_url"]) == await _download(person, animated["url"])
        drawn = {"model": "r", "method": "rendered"}
        assert (await _put(person, store, _image(7), "image/png", generation=drawn))["export_url"] is None


async def test_export_of_another_user_is_not_found(
    person: Any, new_person: Any, flow: Any, store: RunStore
) -> None:
    expect(await person.client.patch(f"/flows/{flow['id']}", json={"mark_exports": True}), 200)
    asset = await _put(person, store, _image(5), "image/png", generation=GENERATION)
    ines = await new_person("ines")
    expect(await ines.client.get(f"/assets/{asset['id']}/export"), 404)
    expect(await ines.client.patch(f"/flows/{flow['id']}", json={"watermark": True}), 404)


async def test_credentials_name_the_owner_only_if_asked(person: Any, app_state: Any, store: RunStore) -> None:
    expect(await person.client.put("/users/me/credentials-name", json={"name": " Fjell Skincare "}), 200)
    assert (await person.client.get("/users/me")).json()["credentials_name"] == "Fjell Skincare"
    asset = await _put(person, store, sample("image/png"), "image/png", generation=GENERATION)
    found = (await person.client.get(f"/assets/{asset['id']}/credentials")).json()
    assert (found["state"], found["creators"]) == ("trusted", ["Fjell Skincare"])
    crop = {"crop": {"x": 0, "y": 0, "width": 16, "height": 16}}
    changed = expect(await person.client.post(f"/assets/{asset['id']}/versions", json=crop), 201).json()
    found = (await person.client.get(f"/assets/{changed['id']}/credentials")).json()
    assert (found["creators"], found["model"]) == (["Fjell Skincare"], "flux-1.1-pro")
    expect(await person.client.put("/users/me/credentials-name", json={"name": None}), 200)
    later = RunStore(app_state, store._provenance)
    asset = await _put(person, later, sample("image/gif"), "image/gif", generation=GENERATION)
    found = (await person.client.get(f"/assets/{asset['id']}/credentials")).json()
    assert (found["state"], found["creators"]) == ("trusted", [])
    expect(await person.client.put("/users/me/credentials-name", json={"name": "x" * 61}), 422)


async def test_export_of_the_account_has_sidecars_beside_their_files(person: Any, store: RunStore) -> None:
    asset = await _put(person, store, sample("video/webm"), "video/webm", generation=GENERATION)
    archive = zipfile.ZipFile(io.BytesIO((await person.client.get("/users/me/export")).content))
    (name,) = [each for each in archive.namelist() if each.endswith(".webm")]
    assert archive.read(f"{name}.c2pa") == await _download(person, asset["credentials_url"])
