"""Fonts of one's own: uploaded, drawn with, kept by versions, exported, and deleted when unused."""

import asyncio
import hashlib
from typing import Any

import pytest
from fastapi import FastAPI
from tests.server.brands.imports import font_files
from tests.server.brands.test_brands import FJELL, make, publish, save
from tests.server.brands.test_use import saved
from tests.server.postgresql import waits_for_a_lock
from tests.server.responses import expect
from tests.server.sample_nodes import png, sample_catalog

from impasto import Brand, Catalog, Context, Text, node
from impasto_nodes.inputs import brand_system
from impasto_server.assets.models import AssetRow
from impasto_server.brands.fonts import delete_unused
from impasto_server.housekeeping import run_housekeeping
from impasto_server.storage.object_storage import content_key

pytestmark = pytest.mark.anyio


@node(id="describe_fonts")
async def describe_fonts(brand: Brand, *, context: Context) -> Text:
    """Return the names and sizes of the brand's font files."""
    sizes = [f"{file.name} {len(await context.read(file)) > 0}" for file in brand.font_files]
    return f"{brand.main_font}: {', '.join(sizes)}"


@pytest.fixture
def catalog() -> Catalog:
    return Catalog([*(found.function for found in sample_catalog()), brand_system, describe_fonts])


AGENT = {
    "format": 1,
    "name": "Branded",
    "nodes": [{"id": "brand", "type": "brand_system"}, {"id": "said", "type": "describe_fonts"}],
    "edges": [{"from": "brand.output", "to": "said.brand"}],
}


async def upload(person: Any, data: bytes, name: str = "fjell.woff2", status: int = 201) -> dict[str, Any]:
    response = await person.client.post("/brands/fonts", files={"file": (name, data, "font/woff2")})
    expect(response, status)
    return dict(response.json())


def with_font(font: dict[str, Any]) -> dict[str, Any]:
    family = font["file"]["family"]
    return {"fonts": [{"family": family, "role": "headline"}], "font_files": [font["file"]]}


