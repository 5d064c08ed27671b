"""Altered images are recognized by their perceptual hash, and other images are not."""

import io
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter
from sqlalchemy import insert
from tests.fakes.media import saved
from tests.server.assets.asset_rows import asset_row
from tests.server.responses import expect

from impasto_server.assets.models import AssetRow
from impasto_server.assets.similarity import HASH_BYTES, MAX_SEARCHED, find_similar, image_hash
from impasto_server.utils import new_id

_MEGAPIXELS = 40
_MAX_DISTANCE = 64


def scene(seed: int) -> Image.Image:
    """Return an image of overlapping shapes; no two seeds show the same."""
    chance = random.Random(seed)
    size = (240, chance.choice([135, 180, 240, 300]))
    image = Image.new("RGB", size, _color(chance))
    draw = ImageDraw.Draw(image)
    for _ in range(chance.randrange(4, 16)):
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        box = (x, y, x + chance.randrange(15, 140), y + chance.randrange(15, 140))
        chance.choice([draw.ellipse, draw.rectangle])(box, fill=_color(chance))
    return image


def _color(chance: random.Random) -> tuple[int, int, int]:
    return chance.randrange(256), chance.randrange(256), chance.randrange(256)


def compressed(image: Image.Image, form: str, quality: int) -> Image.Image:
    """Return an image as it is read from a file of this quality."""
    return Image.open(io.BytesIO(saved(image, form, quality=quality))).convert("RGB")


def cropped(image: Image.Image, part: float) -> Image.Image:
    x, y = int(image.width * part), int(image.height * part)
    return image.crop((x, y, image.width - x, image.height - y))


