"""MkDocs hook: the files beside the docs folder that are pages of the site, too."""

import re
from pathlib import Path
from posixpath import dirname, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contribute/contributing.md",
    "SECURITY.md": "contribute/security.md",
}
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file, with its links rewritten for its place in the site."""
    root = Path(config.config_file_path).parent
    for name, page in PAGES.items():
        text = LINK.sub(
            lambda link, page=page: f"]({moved(link[1], page)})", (root / name).read_text("utf-8")
        )
        files.append(File.generated(config, page, content=text))
    return files


def moved(target: str, page: str) -> str:
    """A link of a file in the project's root, as seen from a page of the site."""
    path, mark, anchor = target.partition("#")
    path = PAGES.get(path, path.removeprefix("docs/"))
    return relpath(path, dirname(page) or ".") + mark + anchor
