"""The settings of OpenAI's image models that the nodes have no own setting for."""

from collections.abc import Mapping
from typing import Any

OPENAI_IMAGE_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "background": {"type": "string", "enum": ["auto", "opaque", "transparent"], "description": "Background."},
    "moderation": {"type": "string", "enum": ["auto", "low"], "description": "Strictness of the moderation."},
    "output_compression": {"type": "integer", "minimum": 0, "maximum": 100, "description": "Percent."},
    "output_format": {"type": "string", "enum": ["png", "jpeg", "webp"], "description": "File format."},
    "quality": {
        "type": "string",
        "enum": ["auto", "low", "medium", "high"],
        "description": "Level of detail.",
    },
    "style": {"type": "string", "description": "Style of older models: vivid or natural."},
    "user": {"type": "string", "description": "An id of the end user, for abuse detection."},
}