ALTERATIONS: list[Callable[[Image.Image], Image.Image]] = [
    lambda image: compressed(image, "JPEG", 40),
    lambda image: compressed(image, "WEBP", 40),
    lambda image: image.resize((image.width // 2, image.height // 2)),
    lambda image: image.resize((image.width * 2, image.height * 2)),
    lambda image: compressed(image.resize((120, 120 * image.height // image.width)), "JPEG", 60),
    lambda image: ImageEnhance.Brightness(image).enhance(1.1),
    lambda image: ImageEnhance.Color(image).enhance(0.4),
    lambda image: image.filter(ImageFilter.GaussianBlur(1.5)),
    lambda image: cropped(image, 0.01),
    lambda image: image.convert("L").convert("RGB"),
]


def _hash(image: Image.Image) -> bytes | None:
    return image_hash(saved(image, "BMP"), _MEGAPIXELS)


def _bits(hashes: list[bytes]) -> Any:
    return np.frombuffer(b"".join(hashes), np.uint64).reshape(len(hashes), -1)


def test_at_least_95_of_100_altered_images_are_recognized_and_none_of_1000_others() -> None:
    scenes = [scene(seed) for seed in range(100)]
    library = _bits([_hash(scene) or bytes(HASH_BYTES) for scene in scenes])
    changed = [ALTERATIONS[at % 10](scene) for at, scene in enumerate(scenes)]
    altered = _bits([_hash(image) or b"\xff" * HASH_BYTES for image in changed])
    own = np.bitwise_count(library ^ altered).sum(axis=1)
    assert (own <= _MAX_DISTANCE).sum() >= 95
    hashes = [found for seed in range(1000, 2050) if (found := _hash(scene(seed)))]
    others = _bits(hashes[:1000])
    assert len(others) == 1000
    distances = np.bitwise_count(others[:, None, :] ^ library[None]).sum(axis=2)
    assert (distances.min(axis=1) <= _MAX_DISTANCE).sum() == 0


@pytest.mark.parametrize("data", [b"", b"words", b"\x89PNG\r\n\x1a\n broken"])
def test_file_that_is_no_image_has_no_hash(data: bytes) -> None:
    assert image_hash(data, _MEGAPIXELS) is None


def test_image_of_one_color_has_no_hash() -> None:
    assert image_hash(saved(Image.new("RGB", (64, 64), "red")), _MEGAPIXELS) is None


@pytest.mark.anyio
async def test_stripped_and_resized_copy_is_matched_with_its_certainty(person: Any, new_person: Any) -> None:
    files = {"file": ("jug.png", saved(scene(3)), "image/png")}
    response = await person.client.post("/assets/", files=files)
    expect(response, 201)
    asset_id = response.json()["id"]
    copy = saved(scene(3).resize((200, 150)), "JPEG", quality=50)
    dropped = {"file": ("copy.jpg", copy, "image/jpeg")}
    found = (await person.client.post("/assets/trace", files=dropped)).json()
    assert (found["found"], found["credentials"]) == (False, None)
    (match,) = found["matches"]
    assert match["asset"]["id"] == asset_id
    assert 0.8 < match["certainty"] <= 1
    expect(await person.client.post("/assets/", files=dropped), 201)  # as an input, at the same time
    again = (await person.client.post("/assets/trace", files=dropped)).json()
    assert [match["asset"]["id"] for match in again["matches"]] == [asset_id]
    ines = await new_person("ines")
    assert (await ines.client.post("/assets/trace", files=dropped)).json()["matches"] == []


@pytest.mark.thorough
@pytest.mark.anyio
async def test_search_reads_the_newest_assets_up_to_its_bound(
    app_state: Any, person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fifth of the bound, so that the test is fast; all 100,000 take 0.1 to 0.2 s."""
    count = MAX_SEARCHED // 5
    monkeypatch.setattr("impasto_server.assets.similarity.MAX_SEARCHED", count)
    owner, wanted = await person.id(), _hash(scene(7))
    assert wanted is not None
    common = {
        "owner_id": owner,
        "kind": "image",
        "media_type": "image/png",
        "name": "a",
        "bytes": 1,
        "sha256": "0" * 64,
        "object_key": "a",
        "source": "upload",
        "words": "",
        "input_asset_ids": [],
    }
    noise = np.random.default_rng(1).bytes(32 * (count + 1))
    rows = [
        {**common, "id": new_id(), "image_hash": noise[at * 32 : at * 32 + 32]} for at in range(count + 1)
    ]
    rows[0]["image_hash"] = rows[10]["image_hash"] = wanted  # the oldest is beyond the bound
    async with app_state.database.writing() as session:
        for start in range(0, count + 1, 5000):
            await session.execute(insert(AssetRow), rows[start : start + 5000])
    started = time.process_time()
    found = await find_similar(app_state.database, owner, wanted)
    assert time.process_time() - started < 0.5
    assert found == [(rows[10]["id"], 1.0)]


class TestSearch:
    @pytest.fixture
    def database_url(self, either_database: str) -> str:
        return either_database

    @pytest.mark.anyio
    async def test_ten_most_similar_images_differ_in_at_most_a_quarter_of_the_bits(
        self, app_state: Any, person: Any
    ) -> None:
        owner_id = await person.id()
        distances = [65, 64, 5, 0, 16, 40, 32, 48, 8, 56, 24, 1, None]
        ids = {distance: new_id() for distance in distances}
        async with app_state.database.writing() as session:
            session.add_all(
                asset_row(
                    ids[distance],
                    owner_id,
                    image_hash=None if distance is None else (2**distance - 1).to_bytes(HASH_BYTES),
                )
                for distance in distances
            )
        found = await find_similar(app_state.database, owner_id, bytes(HASH_BYTES))
        certainties = {
            0: 1.0, 1: 0.992, 5: 0.961, 8: 0.938, 16: 0.875, 24: 0.812, 32: 0.75, 40: 0.688, 48: 0.625,
            56: 0.562,
        }  # fmt: skip
        assert found == [(ids[distance], certainty) for distance, certainty in certainties.items()]
        opposite = (2**256 - 2**64).to_bytes(HASH_BYTES)
        assert await find_similar(app_state.database, owner_id, opposite) == []
        half = bytes(HASH_BYTES - 16) + (2**128 - 1).to_bytes(16)
        assert await find_similar(app_state.database, owner_id, half) == [(ids[65], 0.508), (ids[64], 0.5)]
        assert await find_similar(app_state.database, "another", bytes(HASH_BYTES)) == []


def test_hash_is_the_one_of_all_earlier_images() -> None:
    """An image that was stored years ago must still be recognized."""
    found = _hash(scene(3))
    assert found is not None
    earlier = "d9244b2da49b3ed23eb2c41dc34d3be476cac0173b5436e8a4dbc93255b4526d"
    assert (int(found.hex(), 16) ^ int(earlier, 16)).bit_count() <= 2  # decoders may round differently
