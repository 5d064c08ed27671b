"""Changing an asset: every change is a new version, and none is lost."""

import io
from typing import Any

import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.assets.test_similarity import scene
from tests.server.responses import expect, simultaneous_statuses
from tests.server.sample_nodes import flow, sample_catalog

from impasto import Catalog
from impasto_nodes.ai.image_generation import image_generation
from impasto_nodes.inputs import picture, user_prompt
from impasto_nodes.transform.compose_ads import compose_ads
from impasto_nodes.transform.overlay_text import overlay_text
from impasto_server.asset_versions import service

pytestmark = pytest.mark.anyio
POSTER = flow(
    {"id": "brief", "type": "user_prompt", "settings": {"text": "A podcast about cities at night"}},
    {"id": "words", "type": "user_prompt", "settings": {"text": "Listen now"}},
    {"id": "product", "type": "picture"},
    {"id": "draw", "type": "image_generation", "settings": {"provider": "local", "n_images": 1}},
    {"id": "set", "type": "overlay_text", "title": "Call to action"},
    edges=[
        "brief.output -> draw.prompt",
        "product.output -> draw.picture",
        "draw.output -> set.image",
        "words.output -> set.text",
    ],
)

DRAWER = flow(
    {"id": "brief", "type": "user_prompt"},
    {"id": "product", "type": "picture"},
    {"id": "draw", "type": "image_generation", "settings": {"provider": "local", "n_images": 1}},
    edges=["brief.output -> draw.prompt", "product.output -> draw.picture"],
)


def poster_around(drawer: str) -> dict[str, Any]:
    return flow(
        {"id": "brief", "type": "user_prompt"},
        {"id": "words", "type": "user_prompt", "settings": {"text": "Listen now"}},
        {"id": "product", "type": "picture"},
        {"id": "drawer", "type": "agent", "settings": {"flow": drawer}},
        {"id": "set", "type": "overlay_text"},
        edges=[
            "brief.output -> drawer.brief",
            "product.output -> drawer.product",
            "drawer.draw -> set.image",
            "words.output -> set.text",
        ],
    )


ADS = flow(
    {"id": "brief", "type": "user_prompt", "settings": {"text": "A dentist beside the park"}},
    {"id": "said", "type": "lines", "settings": {"lines": ["Clean teeth", "On Saturdays too"]}},
    {"id": "calls", "type": "lines", "settings": {"lines": ["Book now", "Call us"]}},
    {"id": "draw", "type": "image_generation", "settings": {"provider": "local", "n_images": 1}},
    "compose_ads",
    edges=[
        "brief.output -> draw.prompt",
        "draw.output -> compose_ads.images",
        "said.output -> compose_ads.headlines",
        "brief.output -> compose_ads.offer",
        "calls.output -> compose_ads.calls",
    ],
)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"content_credentials": True}


@pytest.fixture
def catalog() -> Catalog:
    real = (user_prompt, picture, image_generation, overlay_text, compose_ads)
    return Catalog([*(found.function for found in sample_catalog()), *real])


async def upload(person: Any, seed: int = 1) -> dict[str, Any]:
    data = saved(scene(seed).resize((400, 300)))
    response = await person.client.post("/assets/", files={"file": ("jug.png", data)})
    return dict(expect(response, 201).json())


async def change(person: Any, asset: dict[str, Any], status: int = 201, **body: Any) -> dict[str, Any]:
    response = await person.client.post(f"/assets/{asset['id']}/versions", json=body, timeout=120)
    return dict(expect(response, status).json())


async def versions(person: Any, asset: dict[str, Any]) -> dict[str, Any]:
    return dict(expect(await person.client.get(f"/assets/{asset['id']}/versions"), 200).json())


def ids(listed: dict[str, Any]) -> list[str]:
    return [item["id"] for item in listed["items"]]


CROP = {"x": 40, "y": 20, "width": 200, "height": 250}


