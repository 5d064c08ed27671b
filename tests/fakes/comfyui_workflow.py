"""What the ComfyUI fake knows of workflows: its nodes, a workflow, and what it refuses."""

from collections.abc import Container, Iterator
from typing import Any

from starlette.responses import JSONResponse, Response

CHECKPOINTS = ["sd15.safetensors", "sdxl.safetensors"]
OUTPUT_NODES = {"SaveImage", "PreviewImage"}
NODES: dict[str, set[str]] = {
    "CheckpointLoaderSimple": {"ckpt_name"},
    "CLIPTextEncode": {"text", "clip"},
    "EmptyLatentImage": {"width", "height", "batch_size"},
    "LoadImage": {"image"},
    "KSampler": {
        "seed", "steps", "cfg", "sampler_name", "scheduler", "denoise", "model", "positive", "negative",
        "latent_image",
    },
    "VAEDecode": {"samples", "vae"},
    "SaveImage": {"filename_prefix", "images"},
    "PreviewImage": {"images"},
}  # fmt: skip
"""The server's nodes, each with its required inputs."""
WORKFLOW: dict[str, Any] = {
    "3": {
        "class_type": "KSampler",
        "inputs": {
            "seed": 7, "steps": 4, "cfg": 8.0, "sampler_name": "euler", "scheduler": "normal", "denoise": 1.0,
            "model": ["4", 0], "positive": ["6", 0], "negative": ["7", 0], "latent_image": ["5", 0],
        },
    },
    "4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sd15.safetensors"}},
    "5": {"class_type": "EmptyLatentImage", "inputs": {"width": 64, "height": 64, "batch_size": 2}},
    "6": {
        "class_type": "CLIPTextEncode",
        "inputs": {"text": "a glass bottle", "clip": ["4", 1]},
        "_meta": {"title": "Prompt"},
    },
    "7": {"class_type": "CLIPTextEncode", "inputs": {"text": "text", "clip": ["4", 1]}},
    "8": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}},
    "9": {
        "class_type": "SaveImage",
        "inputs": {"filename_prefix": "ComfyUI", "images": ["8", 0]},
        "_meta": {"title": "Save"},
    },
}  # fmt: skip
"""ComfyUI's default workflow, as `Export (API)` writes it."""


def refusal_of(nodes: dict[str, Any], uploads: Container[str]) -> Response | None:
    """The answer to a workflow that cannot run; None if it can."""
    for one, node in nodes.items():
        if node["class_type"] not in NODES:
            message = f"Node '{node['class_type']}' not found. The custom node may not be installed."
            extra = {"node_id": one, "class_type": node["class_type"]}
            return invalid("missing_node_type", message, f"Node ID '#{one}'", extra)
    if not any(node["class_type"] in OUTPUT_NODES for node in nodes.values()):
        return invalid("prompt_no_outputs", "Prompt has no outputs", "")
    errors: dict[str, Any] = {}
    for one, node in nodes.items():
        found = list(_errors_of(node, uploads))
        if found:
            errors[one] = {"errors": found, "dependent_outputs": ["9"], "class_type": node["class_type"]}
    if errors:
        return invalid("prompt_outputs_failed_validation", "Prompt outputs failed validation", "", {}, errors)
    return None


def _errors_of(node: dict[str, Any], uploads: Container[str]) -> Iterator[dict[str, Any]]:
    inputs = node["inputs"]
    for name in sorted(NODES[node["class_type"]] - set(inputs)):
        yield _error("required_input_missing", "Required input is missing", name, name, None)
    name = inputs.get("ckpt_name")
    if name is not None and name not in CHECKPOINTS:
        yield _error(
            "value_not_in_list", "Value not in list", f"ckpt_name: '{name}' not in []", "ckpt_name", name
        )
    steps = inputs.get("steps", 1)
    if not isinstance(steps, int) or not 1 <= steps <= 10000:
        yield _error("value_bigger_than_max", "Value 99999 bigger than max of 10000", "steps", "steps", steps)
    image = inputs.get("image")
    if node["class_type"] == "LoadImage" and image not in uploads:
        details = f"image - Invalid image file: {image}"
        yield _error("custom_validation_failed", "Custom validation failed for node", details, "image", image)


def _error(kind: str, message: str, details: str, name: str, value: Any) -> dict[str, Any]:
    extra = {"input_name": name, "received_value": value}
    return {"type": kind, "message": message, "details": details, "extra_info": extra}


def invalid(kind: str, message: str, details: str, extra: Any = None, errors: Any = None) -> Response:
    """The answer to a prompt that is refused."""
    error = {"type": kind, "message": message, "details": details, "extra_info": extra or {}}
    return JSONResponse({"error": error, "node_errors": errors or {}}, 400)
