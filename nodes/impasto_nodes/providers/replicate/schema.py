"""The names that Replicate's models have for the nodes' settings, and their published schemas."""

from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.jobs.inputs import Inputs
from impasto_nodes.providers.replicate.connection import PROVIDER

NAMES = {
    "prompt": ("prompt", "text", "text_prompt"),
    "aspect_ratio": ("aspect_ratio",),
    "duration": ("duration", "seconds", "num_seconds", "video_length"),
    "seed": ("seed",),
    "negative_prompt": ("negative_prompt",),
    "n_outputs": ("num_outputs", "number_of_images", "num_images", "n_images"),
    "image": (
        "input_image", "image", "start_image", "first_frame_image", "image_prompt",
        "image_input", "input_images",
    ),
    "mask": ("mask", "mask_image"),
}  # fmt: skip


def inputs_from(model: str, schema: Mapping[str, Any] | None) -> Inputs:
    """Return the inputs of a model from its OpenAPI document; None if it publishes none."""
    parts = (schema or {}).get("components", {}).get("schemas", {})
    return Inputs(PROVIDER, model, NAMES, parts.get("Input", {}), parts)