async def test_crop_is_a_new_version_that_is_signed_as_an_edit(person: Any) -> None:
    asset = await upload(person)
    made = await change(person, asset, crop=CROP)
    assert (made["width"], made["height"], made["name"]) == (200, 250, "jug.png")
    assert made["input_asset_ids"] == [asset["id"]]
    assert (
        ids(await versions(person, asset)) == ids(await versions(person, made)) == [asset["id"], made["id"]]
    )
    content = await person.client.get(f"/assets/{made['id']}/content")
    part = Image.open(io.BytesIO(content.content)).convert("RGB")
    whole = scene(1).resize((400, 300)).convert("RGB").crop((40, 20, 240, 270))
    assert part.tobytes() == whole.tobytes()
    credentials = (await person.client.get(f"/assets/{made['id']}/credentials")).json()
    assert credentials["state"] in ("valid", "trusted")
    assert any("edited" in str(action) for action in credentials["actions"])
    assert [source["asset_id"] for source in credentials["sources"]] == [asset["id"]]


async def test_library_and_lists_show_the_newest_version(person: Any) -> None:
    asset = await upload(person)
    second = await change(person, asset, crop=CROP)
    third = await change(person, second, crop={"x": 0, "y": 0, "width": 100, "height": 100})
    library = (await person.client.get("/assets/library")).json()
    assert [item["id"] for item in library["items"]] == [third["id"]]
    params: dict[str, Any] = {"asset_ids": asset["id"], "with_newer": True}
    listed = (await person.client.get("/assets/", params=params)).json()
    assert {item["id"] for item in listed} == {asset["id"], second["id"], third["id"]}
    assert [
        item["id"] for item in (await person.client.get("/assets/", params={"asset_ids": asset["id"]})).json()
    ] == [asset["id"]]


async def test_undo_and_deletion_of_a_version_leave_the_others_in_order(person: Any) -> None:
    first = await upload(person)
    second = await change(person, first, crop=CROP)
    third = await change(person, second, crop={"x": 0, "y": 0, "width": 100, "height": 100})
    expect(await person.client.delete(f"/assets/{second['id']}"), 204)
    assert ids(await versions(person, third)) == [first["id"], third["id"]]
    expect(await person.client.delete(f"/assets/{third['id']}"), 204)
    assert ids(await versions(person, first)) == [first["id"]]
    expect(await person.client.get(f"/assets/{first['id']}/content"), 200)


async def test_new_version_keeps_tags_favourite_and_collections(person: Any) -> None:
    first = await upload(person)
    labels = {"asset_ids": [first["id"]], "favourite": True, "add_tags": ["spring"]}
    expect(await person.client.patch("/assets/", json=labels), 200)
    held = await person.client.post("/collections/", json={"name": "Shop", "asset_ids": [first["id"]]})
    collection = expect(held, 201).json()["id"]
    second = await change(person, first, crop=CROP)
    assert (second["favourite"], second["tags"]) == (True, ["spring"])
    found = (await person.client.get("/assets/library", params={"q": "spring"})).json()["items"]
    assert [item["id"] for item in found] == [second["id"]]
    for query in ({"tag": "spring"}, {"collection_id": collection}):
        found = (await person.client.get("/assets/library", params=query)).json()["items"]
        assert [item["id"] for item in found] == [second["id"]]


async def test_older_version_is_used_again_as_the_newest(person: Any) -> None:
    first = await upload(person)
    second = await change(person, first, crop=CROP)
    third = await change(person, second, restore=first["id"])
    assert (third["sha256"], third["width"]) == (first["sha256"], 400)
    assert ids(await versions(person, first)) == [first["id"], second["id"], third["id"]]


async def test_only_the_newest_version_is_changed_and_concurrent_changes_make_one(person: Any) -> None:
    first = await upload(person)
    posts = [
        person.client.post(f"/assets/{first['id']}/versions", json={"crop": {**CROP, "x": x}})
        for x in (1, 2, 3)
    ]
    assert await simultaneous_statuses(posts) == [201, 409, 409]
    assert len(ids(await versions(person, first))) == 2
    library = (await person.client.get("/assets/library")).json()["items"]
    assert len(library) == 1


