"""The program of a process that reads what users import: HTML, CSS, PDF, images.

Hostile files are parsed here and never in the server's process: one that crashes a library, or takes too
much time or memory, ends this process only. It fetches nothing over the network.
"""

from pathlib import Path
from typing import Any

import orjson

from impasto_server.brands.imports import image
from impasto_server.brands.imports.colors import FoundColor, ranked
from impasto_server.compiler.request_loop import answer_requests

_FONT_FIELDS = ("family", "weight", "italic", "variable", "characters", "media_type")


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    answer_requests(Operations)


class Operations:
    """The operations by name. Each takes a request's header and its parts, and returns an answer's parts."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._megapixels = setup["megapixels"]

    def page(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return what the HTML in the only part contains, and where its stylesheets and logos are."""
        from impasto_server.brands.imports.page import name_of, read_page

        page = read_page(parts[0], header["url"], header["charset"])
        return [
            orjson.dumps(
                {
                    "names": name_of(page, header["url"]),
                    "description": page.description,
                    "language": page.language,
                    "stylesheets": page.stylesheets,
                    "logos": page.logos,
                }
            )
        ]

    def site(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return colours and fonts of a page, the first part, and of its stylesheets, the others."""
        from impasto_server.brands.imports.page import read_page
        from impasto_server.brands.imports.stylesheet import Styles, color_in

        page = read_page(parts[0], header["url"], header["charset"])
        styles = Styles(page)
        for source in page.styles:
            styles.read(source, "styles in the page")
        for place, data in zip(header["places"], parts[1:], strict=True):
            styles.read(data.decode(errors="replace"), place)
        for source in page.inline:
            styles.read_inline(source)
        styles.finish()
        colors = styles.colors()
        theme = color_in(page.theme_color) if page.theme_color else None
        if theme:
            colors.append(FoundColor(theme, 3.0, "theme colour of the page", "theme-color"))
        fonts = styles.fonts()
        known = {family.casefold() for family, _, _ in fonts}
        fonts += [
            (family, "text", "linked web font")
            for family in page.font_families
            if family and family.casefold() not in known
        ]
        return [orjson.dumps({"colors": _listed(colors), "fonts": fonts})]

    def logo(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return an image or SVG as the data URL of a PNG, or null."""
        try:
            return [orjson.dumps(image.as_logo(parts[0], self._megapixels))]
        except image.ImageUnreadable:
            return [b"null"]

    def font(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return what the font file in the only part is, and the file written again; or why it is refused."""
        from impasto_server.brands.imports.font_file import FontUnreadable, sanitize

        try:
            font = sanitize(parts[0])
        except FontUnreadable as error:
            return [orjson.dumps({"refused": str(error)})]
        found = {name: getattr(font, name) for name in _FONT_FIELDS}
        return [orjson.dumps(found), font.data]

    def pdf(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return colours and fonts of the PDF at `path`, or null if it cannot be read."""
        from impasto_server.brands.imports.pdf import PdfUnreadable, read_pdf

        try:
            found = read_pdf(Path(header["path"]))
        except PdfUnreadable:
            return [b"null"]
        result = {
            "title": found.title,
            "colors": _listed(found.colors),
            "fonts": found.fonts[:12],
            "pages": found.pages,
        }
        return [orjson.dumps(result)]

    def pdf_logos(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return what may be logos in the PDF at `path`, which `pdf` could read."""
        from impasto_server.brands.imports.pdf_logos import find_logos

        return [orjson.dumps(find_logos(Path(header["path"])))]

    def images(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return the palette of the images at `paths`, and logos of those with a transparent ground.

        `unreadable` is the name of the first that cannot be decoded.
        """
        colors: list[FoundColor] = []
        logos: list[tuple[str, str]] = []
        for path, name in zip(header["paths"], header["names"], strict=True):
            data = Path(path).read_bytes()
            try:
                if image.is_vector(data):
                    logos.append((image.as_logo(data, self._megapixels), name))
                    continue
                colors += image.palette(data, name, self._megapixels)
                if len(logos) < 4 and image.is_cutout(data, self._megapixels):
                    logos.append((image.as_logo(data, self._megapixels), name))
            except image.ImageUnreadable:
                return [orjson.dumps({"unreadable": name})]
        return [orjson.dumps({"colors": _listed(colors), "logos": logos})]


def _listed(colors: list[FoundColor]) -> list[dict[str, Any]]:
    return [{"hex": each.hex, "role": each.role, "found": each.found} for each in ranked(colors)]
