"""The brand of a website, read from its HTML. Runs in a worker process: the text is untrusted."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urljoin, urlsplit

import lxml.html
from lxml.etree import ParserError

from impasto_server.brands.imports.fetch import is_web_address

MAX_STYLESHEETS = 8
MAX_LOGOS = 4
_MAX_NAMES = 20_000
_MAX_SVG = 200_000
_MAX_STYLES, _MAX_STYLE = 50, 500_000
_FONT_SERVICES = ("fonts.googleapis.com", "fonts.bunny.net")
# The HTML parser writes all names in small letters, and SVG does not know these then.
_SVG_NAMES = {
    name.lower(): name
    for name in (
        "viewBox",
        "preserveAspectRatio",
        "linearGradient",
        "radialGradient",
        "clipPath",
        "gradientUnits",
        "gradientTransform",
    )
}
_PREVIEW = "preview image of the page"
_LOGO = re.compile(r"logo|brand|wordmark", re.IGNORECASE)
_SEPARATORS = re.compile(r"\s+[|–—·•:-]\s+")


@dataclass
class Page:
    """The parts of a page. URLs are absolute; `logos` are pairs of a URL or SVG source, and where it was."""

    title: str = ""
    site_name: str = ""
    description: str = ""
    language: str = ""
    theme_color: str = ""
    stylesheets: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    font_families: list[str] = field(default_factory=list)
    logos: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


def read_page(html: bytes, url: str, charset: str) -> Page:
    """Return the parts of a page that a brand can be made of. `url` resolves relative links."""
    try:
        parser = _parser(charset or _charset_of(html))
    except LookupError:  # the website names an encoding that the parser does not know
        parser = _parser(_charset_of(html))
    try:
        root = lxml.html.document_fromstring(html, parser=parser)
    except (ParserError, LookupError, ValueError):
        return Page()
    base = root.find(".//base[@href]")
    if base is not None:
        url = _absolute(url, base.get("href")) or url
    page = Page(language=_text(root.get("lang"), 20))
    head = root.find(".//head/title")
    page.title = _text(head.text_content() if head is not None else "", 200)
    _read_meta(root, page)
    _read_body(root, page, url, _read_links(root, page, url))
    return page


def _parser(charset: str | None) -> lxml.html.HTMLParser:
    return lxml.html.HTMLParser(encoding=charset, remove_comments=True)


def _charset_of(html: bytes) -> str | None:
    """Return UTF-8 if the text can be that; None lets the parser read the page's own declaration."""
    try:
        html.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _read_links(root: lxml.html.HtmlElement, page: Page, url: str) -> list[tuple[str, str]]:
    """Note styles and stylesheets; return the icons."""
    icons: list[tuple[str, str]] = []
    for element in root.iter("link", "style"):
        if element.tag == "style":
            if len(page.styles) < _MAX_STYLES:
                page.styles.append(element.text_content()[:_MAX_STYLE])
            continue
        rel = (element.get("rel") or "").lower().split()
        target = _absolute(url, element.get("href") or "")
        if target and "stylesheet" in rel:
            if urlsplit(target).hostname in _FONT_SERVICES:
                page.font_families += _families_in(target)
            elif len(page.stylesheets) < MAX_STYLESHEETS:
                page.stylesheets.append(target)
        elif target and "apple-touch-icon" in rel:
            icons.insert(0, (target, "icon for home screens"))
        elif target and "icon" in rel:
            icons.append((target, "icon of the site"))
    return icons


def _read_meta(root: lxml.html.HtmlElement, page: Page) -> None:
    for element in root.iter("meta"):
        name = (element.get("property") or element.get("name") or "").lower()
        content = _text(element.get("content"), 2000)
        if name in ("og:site_name", "application-name") and not page.site_name:
            page.site_name = content[:80]
        elif name in ("description", "og:description") and not page.description:
            page.description = content
        elif name == "theme-color" and not page.theme_color:
            page.theme_color = content[:40]
        elif name == "og:image" and content and not any(where == _PREVIEW for _, where in page.logos):
            page.logos.append((content, _PREVIEW))


