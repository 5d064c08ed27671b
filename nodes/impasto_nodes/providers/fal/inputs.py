"""A request as the inputs of one of fal's models, by the model's published schema."""

import asyncio
from collections.abc import Mapping
from typing import Any

from impasto import Context, Image
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.errors import CorruptOutput, UnsupportedRatio
from impasto_nodes.providers.fal.connection import Connection
from impasto_nodes.providers.fal.errors import PROVIDER
from impasto_nodes.providers.fal.platform import schema_of
from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.protocols import MaskedImage

NAMES = {
    "prompt": ("prompt", "text_prompt"),
    "aspect_ratio": ("aspect_ratio",),
    "size": ("image_size",),
    "duration": ("duration", "num_seconds", "seconds"),
    "seed": ("seed",),
    "negative_prompt": ("negative_prompt",),
    "n_outputs": ("num_images", "num_videos"),
    "image": ("image_url", "start_image_url", "first_frame_url", "input_image_url", "image_urls"),
    "mask": ("mask_url", "mask_image_url"),
}
_PRESETS = {
    "1:1": "square_hd",
    "4:3": "landscape_4_3",
    "16:9": "landscape_16_9",
    "3:4": "portrait_4_3",
    "9:16": "portrait_16_9",
}
# At most one megapixel, which is what an image is charged for.
_SIZES = {
    "1:1": (1024, 1024),
    "4:5": (896, 1120),
    "5:4": (1120, 896),
    "9:16": (576, 1024),
    "16:9": (1024, 576),
    "3:4": (768, 1024),
    "4:3": (1024, 768),
    "2:3": (832, 1248),
    "3:2": (1248, 832),
    "21:9": (1344, 576),
}


async def inputs_of(model: str, access: Access) -> Inputs:
    """Return a model's inputs. Raises `UnknownModel`, and `CorruptOutput` for a schema without any."""
    return inputs_from(model, await schema_of(model, access))


def inputs_from(model: str, schema: Mapping[str, Any]) -> Inputs:
    """Return a model's inputs from its OpenAPI document. Raises `CorruptOutput` if it has none."""
    parts = schema.get("components", {}).get("schemas", {})
    try:
        posts = [path["post"] for path in schema["paths"].values() if "post" in path]
        shape = posts[0]["requestBody"]["content"]["application/json"]["schema"]
        shape = parts[shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape
        inputs = Inputs(PROVIDER, _title(model), NAMES, shape, parts)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise CorruptOutput(PROVIDER, "a schema", f"{type(error).__name__}: {error}") from None
    if not inputs.known:
        raise CorruptOutput(PROVIDER, "a schema", "it has no inputs")
    return inputs


def shape_of(inputs: Inputs, ratio: str) -> dict[str, Any]:
    """Return the input for an aspect ratio, or for the size that has it. Raises `UnsupportedRatio`."""
    name = inputs.name_of("size")
    if name is None or inputs.name_of("aspect_ratio") is not None:
        return inputs.ratio(ratio)
    choices = inputs.choices("size")
    presets = [value for choice in choices for value in choice.get("enum", [])]
    if _PRESETS.get(ratio) in presets:
        return {name: _PRESETS[ratio]}
    if ratio in _SIZES and any("width" in choice.get("properties", {}) for choice in choices):
        width, height = _SIZES[ratio]
        return {name: {"width": width, "height": height}}
    known = [ratio for ratio, preset in _PRESETS.items() if preset in presets]
    raise UnsupportedRatio(PROVIDER, inputs.model, ratio, known)


async def image_of(
    inputs: Inputs, image: Image | None, connection: Connection, context: Context
) -> dict[str, Any]:
    """Return the input for an image to start from, uploaded. Raises `Unsupported` before the upload."""
    if image is None:
        return inputs.image(None)
    inputs.image("")  # refused before anything is sent
    from impasto_nodes.media.image.normalize_image import plain

    media_type, data = await asyncio.to_thread(plain, await context.read(image), image.media_type)
    return inputs.image(await connection.upload(data, media_type))


async def masked_image_of(inputs: Inputs, masked: MaskedImage, connection: Connection) -> dict[str, Any]:
    """Return the inputs for an image and its mask, uploaded; the image alone if the model takes no mask.

    Raises `Unsupported` before the upload.
    """
    inputs.image("")
    image = inputs.image(await connection.upload(masked.picture, "image/png"))
    if inputs.name_of("mask") is None:
        return image
    return image | inputs.mask(await connection.upload(masked.mask, "image/png"))


def _title(model: str) -> str:
    return model.removeprefix("fal-ai/")
