"""Assets of runs are signed when they are stored, and their credentials are read over the API."""

import asyncio
import io
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image
from sqlalchemy import select
from tests.server.content_credentials.samples import EMBEDDED, SIDECAR, make_signer, sample, sign
from tests.server.responses import expect
from tests.server.sample_nodes import chain, png
from typer.testing import CliRunner

from impasto.store import Provenance
from impasto_server.assets.media.thumbnails import sidecar_key
from impasto_server.assets.models import AssetRow
from impasto_server.assets.run_store import RunProvenance, RunStore
from impasto_server.cli.provenance import trace

pytestmark = pytest.mark.anyio
command = typer.Typer()
command.command()(trace)
GENERATION = {"provider": "replicate", "model": "flux-1.1-pro"}


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"content_credentials": True, "content_organization": "Fjell Skincare"}


@pytest.fixture
async def store(app_state: Any, person: Any, make_flow: Any, run_flow: Any, finished: Any) -> RunStore:
    """The store of a run of Mara's."""
    flow = await make_flow(person)
    run = await finished(person, await run_flow(person, flow["id"]))
    return RunStore(app_state, RunProvenance(run["id"], await person.id(), flow["id"], "Jugs", 3))


async def _put(store: RunStore, data: bytes, media_type: str, **more: Any) -> str:
    origin = Provenance(run_id="run-1", step="draw", node_type="paint", **more)
    return (await store.put(data, media_type, origin=origin)).asset_id


async def test_generated_image_is_signed_and_served_with_its_credentials(
    person: Any, new_person: Any, publish: Any, run_flow: Any, finished: Any
) -> None:
    made = await publish(person, chain("paint"), name="Jugs")
    run = await finished(person, await run_flow(person, made["id"], version=1, inputs={"ask": "a jug"}))
    asset_id = run["results"][0]["value"]["asset_id"]
    asset = (await person.client.get(f"/assets/{asset_id}")).json()
    assert (asset["credentials"], asset["ai_made"]) == ("embedded", "yes")
    content = await person.client.get(f"/assets/{asset_id}/content")
    part = await person.client.get(f"/assets/{asset_id}/content", headers={"Range": "bytes=10-99"})
    assert len(content.content) == asset["bytes"]
    assert part.content == content.content[10:100]
    Image.open(io.BytesIO(content.content)).load()
    found = (await person.client.get(f"/assets/{asset_id}/credentials")).json()
    assert (found["state"], found["location"], found["problems"]) == ("trusted", "embedded", [])
    assert (found["agent"], found["agent_version"], found["model"]) == ("Jugs", 1, "brush-1")
    assert (found["organization"], found["ai_made"]) == ("Fjell Skincare", "yes")
    assert found["signed_at"]
    assert b"mara" not in content.content
    ines = await new_person("ines")
    expect(await ines.client.get(f"/assets/{asset_id}/credentials"), 404)


