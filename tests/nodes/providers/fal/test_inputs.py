"""A request as the inputs of a model of fal's: its shape or size, its image and its mask."""

from typing import Any, cast

import pytest
from tests.fakes.media import png, stored_image
from tests.fakes.reports import seen_by

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import CorruptOutput, Unsupported, UnsupportedRatio
from impasto_nodes.providers.fal.connection import Connection
from impasto_nodes.providers.fal.inputs import image_of, inputs_from, masked_image_of, shape_of
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.protocols import MaskedImage

SIZED = {"anyOf": [{"enum": ["square_hd", "landscape_16_9"]}, {"$ref": "#/components/schemas/Size"}]}
PARTS = {"Size": {"type": "object", "properties": {"width": {}, "height": {}}}}


def inputs(properties: dict[str, Any], *required: str) -> Inputs:
    shape = {"properties": properties, "required": list(required)}
    content = {"requestBody": {"content": {"application/json": {"schema": shape}}}}
    paths = {"/status": {"get": {}}, "/": {"post": content}}
    return inputs_from("fal-ai/odd", {"paths": paths, "components": {"schemas": PARTS}})


def test_inputs_are_those_of_the_post_by_reference_or_in_place() -> None:
    assert inputs({"prompt": {}}).known
    assert inputs({"prompt": {}}).model == "odd"
    content = {"schema": {"$ref": "#/components/schemas/Input"}}
    schema = {
        "paths": {"/": {"post": {"requestBody": {"content": {"application/json": content}}}}},
        "components": {"schemas": {"Input": {"properties": {"seed": {}}}}},
    }
    found = inputs_from("owner/model", schema)
    assert (found.model, found.name_of("seed"), found.name_of("prompt")) == ("owner/model", "seed", None)


@pytest.mark.parametrize("schema", [{}, {"paths": {}}, {"paths": {"/": {"get": {}}}}])
def test_schema_without_a_post_cannot_be_read(schema: Any) -> None:
    with pytest.raises(CorruptOutput, match=r"^fal returned a schema that"):
        inputs_from("fal-ai/odd", schema)


def test_schema_without_inputs_cannot_be_read() -> None:
    with pytest.raises(CorruptOutput) as raised:
        inputs({})
    assert (raised.value.detail, raised.value.provider) == ("it has no inputs", "fal")


@pytest.mark.parametrize(
    ("properties", "ratio", "sent"),
    [
        ({"aspect_ratio": {}}, "4:5", {"aspect_ratio": "4:5"}),
        ({"aspect_ratio": {}, "image_size": SIZED}, "1:1", {"aspect_ratio": "1:1"}),
        ({"prompt": {}}, "1:1", {}),
        ({"image_size": SIZED}, "1:1", {"image_size": "square_hd"}),
        ({"image_size": SIZED}, "16:9", {"image_size": "landscape_16_9"}),
        ({"image_size": SIZED}, "9:16", {"image_size": {"width": 576, "height": 1024}}),
        ({"image_size": SIZED}, "4:5", {"image_size": {"width": 896, "height": 1120}}),
        ({"image_size": SIZED}, "21:9", {"image_size": {"width": 1344, "height": 576}}),
    ],
)
def test_shape_is_a_ratio_a_preset_or_a_size(
    properties: dict[str, Any], ratio: str, sent: dict[str, Any]
) -> None:
    assert shape_of(inputs(properties), ratio) == sent


@pytest.mark.parametrize(
    ("size", "ratio", "known"),
    [
        ({"enum": ["square_hd", "portrait_4_3"]}, "4:5", ["1:1", "3:4"]),
        ({"enum": ["square_hd", "portrait_4_3"]}, "7:3", ["1:1", "3:4"]),
        (SIZED, "7:3", ["1:1", "16:9"]),
        ({"type": "string"}, "1:1", []),
    ],
)
def test_shape_that_the_model_does_not_make_is_refused(
    size: dict[str, Any], ratio: str, known: list[str]
) -> None:
    with pytest.raises(UnsupportedRatio) as raised:
        shape_of(inputs({"image_size": size}), ratio)
    assert raised.value.detail == f"allowed: {known}"
    assert raised.value.provider == "fal"
    assert raised.value.message.startswith(f"odd does not make {ratio}. ")


class Storage:
    """A connection that only stores files."""

    def __init__(self) -> None:
        self.stored: list[tuple[bytes, str]] = []

    async def upload(self, data: bytes, media_type: str) -> str:
        self.stored.append((data, media_type))
        return f"https://x/{len(self.stored)}"


async def first_frame(model: Inputs, storage: Storage, *, has_image: bool = True) -> dict[str, Any]:
    context = FakeContext()
    image = await stored_image(context.assets) if has_image else None
    return await image_of(model, image, cast("Connection", storage), seen_by(context))


@pytest.mark.anyio
async def test_image_is_uploaded_for_the_input_that_takes_one() -> None:
    storage = Storage()
    assert await first_frame(inputs({"image_url": {}}), storage) == {"image_url": "https://x/1"}
    several = inputs({"image_urls": {"type": "array"}})
    assert await first_frame(several, storage) == {"image_urls": ["https://x/2"]}
    assert storage.stored == [(png(), "image/png")] * 2


@pytest.mark.anyio
async def test_image_that_is_missing_or_not_taken_is_refused_before_the_upload() -> None:
    storage = Storage()
    with pytest.raises(Unsupported, match="start from an image"):
        await first_frame(inputs({"prompt": {}}), storage)
    with pytest.raises(Unsupported, match="without an image"):
        await first_frame(inputs({"image_url": {}}, "image_url"), storage, has_image=False)
    assert await first_frame(inputs({"image_url": {}}), storage, has_image=False) == {}
    assert storage.stored == []


@pytest.mark.anyio
async def test_mask_is_uploaded_only_for_a_model_that_takes_one() -> None:
    storage, masked = Storage(), MaskedImage(b"picture", b"mask")
    connection = cast("Connection", storage)
    both = await masked_image_of(inputs({"image_url": {}, "mask_url": {}}), masked, connection)
    assert both == {"image_url": "https://x/1", "mask_url": "https://x/2"}
    assert await masked_image_of(inputs({"image_url": {}}), masked, connection) == {
        "image_url": "https://x/3"
    }
    assert storage.stored == [(b"picture", "image/png"), (b"mask", "image/png"), (b"picture", "image/png")]
    with pytest.raises(Unsupported):
        await masked_image_of(inputs({"mask_url": {}}), masked, connection)
    assert len(storage.stored) == 3
