"""MkDocs hook: no page may load a script, style sheet, font or image from another host."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

ASSET = re.compile(
    r"<(?:script|img|iframe|source|video|audio|link)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\"'\s>]+)"
)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Stop the build at the first page that names such an asset."""
    if found := ASSET.search(output):
        raise PluginError(f"{page.file.src_uri} loads {found[1]}: copy it into docs/ and link it there.")
    return output