async def test_upload_is_unchanged_and_reports_its_credentials(person: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(sample("image/png"))
    signed, _ = sign(make_signer(tmp_path / "acme", "Acme"), tmp_path / "file", generation=GENERATION)
    files = {"file": ("theirs.png", signed.read_bytes(), "image/png")}
    asset = (await person.client.post("/assets/", files=files)).json()
    assert (asset["credentials"], asset["ai_made"]) == ("embedded", "yes")
    assert (await person.client.get(f"/assets/{asset['id']}/content")).content == signed.read_bytes()
    found = (await person.client.get(f"/assets/{asset['id']}/credentials")).json()
    assert (found["state"], found["signer"], found["model"]) == ("valid", "Acme", "flux-1.1-pro")
    plain = {"file": ("plain.png", png(4), "image/png")}
    other = (await person.client.post("/assets/", files=plain)).json()
    assert (other["credentials"], other["ai_made"]) == (None, None)
    assert (await person.client.get(f"/assets/{other['id']}/credentials")).json()["state"] == "none"


async def test_files_of_one_user_that_wait_to_be_verified_are_bounded(
    person: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(sample("image/png"))
    signed, _ = sign(make_signer(tmp_path / "acme", "Acme"), tmp_path / "file", generation=GENERATION)
    files = {"file": ("theirs.png", signed.read_bytes(), "image/png")}
    for limit, status in ((0, 429), (1, 200)):
        monkeypatch.setattr("impasto_server.content_credentials.service._MAX_READS_WAITING", limit)
        expect(await person.client.post("/assets/trace", files=files), status)


async def test_sources_name_the_files_of_the_library(person: Any, app_state: Any, store: RunStore) -> None:
    photo = (await person.client.post("/assets/", files={"file": ("serum.png", png(8), "image/png")})).json()[
        "id"
    ]
    setting = await _put(store, sample("image/png"), "image/png", generation=GENERATION)
    placed = await _put(store, sample("image/webp"), "image/webp", inputs=(photo, setting))
    small = await _put(store, sample("image/jpeg"), "image/jpeg", inputs=(placed,))
    drawn = await _put(
        store, sample("image/gif"), "image/gif", generation={"model": "r", "method": "rendered"}
    )
    found = {
        each: (await person.client.get(f"/assets/{each}/credentials")).json() for each in (placed, small)
    }
    assert {each["state"] for each in found.values()} == {"trusted"}
    first, second = found[placed]["sources"]
    assert (first["name"], first["asset_id"], first["state"]) == ("serum.png", photo, "none")
    assert (second["asset_id"], second["ai_made"], second["state"]) == (setting, "yes", "trusted")
    assert second["thumbnail_url"]
    assert (found[placed]["ai_made"], found[placed]["source_type"]) == ("partly", "compositeSynthetic")
    assert [each["action"] for each in found[small]["actions"]] == ["c2pa.opened", "c2pa.edited"]
    assert found[small]["sources"][0]["sources"][1]["asset_id"] == setting
    made = (await person.client.get(f"/assets/{drawn}")).json()
    assert made["ai_made"] == "no"


async def test_provider_signed_file_keeps_the_providers_credentials(
    person: Any, store: RunStore, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(sample("video/mp4"))
    delivered, _ = sign(make_signer(tmp_path / "acme", "Acme"), tmp_path / "file", generation={"model": "v9"})
    asset_id = await _put(store, delivered.read_bytes(), "video/mp4", generation=GENERATION)
    found = (await person.client.get(f"/assets/{asset_id}/credentials")).json()
    (source,) = found["sources"]
    assert (found["state"], source["state"], source["signer"]) == ("trusted", "valid", "Acme")
    assert source["relationship"] == "parentOf"


async def test_webm_has_a_sidecar_that_goes_with_the_asset(
    person: Any, app_state: Any, store: RunStore
) -> None:
    asset_id = await _put(store, sample("video/webm"), "video/webm", generation=GENERATION)
    asset = (await person.client.get(f"/assets/{asset_id}")).json()
    found = (await person.client.get(f"/assets/{asset_id}/credentials")).json()
    assert (asset["credentials"], found["location"], found["state"]) == ("sidecar", "sidecar", "trusted")
    file = await person.client.get(found["file_url"].removeprefix("/api/v1"))
    assert file.headers["content-type"] == "application/c2pa"
    assert file.headers["content-disposition"] == (
        "attachment; filename=\"draw.webm.c2pa\"; filename*=UTF-8''draw.webm.c2pa"
    )
    assert len(file.content) > 1000
    expect(await person.client.delete(f"/assets/{asset_id}"), 204)
    assert not await app_state.storage.exists(sidecar_key(asset["sha256"]))


async def test_storing_the_same_bytes_again_in_a_run_stores_one_file(
    person: Any, app_state: Any, store: RunStore
) -> None:
    """A step that runs again after a crash: the signature differs, the file must not."""
    ids = [await _put(store, sample("image/png"), "image/png", generation=GENERATION) for _ in range(2)]
    async with app_state.database.reading() as session:
        rows = (await session.scalars(select(AssetRow).where(AssetRow.id.in_(ids)))).all()
    assert len(rows) == 2
    shared = ("sha256", "unsigned_sha256", "bytes", "object_key", "credentials", "source_type", "ai_made")
    first, second = ({name: getattr(row, name) for name in (*shared, "image_hash")} for row in rows)
    assert first == second
    assert all(first[name] for name in shared)
    assert first["sha256"] != first["unsigned_sha256"]
    await person.client.delete(f"/assets/{ids[0]}")
    found = (await person.client.get(f"/assets/{ids[1]}/credentials")).json()
    assert found["state"] == "trusted"
    third = await _put(store, sample("image/png"), "image/png", generation=GENERATION)
    assert (await person.client.get(f"/assets/{third}/credentials")).json()["state"] == "trusted"


async def test_files_that_leave_the_server_verify_offline(
    person: Any, app_state: Any, store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a signed URL, as a download, in ranges, and from the zip of an account; a changed byte shows."""
    monkeypatch.setenv("IMPASTO_DATA_DIR", str(app_state.settings.data_dir))
    ids = {each: await _put(store, sample(each), each, generation=GENERATION) for each in EMBEDDED + SIDECAR}
    archive = zipfile.ZipFile(io.BytesIO((await person.client.get("/users/me/export")).content))
    for media_type, asset_id in ids.items():
        asset = (await person.client.get(f"/assets/{asset_id}")).json()
        url = asset["url"].removeprefix("/api/v1")
        whole = (await person.client.get(url)).content
        middle = len(whole) // 2
        halves = [
            (await person.client.get(url, headers={"Range": each})).content
            for each in (f"bytes=0-{middle - 1}", f"bytes={middle}-")
        ]
        (zipped,) = [name for name in archive.namelist() if asset_id in name and not name.endswith(".c2pa")]
        sidecar = archive.read(f"{zipped}.c2pa") if media_type in SIDECAR else b""
        ways = {
            "download": (await person.client.get(f"/assets/{asset_id}/content?download=true")).content,
            "export": (await person.client.get(f"/assets/{asset_id}/export")).content,
            "ranges": b"".join(halves),
            "zip": archive.read(zipped),
        }
        assert {way for way, content in ways.items() if content != whole} == set()
        assert _traced(tmp_path, whole, sidecar) == "trusted"
        changed = bytearray(whole)
        changed[whole.rfind(sample(media_type)[len(sample(media_type)) * 3 // 4 :][:24]) + 5] ^= 1
        assert _traced(tmp_path, bytes(changed), sidecar) == "invalid"
        if sidecar:
            found = await person.client.get(asset["credentials_url"].removeprefix("/api/v1"))
            assert found.content == sidecar


def _traced(folder: Path, content: bytes, sidecar: bytes) -> str:
    """Return the state that `impasto trace` prints."""
    file, beside = folder / "file.bin", folder / "file.bin.c2pa"
    file.write_bytes(content)
    beside.unlink(missing_ok=True)
    if sidecar:
        beside.write_bytes(sidecar)
    result = CliRunner().invoke(command, [str(file)])
    return result.stdout.split("credentials  ", 1)[1].split(":")[0]


async def test_file_that_ends_its_process_is_stored_unsigned(
    person: Any, app_state: Any, store: RunStore
) -> None:
    """A crash of the native library ends a worker process, never the server or the run."""
    await _put(store, sample("image/png"), "image/png", generation=GENERATION)
    pool = app_state.content_credentials._pool
    for pid in pool.process_ids:  # a process that is stopped cannot sign before it is killed
        os.kill(pid, signal.SIGSTOP)
    kill = asyncio.create_task(_kill_all(pool))
    asset_id = await _put(store, sample("image/jpeg"), "image/jpeg", generation=GENERATION)
    kill.cancel()
    asset = (await person.client.get(f"/assets/{asset_id}")).json()
    assert (asset["credentials"], asset["ai_made"]) == (None, "yes")
    again = await _put(store, sample("image/gif"), "image/gif", generation=GENERATION)
    assert (await person.client.get(f"/assets/{again}")).json()["credentials"] == "embedded"


async def _kill_all(pool: Any) -> None:
    while True:
        for process in pool._busy:
            process.kill()
        await asyncio.sleep(0)
