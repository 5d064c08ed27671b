"""Compose: a text from a template, words and data."""

from __future__ import annotations

import re
from typing import Annotated

import orjson

from impasto import SKIP, Json, NodeError, Setting, Text, node

_PLACE = re.compile(r"\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|\s*([^{}]*?)\s*)?\}\}")


@node(id="compose", title="Compose", category="transform_assets", variables="template")
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
    if variables and not any(variables.values()) and not _stands_in(template, variables):
        closed: str = SKIP
        return closed

    def filled(place: re.Match[str]) -> str:
        name, _, path = place[1].partition(".")
        if name != "data":
            otherwise = variables.get(place[1], place[0]) if place[2] is None else place[2]
            return variables.get(place[1]) or otherwise
        return _said(_follow(data, path.split(".") if path else []), place[1], place[2])

    return _PLACE.sub(filled, template)


def _stands_in(template: str, variables: dict[str, Text]) -> bool:
    return any(place[1] in variables and place[2] for place in _PLACE.finditer(template))


def _said(found: object, path: str, otherwise: str | None) -> str:
    if found is None or found in ("", [], {}):
        if otherwise is not None:
            return otherwise
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
        elif isinstance(here, list) and step.isdigit() and int(step) < len(here):
            here = here[int(step)]
        else:
            return None
    return here
