"""Settings as JSON Schema, with `x-ui` hints for forms."""

import typing as t

import msgspec

from impasto.sdk.settings import SettingSpec

_KEYWORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "pattern": "pattern",
}
_WIDGETS = {
    "Image": "picture",
    "Video": "file",
    "Audio": "file",
    "File": "file",
    "Brand": "brand",
    "Mask": "mask",
}


def settings_schema(settings: t.Iterable[SettingSpec]) -> dict[str, t.Any]:
    """Return the JSON Schema of a node's `settings` object."""
    specs = list(settings)
    return {
        "type": "object",
        "properties": {spec.name: setting_schema(spec) for spec in specs},
        "required": [spec.name for spec in specs if spec.required],
        "additionalProperties": False,
    }


def setting_schema(spec: SettingSpec) -> dict[str, t.Any]:
    """Return the JSON Schema of one setting.

    `x-type` is the value type of an edge into it; `x-ui` holds the hints for its form field.
    """
    schema = _inlined(msgspec.json.schema(spec.annotation))
    target = _not_null(schema)
    for name, keyword in _KEYWORDS.items():
        if (bound := getattr(spec.ui, name)) is not None:
            target[keyword] = bound
    _lengths(spec, target)
    if spec.ui.choices is not None:
        target["enum"] = list(spec.ui.choices)
    if not spec.required:
        schema["default"] = spec.default_json
    schema["title"] = spec.title
    if spec.ui.help:
        schema["description"] = spec.ui.help
    if spec.port is not None:
        schema["x-type"] = str(spec.port)
    schema["x-ui"] = _hints(spec, target)
    return schema


def _lengths(spec: SettingSpec, target: dict[str, t.Any]) -> None:
    low, high = {"array": ("minItems", "maxItems"), "object": ("minProperties", "maxProperties")}.get(
        target.get("type", "string"), ("minLength", "maxLength")
    )
    if spec.ui.min_length is not None:
        target[low] = spec.ui.min_length
    if spec.ui.max_length is not None:
        target[high] = spec.ui.max_length


def _hints(spec: SettingSpec, target: dict[str, t.Any]) -> dict[str, t.Any]:
    ui = spec.ui
    return {
        "widget": ui.widget or _widget(spec, target),
        "options": ui.options is not None,
        "order": ui.order if ui.order is not None else spec.index,
        "group": ui.group,
        "advanced": ui.advanced,
        "main": ui.main,
        "unit": ui.unit,
        "placeholder": ui.placeholder,
        "step": ui.step,
        **({"shown_if": dict(ui.shown_if)} if ui.shown_if else {}),
    }


def _widget(spec: SettingSpec, target: dict[str, t.Any]) -> str:
    if spec.ui.options is not None or "enum" in target:
        return "select"
    if spec.port is not None and spec.port.depth == 0 and spec.port.base.cls is not None:
        return _WIDGETS.get(spec.port.base.id, "object")
    kind = target.get("type")
    if kind in ("number", "integer"):
        return "slider" if "minimum" in target and "maximum" in target else "number"
    if kind == "object" and target.get("properties"):
        return "object"
    return {"boolean": "switch", "array": "list", "string": "text"}.get(str(kind), "json")


def _not_null(schema: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return the part of the schema that limits apply to: the only member that is not `null`."""
    members = [member for member in schema.get("anyOf", ()) if member.get("type") != "null"]
    return members[0] if len(members) == 1 else schema


def _inlined(schema: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return the schema with its references resolved, so that a form need not follow them."""
    definitions = schema.pop("$defs", {})

    def walk(part: t.Any, open_names: tuple[str, ...]) -> t.Any:
        if isinstance(part, list):
            return [walk(item, open_names) for item in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in open_names:
            beside = {key: item for key, item in part.items() if key != "$ref"}
            return walk(definitions[name] | beside, (*open_names, name))
        return {key: walk(item, open_names) for key, item in part.items()}

    return t.cast("dict[str, t.Any]", walk(schema, ()))