def _read_body(root: lxml.html.HtmlElement, page: Page, url: str, icons: Iterable[tuple[str, str]]) -> None:
    logos: list[tuple[str, str]] = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        if len(page.names) < _MAX_NAMES:
            page.names.add(element.tag)
            page.names.update(f".{name}" for name in (element.get("class") or "").split()[:50])
            if element.get("id"):
                page.names.add(f"#{element.get('id')}")
        style = element.get("style")
        if style and len(page.inline) < 2000:
            page.inline.append(style[:2000])
        if element.tag in ("img", "svg") and len(logos) < MAX_LOGOS:
            where = _logo_place(element)
            if where:
                logos += _image_of(element, url, where)
    preview = [(_absolute(url, source), where) for source, where in page.logos]
    page.logos = [each for each in (*logos, *icons, *preview) if each[0]][:MAX_LOGOS]


def _logo_place(element: lxml.html.HtmlElement) -> str:
    """Say why an image is taken for a logo; empty if it is not."""
    said = " ".join(element.get(name) or "" for name in ("class", "id", "alt", "src", "aria-label"))
    is_logo = _LOGO.search(said[:2000]) is not None
    for step, outer in enumerate(element.iterancestors()):
        if step > 12:
            break
        if outer.tag in ("header", "nav") or outer.get("role") == "banner":
            return "image in the header" if is_logo or _is_first(element, outer) else ""
        is_logo = is_logo or (
            step < 3 and _LOGO.search(f"{outer.get('class')} {outer.get('id')}") is not None
        )
    return "image called a logo" if is_logo else ""


def _is_first(element: lxml.html.HtmlElement, outer: lxml.html.HtmlElement) -> bool:
    return next(outer.iter("img", "svg"), None) is element


def _image_of(element: lxml.html.HtmlElement, url: str, where: str) -> list[tuple[str, str]]:
    if element.tag == "img":
        source = element.get("src") or ""
        return [(_absolute(url, source), where)]
    if element.find(".//use") is not None:
        return []  # its shapes are somewhere else
    for inner in element.iter():
        if inner.tag in _SVG_NAMES:
            inner.tag = _SVG_NAMES[inner.tag]
        for name in inner.keys() & _SVG_NAMES.keys():
            inner.set(_SVG_NAMES[name], inner.attrib.pop(name))
    element.set("xmlns", "http://www.w3.org/2000/svg")
    tail, element.tail = element.tail, None
    source = lxml.html.tostring(element, encoding="unicode", method="xml")
    element.tail = tail
    return [(source, where)] if len(source) <= _MAX_SVG else []


def name_of(page: Page, url: str) -> list[tuple[str, str]]:
    """Return names that the page calls its brand, and where each is, the likeliest first."""
    names = [(page.site_name, "name of the site")] if page.site_name else []
    parts = [part for part in _SEPARATORS.split(page.title) if part]
    if page.site_name in parts:
        parts = []
    host = (urlsplit(url).hostname or "").removeprefix("www.").split(".")[0]
    plain = "".join(filter(str.isalnum, host.lower()))
    # "Fresh coffee | Northbound": the part that resembles the host is the name.
    alike = [part for part in parts if plain in "".join(filter(str.isalnum, part.lower()))]
    if parts:
        names.append((min(alike or parts[:1], key=len)[:80], "title of the page"))
    return list({name.casefold(): (name, where) for name, where in reversed(names)}.values())[::-1]


def _absolute(url: str, link: str) -> str:
    link = link.strip()
    if not link or len(link) > 4000:
        return ""
    try:
        target = urljoin(url, link)
    except ValueError:
        return ""
    return target if is_web_address(target) else ""


def _families_in(url: str) -> list[str]:
    query = parse_qs(urlsplit(url).query)
    families = [name for value in query.get("family", []) for name in value.split("|")]
    return [name.split(":")[0].replace("+", " ").strip()[:80] for name in families[:20]]


def _text(value: str | None, limit: int) -> str:
    return " ".join((value or "")[: 10 * limit].split())[:limit]
