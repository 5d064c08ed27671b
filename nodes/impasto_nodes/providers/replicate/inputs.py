"""A model's own input schema, read so that every model can be asked in the same words."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.replicate.connection import PROVIDER

NAMES = {
    "prompt": ("prompt", "text", "text_prompt"),
    "aspect_ratio": ("aspect_ratio",),
    "duration": ("duration", "seconds", "num_seconds", "video_length"),
    "seed": ("seed",),
    "negative_prompt": ("negative_prompt",),
    "picture": (
        "input_image", "image", "start_image", "first_frame_image", "image_prompt",
        "image_input", "input_images",
    ),
}  # fmt: skip
"""Our words, and the names that models have for them, best first."""


class Inputs:
    """The input schema of one model."""

    def __init__(self, model: str, schema: Mapping[str, Any] | None) -> None:
        self.model = model
        parts = (schema or {}).get("components", {}).get("schemas", {})
        self._parts: Mapping[str, Any] = parts
        self._properties: Mapping[str, Any] = parts.get("Input", {}).get("properties", {})
        self.required: frozenset[str] = frozenset(parts.get("Input", {}).get("required", ()))

    @property
    def known(self) -> bool:
        """Whether the model says what it takes."""
        return bool(self._properties)

    def name_of(self, word: str) -> str | None:
        """The model's name for one of our words, None where it has none."""
        if not self.known:
            return NAMES[word][0]
        return next((name for name in NAMES[word] if name in self._properties), None)

    def allowed(self, word: str) -> list[Any]:
        """The only values that the model takes for a word; empty where it lists none."""
        name = self.name_of(word)
        listed = self._resolved(name).get("enum", []) if name else []
        return list(listed)

    def ratio(self, wanted: str) -> dict[str, Any]:
        """The setting for a shape; raises UnsupportedRatio."""
        name, allowed = self.name_of("aspect_ratio"), self.allowed("aspect_ratio")
        if allowed and wanted not in allowed:
            raise UnsupportedRatio(
                PROVIDER, self.model, wanted, [str(value) for value in allowed if ":" in str(value)]
            )
        return {name: wanted} if name else {}

    def length(self, seconds: float) -> dict[str, Any]:
        """The setting for a length, in the type that the model wants; raises UnsupportedDuration."""
        name, allowed = self.name_of("duration"), self.allowed("duration")
        if name is None:
            return {}
        known = {found: value for value in allowed if (found := _seconds(value)) is not None}
        if seconds in known:
            return {name: known[seconds]}
        if allowed:
            raise UnsupportedDuration(PROVIDER, self.model, seconds, list(known))
        return {name: int(seconds) if self._resolved(name).get("type") == "integer" else seconds}

    def picture(self, value: str | None) -> dict[str, Any]:
        """The setting for a picture to start from; raises Unsupported where the model disagrees."""
        name = self.name_of("picture")
        if value is None:
            if name in self.required:
                raise Unsupported(
                    PROVIDER, f"run {self.model} without a picture", "Connect one, or choose another model."
                )
            return {}
        if name is None:
            raise Unsupported(PROVIDER, f"start from a picture with {self.model}", "Choose another model.")
        return {name: [value] if self._resolved(name).get("type") == "array" else value}

    def plain(self, word: str, value: Any) -> dict[str, Any]:
        """The setting for a word that is simply passed on, where the model knows it and a value is given."""
        name = self.name_of(word)
        return {name: value} if name and value not in (None, "") else {}

    def more(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The model's own settings, as they are; raises BadRequest for names that it does not have."""
        unknown = sorted(set(settings) - set(self._properties)) if self.known else []
        if unknown:
            raise BadRequest(
                PROVIDER,
                f"{self.model} has no setting {_listed(unknown)}; it has {_listed(self._properties)}",
            )
        return dict(settings)

    def advanced(self) -> dict[str, Any]:
        """The JSON Schema of what is left to set beside our own words."""
        ours = {self.name_of(word) for word in NAMES}
        properties = {name: self._resolved(name) for name in self._properties if name not in ours}
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def _resolved(self, name: str) -> dict[str, Any]:
        found = dict(self._properties.get(name, {}))
        for part in found.pop("allOf", []):
            reference = str(part.get("$ref", "")).rsplit("/", 1)[-1]
            found = {**self._parts.get(reference, {}), **found}
        return found


def _seconds(value: Any) -> float | None:
    """The length that a model's own word stands for: 5, "5", "5s"; None for "auto"."""
    found = re.match(r"\d+(?:\.\d+)?", str(value))
    return float(found[0]) if found else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
