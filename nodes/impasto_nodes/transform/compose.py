"""Compose: a text from a template, words and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import orjson

from impasto import SKIP, Json, NodeError, Placeholder, Setting, Template, Text, node
from impasto_nodes.transform.pick import is_position

if TYPE_CHECKING:
    from collections.abc import Mapping


def _expected(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text, if all that its places name is known before the run."""
    parsed = Template.parse(str(settings.get("template") or ""))
    names = {place.path for place in parsed.placeholders}
    if not names or not all(isinstance(inputs.get(name), str) for name in names):
        return {"usd": 0.0}
    return {"usd": 0.0, "value": parsed.render(lambda place: inputs[place.path] or place.default or "")}


@node(
    id="compose",
    title="Compose",
    category="transform_assets",
    keywords=("template", "concatenate", "join text", "format", "prompt", "string", "variables", "text"),
    variables="template",
    cost=_expected,
)
async def compose(
    data: Json | None = None,
    *,
    template: Annotated[
        str,
        Setting(
            title="Template",
            widget="long_text",
            help="{{name}} becomes an input, {{data.shots.0|none}} reads from Data, or says none.",
            max_length=50_000,
            main=True,
        ),
    ] = "",
    variables: dict[str, Text],
) -> Text:
    """Fill a template: its `{{names}}` become inputs, and `{{data.…}}` reads from connected data.

    Names without a value leave their place empty, or say what follows a bar, as in `{{name|friend}}`; when
    none of them has either (a branch was closed, say), nothing goes on. Nothing in a template is ever run: a
    place is a name, or a path, and no more.
    """
    parsed = Template.parse(template)
    if variables and not any(variables.values()) and not _has_default(parsed, variables):
        closed: str = SKIP
        return closed

    def value_of(place: Placeholder) -> str:
        name, _, path = place.path.partition(".")
        if name != "data":
            default = variables.get(place.path, place.source) if place.default is None else place.default
            return variables.get(place.path) or default
        return _as_text(_follow(data, path.split(".") if path else []), place)

    return parsed.render(value_of)


def _has_default(template: Template, variables: dict[str, Text]) -> bool:
    return any(place.path in variables and place.default for place in template.placeholders)


def _as_text(found: object, place: Placeholder) -> str:
    if found is None or found in ("", [], {}):
        if place.default is not None:
            return place.default
        path = place.path
        raise NodeError(f"There is nothing at '{path}' in the data.", code="nothing_there")
    if isinstance(found, str):
        return found
    if isinstance(found, list) and all(isinstance(item, str) for item in found):
        return ", ".join(found)
    return orjson.dumps(found).decode()


def _follow(data: object, steps: list[str]) -> object:
    here = data
    for step in steps:
        if isinstance(here, dict):
            here = here.get(step)
        elif isinstance(here, list) and is_position(step, here):
            here = here[int(step)]
        else:
            return None
    return here
