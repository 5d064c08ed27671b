"""Links and images of the documentation. `make docs` checks anchors and the site's navigation too."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
IMAGE_BYTES = 300_000


class _Loader(yaml.SafeLoader):
    """Reads mkdocs.yml; tags that name Python objects are read as None."""


_Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)


def navigation(entry: object) -> set[str]:
    """Every page that the navigation of mkdocs.yml names, generated ones included."""
    if isinstance(entry, str):
        return {entry}
    children = entry.values() if isinstance(entry, dict) else entry
    return set().union(*map(navigation, children))  # type: ignore[call-overload]


SITE_PAGES = navigation(yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), _Loader)["nav"])


def exists(target: Path) -> bool:
    """Whether a link's target is a file, a folder, or a page that the build generates."""
    return target.exists() or (
        target.is_relative_to(DOCS) and target.relative_to(DOCS).as_posix() in SITE_PAGES
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_have_a_target(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text("utf-8")) if ":" not in link]
    broken = [link for link in links if not exists((page.parent / link).resolve())]
    assert not broken


def test_every_page_is_in_the_navigation() -> None:
    assert {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} <= SITE_PAGES


def test_every_image_is_shown_and_small() -> None:
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in LINK.findall(page.read_text("utf-8"))
    }
    images = [image for image in (DOCS / "images").rglob("*") if image.is_file()]
    assert not [image.name for image in images if image.resolve() not in shown]
    assert not [image.name for image in images if image.stat().st_size > IMAGE_BYTES]
