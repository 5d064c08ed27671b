"""Edits inside a mask on a server: ownership of the mask, its file, and the sources of the result."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.responses import expect
from tests.server.sample_nodes import flow, sample_catalog

from impasto import Catalog
from impasto_nodes.ai.image_edit import image_edit
from impasto_nodes.inputs import mask as mask_input
from impasto_nodes.inputs import picture, user_prompt

pytestmark = pytest.mark.anyio
SIZE, BOX = (90, 61), (20, 10, 60, 40)


@pytest.fixture
def catalog() -> Catalog:
    real = (user_prompt, picture, mask_input, image_edit)
    return Catalog([*(found.function for found in sample_catalog()), *real])


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"content_credentials": True}


async def upload(person: Any, data: bytes, name: str, **query: Any) -> dict[str, Any]:
    sent = await person.client.post("/assets/", params=query, files={"file": (name, data)})
    return dict(expect(sent, 201).json())


def photo() -> Image.Image:
    return Image.fromarray(np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8))


def painted(box: tuple[int, int, int, int] = BOX) -> Image.Image:
    mask = Image.new("L", SIZE, 0)
    mask.paste(255, box)
    return mask


def mask_of(asset: dict[str, Any]) -> dict[str, Any]:
    return {"$type": "Mask", "image": {"$type": "Image", "asset_id": asset["id"]}}


def retouch(product: dict[str, Any], mask: dict[str, Any] | None) -> dict[str, object]:
    """An agent that edits an image; its mask is painted in place, or is an input."""
    settings: dict[str, Any] = {"provider": "local"}
    nodes: list[dict[str, Any]] = [
        {"id": "brief", "type": "user_prompt", "settings": {"text": "A teapot"}},
        {
            "id": "product",
            "type": "picture",
            "settings": {"picture": {"$type": "Image", "asset_id": product["id"]}},
        },
    ]
    edges = ["product.output -> edit.picture", "brief.output -> edit.prompt"]
    if mask is not None:
        settings["mask"] = mask
    else:
        nodes.append({"id": "area", "type": "mask"})
        edges.append("area.output -> edit.mask")
    return flow(*nodes, {"id": "edit", "type": "image_edit", "settings": settings}, edges=edges)


async def test_an_edit_changes_what_the_mask_covers_and_names_its_sources(
    person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    product = await upload(person, saved(photo()), "jug.png")
    mask = await upload(person, saved(painted()), "mask.png", intermediate=True)
    made = await make_flow(person, retouch(product, mask_of(mask)))
    run = await finished(person, await run_flow(person, made["id"], inputs={}))
    assert run["status"] == "finished", run
    (result,) = [item["value"] for item in run["results"]]
    asset = (await person.client.get(f"/assets/{result['asset_id']}")).json()
    assert asset["input_asset_ids"] == [product["id"], mask["id"]]
    content = await person.client.get(f"/assets/{asset['id']}/content")
    after = np.asarray(Image.open(io.BytesIO(content.content)).convert("RGB"), int)
    difference = np.abs(after - np.asarray(photo(), int)).max(axis=2)
    assert difference[10:40, 20:60].any()
    difference[10:40, 20:60] = 0
    assert not difference.any()
    credentials = (await person.client.get(f"/assets/{asset['id']}/credentials")).json()
    assert credentials["state"] in ("valid", "trusted")
    assert {source["asset_id"] for source in credentials["sources"]} == {product["id"], mask["id"]}
    assert credentials["ai_made"] == "no"


async def test_another_users_mask_is_never_read(
    person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    product = await upload(person, saved(photo()), "jug.png")
    hers = await upload(await new_person("ines"), saved(painted()), "mask.png")
    made = await make_flow(person, retouch(product, None))
    refused = await run_flow(person, made["id"], inputs={"area": mask_of(hers)}, status=422)
    assert refused["errors"][0]["code"] == "unknown_asset"
    in_place = await make_flow(person, retouch(product, mask_of(hers)))
    run = await finished(person, await run_flow(person, in_place["id"], inputs={}))
    (step,) = [step for step in run["steps"] if step["id"] == "edit"]
    assert (step["status"], step["error"]["code"]) == ("failed", "missing_mask")


async def test_a_mask_that_cannot_be_used_says_why(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, subtests: pytest.Subtests
) -> None:
    product = await upload(person, saved(photo()), "jug.png")
    cases: list[tuple[bytes, str, str]] = [
        (saved(painted((0, 0, 0, 0))), "mask.png", "empty_mask"),
        (saved(painted().resize((61, 90))), "mask.png", "mask_mismatch"),
        (b"White is changed.", "mask.txt", "not_a_picture"),
    ]
    for data, name, code in cases:
        with subtests.test(code=code):
            mask = await upload(person, data, name)
            made = await make_flow(person, retouch(product, None))
            run = await finished(person, await run_flow(person, made["id"], inputs={"area": mask_of(mask)}))
            (step,) = [step for step in run["steps"] if step["id"] == "edit"]
            assert step["error"]["code"] == code
            assert step["error"]["message"].endswith(".")


async def test_deleted_mask_is_reported(person: Any, make_flow: Any, run_flow: Any, finished: Any) -> None:
    product = await upload(person, saved(photo()), "jug.png")
    mask = await upload(person, saved(painted()), "mask.png")
    made = await make_flow(person, retouch(product, mask_of(mask)))
    expect(await person.client.delete(f"/assets/{mask['id']}"), 204)
    run = await finished(person, await run_flow(person, made["id"], inputs={}))
    (step,) = [step for step in run["steps"] if step["id"] == "edit"]
    assert (step["status"], step["error"]["code"]) == ("failed", "missing_mask")
