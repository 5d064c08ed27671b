"""A model's input schema: maps the nodes' settings to the names and values that the model takes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from impasto_nodes.providers.errors import BadRequest, Unsupported, UnsupportedDuration, UnsupportedRatio
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.spec import RATIOS, Option

Names = Mapping[str, Sequence[str]]
"""The nodes' settings, each with the names that a provider's models have for it, best first."""


class Inputs:
    """The input schema of one model: `shape` is the JSON Schema of its inputs, `parts` what that refers to.

    Without a `shape` the model publishes none, and the first names are used.
    """

    def __init__(
        self, provider: str, model: str, names: Names, shape: Mapping[str, Any], parts: Mapping[str, Any]
    ) -> None:
        self.provider, self.model = provider, model
        self._names = names
        self._parts = parts
        self._properties: Mapping[str, Any] = shape.get("properties", {})
        self.required: frozenset[str] = frozenset(shape.get("required", ()))

    @property
    def known(self) -> bool:
        """Whether the model publishes a schema."""
        return bool(self._properties)

    def name_of(self, setting: str) -> str | None:
        """Return the model's name for a setting of the nodes; None if it has none."""
        if not self.known:
            return self._names[setting][0]
        return next((name for name in self._names[setting] if name in self._properties), None)

    def allowed(self, setting: str) -> list[Any]:
        """Return the values that the model allows for a setting; empty if it lists none."""
        name = self.name_of(setting)
        listed = self._resolved(name).get("enum", []) if name else []
        return list(listed)

    def default_of(self, name: str) -> Any:
        """Return the default of an input by the model's own name for it; None if it states none."""
        return self._resolved(name).get("default")

    def ratio(self, wanted: str) -> dict[str, Any]:
        """Return the input for an aspect ratio. Raises `UnsupportedRatio`."""
        name, allowed = self.name_of("aspect_ratio"), self.allowed("aspect_ratio")
        if allowed and wanted not in allowed:
            raise UnsupportedRatio(
                self.provider, self.model, wanted, [str(value) for value in allowed if ":" in str(value)]
            )
        return {name: wanted} if name else {}

    def duration(self, seconds: float) -> dict[str, Any]:
        """Return the input for a duration, in the model's type. Raises `UnsupportedDuration`."""
        name, allowed = self.name_of("duration"), self.allowed("duration")
        if name is None:
            return {}
        known = {found: value for value in allowed if (found := _seconds(value)) is not None}
        if seconds in known:
            return {name: known[seconds]}
        if allowed:
            raise UnsupportedDuration(self.provider, self.model, seconds, list(known))
        return {name: int(seconds) if self._resolved(name).get("type") == "integer" else seconds}

    def durations(self) -> list[float]:
        """Return the lengths in seconds that the model allows; empty if it lists none."""
        return [found for value in self.allowed("duration") if (found := _seconds(value))]

    def image(self, value: str | None) -> dict[str, Any]:
        """Return the input for an image to start from. Raises `Unsupported` if it is missing or not taken."""
        name = self.name_of("image")
        if value is None:
            if name in self.required:
                raise Unsupported(
                    self.provider,
                    f"run {self.model} without an image",
                    "Connect one, or choose another model.",
                )
            return {}
        if name is None:
            raise Unsupported(
                self.provider, f"start from an image with {self.model}", "Choose another model."
            )
        return {name: [value] if self._resolved(name).get("type") == "array" else value}

    def mask(self, value: str | None) -> dict[str, Any]:
        """Return the input for a mask; nothing without one, or if the model takes none.

        Raises `Unsupported` if the model needs one.
        """
        name = self.name_of("mask")
        if name in self.required and not value:
            raise Unsupported(
                self.provider, f"run {self.model} without a mask", "Paint one, or choose another model."
            )
        return {name: value} if name and value else {}

    def plain(self, setting: str, value: Any) -> dict[str, Any]:
        """Return the input for a setting that is passed on as it is; nothing if it is empty or not taken."""
        name = self.name_of(setting)
        return {name: value} if name and value not in (None, "") else {}

    def model_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the model's own settings as they are. Raises `BadRequest` for unknown names.

        The number of outputs is not one of them: each image is a prediction of its own.
        """
        if several := set(settings) & set(self._names["n_outputs"]):
            raise BadRequest(self.provider, f"{_listed(several)} is set by the node's number of images")
        unknown = sorted(set(settings) - set(self._properties)) if self.known else []
        if unknown:
            raise BadRequest(
                self.provider,
                f"{self.model} has no setting {_listed(unknown)}; it has {_listed(self._properties)}",
            )
        return dict(settings)

    def own_settings(self) -> dict[str, Any]:
        """Return the JSON Schema of the model's inputs that no setting of the nodes stands for."""
        shared = {self.name_of(setting) for setting in self._names}
        properties = {name: self._resolved(name) for name in self._properties if name not in shared}
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def facts_of(self, model: Model, day: date) -> Model:
        """Return a listed model with the ratios, durations and settings of this schema, read on a day."""
        return replace(
            model,
            ratios=tuple(str(ratio) for ratio in self.allowed("aspect_ratio") if ratio in RATIOS),
            durations=tuple(sorted(self.durations())),
            settings=self.own_settings()["properties"],
            checked_on=day,
        )

    def setting_options(self) -> list[Option]:
        """Return the model's own settings as choices, each with its JSON Schema."""
        return [
            {
                "value": name,
                "label": schema.get("title", name),
                "detail": schema.get("description", ""),
                "schema": schema,
            }
            for name, schema in self.own_settings()["properties"].items()
        ]

    def choices(self, setting: str) -> list[dict[str, Any]]:
        """Return the schemas of which a setting's value follows one; its own if there is only one."""
        found = self._resolved(self.name_of(setting) or "")
        return [self._with_references(part) for part in found.get("anyOf", [found])]

    def _resolved(self, name: str) -> dict[str, Any]:
        found = dict(self._properties.get(name, {}))
        for part in found.pop("allOf", []):
            found = {**self._with_references(part), **found}
        return self._with_references(found)

    def _with_references(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        reference = str(schema.get("$ref", "")).rpartition("/")[2]
        own = {key: value for key, value in schema.items() if key != "$ref"}
        return {**self._parts.get(reference, {}), **own}


def _seconds(value: Any) -> float | None:
    """Return the seconds in a model's value (5, "5", "5s"); None for "auto"."""
    found = re.match(r"\d+(?:\.\d+)?", str(value))
    return float(found[0]) if found else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