async def test_number_of_versions_is_limited(person: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_VERSIONS", 2)
    first = await upload(person)
    second = await change(person, first, crop=CROP)
    refused = await change(person, second, status=409, restore=first["id"])
    assert refused["code"] == "too_many_versions"
    expect(await person.client.delete(f"/assets/{first['id']}"), 204)
    await change(person, second, crop={"x": 0, "y": 0, "width": 100, "height": 100})


async def test_older_version_is_not_changed(person: Any) -> None:
    first = await upload(person)
    await change(person, first, crop=CROP)
    refused = await change(person, first, status=409, crop=CROP)
    assert refused["code"] == "not_newest"


async def test_impossible_changes_are_refused(person: Any, subtests: pytest.Subtests) -> None:
    asset = await upload(person)
    cases: list[tuple[dict[str, Any], int]] = [
        ({}, 422),
        ({"crop": CROP, "restore": "x"}, 422),
        ({"crop": {**CROP, "x": -1}}, 422),
        ({"crop": {**CROP, "width": 361}}, 422),
        ({"crop": {**CROP, "width": 10**9}}, 422),
        ({"crop": {**CROP, "height": 0}}, 422),
        ({"restore": "unknown"}, 422),
        ({"layout": {"aspect_ratio": "16:9"}}, 422),
        ({"layout": {"aspect_ratio": "7:1"}}, 422),
    ]
    for body, status in cases:
        with subtests.test(body=body):
            await change(person, asset, status=status, **body)
            assert ids(await versions(person, asset)) == [asset["id"]]


async def test_only_the_owner_sees_and_changes_versions(person: Any, new_person: Any) -> None:
    asset = await upload(person)
    other = await new_person("ines")
    await change(other, asset, status=404, crop=CROP)
    expect(await other.client.get(f"/assets/{asset['id']}/versions"), 404)


async def refused_with_reasons(person: Any, asset: dict[str, Any], product: dict[str, Any]) -> None:
    """Ask for changes that the layout of the poster does not have, or that are too long."""
    longest = {"draw.headline": "x" * 64, "draw.line": "y" * 80, "set.text": "z" * 500}
    none = "This image has no such words, images or formats to change."
    for body, reason in (
        ({"texts": {"draw.headline": "x" * 65}}, "'Headline' must have at most 64 characters."),
        ({"texts": {"draw.line": "x" * 81}}, "'Call to action' must have at most 80 characters."),
        ({"texts": {"draw.subject": "a", "draw.headline": "b"}}, none),
        ({"images": {"set.image": product["id"]}}, none),
        (
            {"texts": longest, "images": {"draw.picture": "unknown"}},
            "One of the images is not in your library.",
        ),
    ):
        assert (await change(person, asset, 422, layout=body))["detail"] == reason
    fields = (await versions(person, asset))["layout"]["texts"]
    assert {each["id"]: each["max_length"] for each in fields} == {
        each: len(value) for each, value in longest.items()
    }
    unknown = (await change(person, product, 422, layout={"aspect_ratio": "1:1"}))["detail"]
    assert unknown == "The composition of this image is not known. It can be cropped."


async def test_layout_is_composed_again_with_words_format_and_product(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    product, other = await upload(person, 1), await upload(person, 2)
    made = await make_flow(person, POSTER)
    inputs = {"product": {"$type": "Image", "asset_id": product["id"]}}
    run = await finished(person, await run_flow(person, made["id"], inputs=inputs))
    assert run["status"] == "finished", run["error"]
    (image,) = run["results"][0]["value"]
    asset = (await person.client.get(f"/assets/{image['asset_id']}")).json()
    layout = (await versions(person, asset))["layout"]
    assert layout["aspect_ratio"] == "1:1"
    texts = {field["id"]: field["value"] for field in layout["texts"]}
    assert texts["set.text"] == "Listen now"
    assert texts["draw.headline"]
    assert [(field["id"], field["asset_id"]) for field in layout["images"]] == [
        ("draw.picture", product["id"])
    ]
    await refused_with_reasons(person, asset, product)

    words = {"set.text": "Start today", "draw.headline": "Night walks"}
    body = {"aspect_ratio": "9:16", "texts": words}
    second = await change(person, asset, layout=body)
    assert second["width"] / second["height"] == pytest.approx(9 / 16)
    third = await change(person, second, layout={"images": {"draw.picture": other["id"]}})
    assert third["width"] / third["height"] == pytest.approx(9 / 16)
    assert third["input_asset_ids"] == [second["id"], other["id"]]
    unknown = {"texts": {f"unknown {number}": "" for number in range(20)}}
    await change(person, third, 422, layout=unknown)
    layout = (await versions(person, asset))["layout"]
    assert layout["aspect_ratio"] == "9:16"
    assert {field["id"]: field["value"] for field in layout["texts"]} == {**texts, **words}
    assert layout["images"][0]["asset_id"] == other["id"]
    credentials = (await person.client.get(f"/assets/{third['id']}/credentials")).json()
    assert any("edited" in str(action) for action in credentials["actions"])
    cost = (await person.client.get("/runs/totals")).json()
    assert cost["runs"] == 1


async def test_layout_of_an_agent_inside_an_agent_is_composed_again(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    product, other = await upload(person, 1), await upload(person, 2)
    drawer = await make_flow(person, DRAWER, name="Drawer")
    poster = await make_flow(person, poster_around(drawer["id"]), name="Poster")
    made = await make_flow(
        person,
        flow(
            {"id": "brief", "type": "user_prompt", "settings": {"text": "A podcast about cities at night"}},
            {"id": "product", "type": "picture"},
            {"id": "poster", "type": "agent", "settings": {"flow": poster["id"]}},
            edges=["brief.output -> poster.brief", "product.output -> poster.product"],
        ),
    )
    inputs = {"product": {"$type": "Image", "asset_id": product["id"]}}
    run = await finished(person, await run_flow(person, made["id"], inputs=inputs))
    assert run["status"] == "finished", run["error"]
    (image,) = run["results"][0]["value"]
    asset = (await person.client.get(f"/assets/{image['asset_id']}")).json()
    assert asset["step"] == "poster/set"
    layout = (await versions(person, asset))["layout"]
    assert layout["aspect_ratio"] == "1:1"
    fields = {field["id"]: field for field in layout["texts"]}
    assert fields["poster/set.text"]["value"] == "Listen now"
    assert fields["poster/set.text"]["label"] == "Overlay text"
    assert [(field["id"], field["asset_id"]) for field in layout["images"]] == [
        ("poster/drawer/draw.picture", product["id"])
    ]
    words = {"poster/set.text": "Start today", "poster/drawer/draw.headline": "Night walks"}
    images = {"poster/drawer/draw.picture": other["id"]}
    body = {"aspect_ratio": "9:16", "texts": words, "images": images}
    second = await change(person, asset, layout=body)
    assert second["width"] / second["height"] == pytest.approx(9 / 16)
    assert second["input_asset_ids"] == [asset["id"], other["id"]]
    layout = (await versions(person, asset))["layout"]
    assert {field["id"]: field["value"] for field in layout["texts"]}.items() >= words.items()
    assert layout["images"][0]["asset_id"] == other["id"]


async def test_texts_of_an_ad_are_changed_in_its_own_layout(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, ADS)
    run = await finished(person, await run_flow(person, made["id"], inputs={}))
    assert run["status"] == "finished", run["error"]
    ads = run["results"][0]["value"]
    assert len(ads) == 6, "two variations in three sizes"
    asset = (await person.client.get(f"/assets/{ads[4]['asset_id']}")).json()
    layout = (await versions(person, asset))["layout"]
    assert layout["aspect_ratio"] is None
    assert layout["images"] == []
    assert {field["id"]: field["value"] for field in layout["texts"]} == {
        "compose_ads.headlines": "On Saturdays too",
        "compose_ads.offer": "A dentist beside the park",
        "compose_ads.calls": "Call us",
    }
    for body, reason in (
        ({"texts": {"compose_ads.headlines": " "}}, "A headline or a call to action cannot be empty."),
        ({"texts": {"compose_ads.headlines": "x" * 201}}, "'Headline' must have at most 200 characters."),
        ({"aspect_ratio": "1:1"}, "This image has no such words, images or formats to change."),
    ):
        assert (await change(person, asset, 422, layout=body))["detail"] == reason
    words = {"compose_ads.headlines": "Evenings, too", "compose_ads.calls": "Write to us"}
    second = await change(person, asset, layout={"texts": words})
    assert (second["width"], second["height"]) == (asset["width"], asset["height"])
    assert second["sha256"] != asset["sha256"]
    fields = (await versions(person, asset))["layout"]["texts"]
    assert {field["id"]: field["value"] for field in fields}.items() >= words.items()
