"""Bound a JSON Schema: every string and list gets a maximum length, so that generation always ends."""

from collections.abc import Mapping
from typing import Any

_MAX_LENGTH, _MAX_ITEMS = 160, 5
_PLAIN = "[A-Z][A-Za-z0-9 ,.'’!?&%-]"
_COMBINE = ("anyOf", "oneOf", "allOf")


def bounded(schema: Mapping[str, Any], *, plain: bool = False) -> dict[str, Any]:
    """Return the schema with maxLength, maxItems and closed objects added where they are missing.

    `plain` also limits free strings to letters and common punctuation: a tiny model tends to write URLs.
    """
    out = dict(schema)
    for name in _COMBINE:
        if name in out:
            out[name] = [bounded(branch, plain=plain) for branch in out[name]]
    for name in ("$defs", "definitions"):
        if name in out:
            out[name] = {key: bounded(value, plain=plain) for key, value in out[name].items()}
    kind = out.get("type")
    if kind == "object" or "properties" in out:
        return _object(out, plain)
    if kind == "array":
        return _array(out, plain)
    return _string(out, plain) if kind == "string" else out


def _object(out: dict[str, Any], plain: bool) -> dict[str, Any]:
    out["properties"] = {
        name: bounded(value, plain=plain) for name, value in out.get("properties", {}).items()
    }
    out["required"] = list(out["properties"])
    out["additionalProperties"] = False
    return out


def _array(out: dict[str, Any], plain: bool) -> dict[str, Any]:
    out["items"] = bounded(out.get("items") or {"type": "string"}, plain=plain)
    out["maxItems"] = min(out.get("maxItems", _MAX_ITEMS), 12)
    out["minItems"] = min(out.get("minItems", 1), out["maxItems"])
    return out


def _string(out: dict[str, Any], plain: bool) -> dict[str, Any]:
    if "enum" in out or "const" in out or "format" in out:
        return out
    longest = min(out.get("maxLength", _MAX_LENGTH), 600)
    if "pattern" in out or not plain:
        return out | {"maxLength": longest}
    shortest = min(out.get("minLength", 3), longest)
    kept = {name: value for name, value in out.items() if name not in {"minLength", "maxLength"}}
    return kept | {"pattern": f"^{_PLAIN}{{{max(shortest - 1, 0)},{max(longest - 1, 0)}}}$"}
