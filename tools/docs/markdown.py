"""Markdown that the hooks of this folder share."""

import re

_CODE = re.compile(r"(`[^`]*`)")


def cell(text: str) -> str:
    """Return text for one cell of a table: on one line, with `|` and, outside of code, `<` escaped."""
    parts = _CODE.split(text.replace("\n", " ").replace("|", "\\|"))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)