async def test_uploaded_font_is_served_and_reaches_nodes_by_its_family(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    font = await upload(person, font_files.font("Fjell Sans", 700, italic=True, packed=True))
    assert font["file"] == {
        "asset_id": font["file"]["asset_id"],
        "family": "Fjell Sans",
        "weight": 700,
        "italic": True,
    }
    assert (font["variable"], font["characters"]) == (False, len(font_files.LETTERS))
    assert font.keys() == {"file", "variable", "characters", "url"}
    expect(await person.client.get("http://testserver" + font["url"]), 200)
    brand = await make(person, **with_font(font))
    assert brand["font_urls"].keys() == {font["file"]["asset_id"]}
    served = await person.client.get("http://testserver" + brand["font_urls"][font["file"]["asset_id"]])
    expect(served, 200)
    assert served.headers["content-type"] == "font/ttf"
    assert "default-src 'none'" in served.headers["content-security-policy"]
    assert served.content[:4] == b"\x00\x01\x00\x00", "WOFF2 is unpacked"

    await publish(person, brand)
    made = await make_flow(person, AGENT)
    run = await finished(person, await run_flow(person, made["id"], inputs={"brand": saved(brand)}))
    assert run["results"][0]["value"] == "Fjell Sans: Fjell Sans-700italic.ttf True"


async def test_hostile_file_is_refused_in_words_and_nothing_is_stored(person: Any) -> None:
    for data, words in (
        (b"no font", "This is no font file"),
        (font_files.recursive(), "contains itself"),
        (font_files.bomb(), "when it is unpacked"),
    ):
        problem = await upload(person, data, status=422)
        assert words in problem["detail"]
        assert problem["errors"][0]["path"] == "file"
    assert (await person.client.get("/assets/library")).json()["items"] == []


async def test_fonts_are_of_their_owner_alone_and_outside_the_library(
    person: Any, new_person: Any, app_state: Any
) -> None:
    data = font_files.font()
    font, again = await upload(person, data), await upload(person, data)
    assert again["file"] == font["file"], "the same file is stored once"
    asset_id = font["file"]["asset_id"]
    served = (await person.client.get("http://testserver" + font["url"])).content
    async with app_state.database.reading() as session:
        row = await session.get(AssetRow, asset_id)
    digest = hashlib.sha256(served).hexdigest()
    assert (row.kind, row.media_type, row.name, row.source) == (
        "file", "font/ttf", "Fjell Sans-400.ttf", "font",
    )  # fmt: skip
    assert (row.bytes, row.sha256, row.object_key) == (len(served), digest, content_key(digest))
    assert (row.input_asset_ids, row.owner_id) == ([], await person.id())
    assert (await person.client.get("/assets/library")).json()["items"] == []
    assert (await person.client.get("/assets/")).json() == []
    expect(await person.client.delete(f"/assets/{asset_id}"), 404)

    other = await new_person("ines")
    refused = await other.client.post("/brands/", json=FJELL | with_font(font))
    expect(refused, 422, code="font_invalid")
    assert refused.json()["errors"] == [
        {
            "path": "font_files.0",
            "code": "font_invalid",
            "message": "A font file must be one that you uploaded to a brand.",
        }
    ]
    image = await person.client.post("/assets/", files={"file": ("a.png", png(1), "image/png")})
    wrong = {**font, "file": {**font["file"], "asset_id": image.json()["id"]}}
    expect(await person.client.post("/brands/", json=FJELL | with_font(wrong)), 422, code="font_invalid")


async def test_versions_keep_their_font_and_unused_ones_are_deleted_after_a_day(
    app: FastAPI, person: Any, clock: Any
) -> None:
    kept = await upload(person, font_files.font("Fjell Sans"))
    unused = await upload(person, font_files.font("Never Used"))
    brand = await make(person, **with_font(kept))
    await publish(person, brand)
    expect(await save(person, brand, font_files=[], fonts=[]), 200)
    shown = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert "Font file 'Fjell Sans 400' removed." in [each["sentence"] for each in shown["draft_changes"]]

    await run_housekeeping(app.state.app_state)
    assert await stored(app, unused), "it may yet be added to a brand"
    clock.travel(hours=23)
    await delete_unused(app.state.app_state)
    assert await stored(app, unused)
    clock.travel(hours=2)
    await run_housekeeping(app.state.app_state)
    assert not await stored(app, unused)
    assert await stored(app, kept), "version 1 has it"
    clock.travel(hours=-25)

    await person.client.post(f"/brands/{brand['id']}/versions/1/restore")
    shown = (await person.client.get(f"/brands/{brand['id']}")).json()
    assert shown["content"]["font_files"] == [kept["file"]]
    assert shown["font_urls"].keys() == {kept["file"]["asset_id"]}

    expect(await person.client.delete(f"/brands/{brand['id']}"), 204)
    clock.travel(hours=25)
    await run_housekeeping(app.state.app_state)
    assert not await stored(app, kept)
    assert [key async for key, _ in app.state.app_state.storage.list_objects()] == []


class TestOnPostgresql:
    """Transactions that overlap."""

    @pytest.fixture
    def database_url(self, migrated_postgresql: str) -> str:
        return migrated_postgresql

    async def test_font_that_a_brand_is_just_taking_is_not_deleted(
        self, app: FastAPI, person: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        state, may_go_on, is_checked = app.state.app_state, asyncio.Event(), asyncio.Event()
        check_brand = state.limits.check_brand

        async def checked_slowly(*values: Any) -> None:
            is_checked.set()
            await may_go_on.wait()
            await check_brand(*values)

        font = await upload(person, font_files.font("Fjell Sans"))
        monkeypatch.setattr(state.limits, "check_brand", checked_slowly)
        saving = asyncio.ensure_future(make(person, **with_font(font)))
        await is_checked.wait()
        clock.travel(hours=25)
        deleting = asyncio.ensure_future(delete_unused(state))
        while not deleting.done() and not await waits_for_a_lock(state.database):
            await asyncio.sleep(0)
        may_go_on.set()
        await asyncio.gather(saving, deleting)
        assert await stored(app, font)


async def stored(app: FastAPI, font: dict[str, Any]) -> bool:
    async with app.state.app_state.database.reading() as session:
        return await session.get(AssetRow, font["file"]["asset_id"]) is not None


async def test_exported_brand_carries_its_fonts(person: Any, new_person: Any) -> None:
    brand = await make(person, **with_font(await upload(person, font_files.font("Fjell Sans", 300))))
    exported = await person.client.get(f"/brands/{brand['id']}/export")
    other = await new_person("ines")
    found = await other.client.post(
        "/brands/import/files", files={"files": ("brand.zip", exported.content, "application/zip")}
    )
    expect(found, 200)
    [file] = [each["font_file"] for each in found.json()["findings"] if each["field"] == "font_file"]
    assert (file["family"], file["weight"]) == ("Fjell Sans", 300)
    await make(other, **with_font({"file": file}))


@pytest.mark.parametrize("extra_settings", [{"limit_assets": 1}])
async def test_limits_of_the_user_apply_to_fonts(person: Any) -> None:
    await upload(person, font_files.font("Fjell Sans"))
    problem = await upload(person, font_files.font("Fjell Serif"), status=413)
    assert problem["limit_name"] == "assets"


@pytest.mark.parametrize("extra_settings", [{"rate_limit_imports": "1/hour"}])
async def test_uploads_of_fonts_count_as_imports(person: Any) -> None:
    await upload(person, font_files.font("Fjell Sans"))
    assert (await upload(person, font_files.font("Fjell Serif"), status=429))["code"] == "rate_limited"
