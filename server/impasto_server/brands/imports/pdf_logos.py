"""Logos in a PDF: images with few colours, shapes that are drawn close together, the name in large type.

Runs in a worker process: the file is untrusted.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image
from pypdfium2 import raw

from impasto_server.brands.imports.image import ImageUnreadable, logo_of
from impasto_server.brands.imports.pdf import open_pdf, text_of, title_of
from impasto_server.brands.imports.pdf_items import (
    MAX_SHARE,
    Box,
    PageItem,
    around,
    items_of,
    share_of,
    show_only,
)
from impasto_server.brands.imports.pdf_wordmarks import name_in, wordmarks

MAX_LOGOS = 6
_FIRST_PAGES = 3
"""Pages that are searched whether or not they mention a logo: guidelines begin with one."""
_MAX_PAGES, _MAX_SEARCHED = 80, 12
_MAX_SHAPES, _MAX_POINTS = 500, 200
"""Shapes compared of a page, and points compared of a shape."""
_MAX_DRAWN = 8
"""Candidates of a page that are rendered, the largest first."""
_SIDE = 512
"""Pixels of the longer side of a rendered candidate."""
_MENTION = re.compile(
    r"logo|word\s?mark|wortmarke|bildmarke|\bsignet\b|ロゴ|标志|標誌|شعار|लोगो", re.IGNORECASE
)
_MIN_SIDE_POINTS, _MAX_ASPECT = 18.0, 14.0
"""Of the longer side; longer side to shorter."""
_GAP = 0.015
"""Of the page's diagonal: shapes nearer to each other than this are one drawing."""
_FLAT_SHARE, _FLAT_COLORS = 0.85, 8
"""A drawing has this share of its area in so few colours; a photograph has not."""
_LIGHT_INK = 0.6
"""Mean luminance of the ink from which a logo is one for dark grounds."""


@dataclass(frozen=True)
class FoundLogo:
    """A possible logo: a PNG as data URL, its ground and place; whether the page says "logo"."""

    image: str
    role: str
    found: str
    is_named: bool


@dataclass
class _Candidate:
    box: Box
    items: list[PageItem]
    kind: str

    @property
    def area(self) -> float:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


def find_logos(path: Path) -> list[FoundLogo]:
    """Return the possible logos in a PDF, the likeliest first. Raises `PdfUnreadable`."""
    found: dict[str, FoundLogo] = {}
    searched = 0
    with closing(open_pdf(path)) as document:
        name = name_in(title_of(document))
        for index in range(min(len(document), _MAX_PAGES)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue
            is_named = _MENTION.search(text_of(page)) is not None
            if is_named or index < _FIRST_PAGES:
                searched += 1
                for image, role, kind in _logos_of(page, name if is_named else ""):
                    place = f"{kind} on page {index + 1}"
                    found.setdefault(image, FoundLogo(image, role, place, is_named))
            if searched >= _MAX_SEARCHED:
                break
    return sorted(found.values(), key=lambda logo: not logo.is_named)[:MAX_LOGOS]


def _logos_of(page: pypdfium2.PdfPage, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield image, role and kind of what may be logos; without a name, text is none."""
    rotation = page.get_rotation()
    page.set_rotation(0)
    items = items_of(page)
    sheet = page.get_bbox()
    lines = list(wordmarks(page, items, name))
    candidates = [*_images(items, sheet), *_drawings(items, lines, sheet)]
    candidates.sort(key=lambda candidate: -candidate.area)
    for candidate in candidates[:_MAX_DRAWN]:
        image = _rendered(page, items, candidate, sheet)
        if image is None or not _is_drawing(image):
            continue
        image = image.rotate(-rotation, expand=True)
        role = "dark" if _ink_luminance(image) > _LIGHT_INK else "light"
        try:
            yield logo_of(image), role, candidate.kind
        except ImageUnreadable:
            continue


def _images(items: Sequence[PageItem], sheet: Box) -> Iterator[_Candidate]:
    for item in items:
        if item.type == raw.FPDF_PAGEOBJ_IMAGE and _can_be_logo(item.box, sheet):
            yield _Candidate(item.box, [item], "image")


def _drawings(
    items: Sequence[PageItem], lines: Sequence[Sequence[PageItem]], sheet: Box
) -> Iterator[_Candidate]:
    """Return groups of shapes and names that are near each other and are more than rectangles and lines."""
    parts: list[tuple[list[PageItem], Box]] = [
        (list(line), around([item.box for item in line])) for line in lines
    ]
    texts = len(parts)
    for item in items:
        is_shape = item.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM)
        if is_shape and share_of(item.box, sheet) <= MAX_SHARE:
            parts.append(([item], item.box))
        if len(parts) >= _MAX_SHAPES:
            break
    gap = _GAP * math.dist(sheet[:2], sheet[2:])
    for group in _grouped([box for _, box in parts], gap):
        drawn = [index for index in group if index < texts or not _is_rectangle(parts[index][0][0])]
        if not drawn:
            continue
        # The ground that a logo is shown on is no part of it.
        inner = around([parts[index][1] for index in drawn])
        members = [index for index in group if index in drawn or not _contains(parts[index][1], inner)]
        box = around([parts[index][1] for index in members])
        if _can_be_logo(box, sheet):
            kind = "text" if all(index < texts for index in members) else "shapes"
            yield _Candidate(box, [item for index in members for item in parts[index][0]], kind)


def _grouped(boxes: Sequence[Box], gap: float) -> list[list[int]]:
    """Return the indexes of boxes in groups: two are in one if they are nearer than `gap`."""
    group_of = list(range(len(boxes)))

    def find(index: int) -> int:
        while group_of[index] != index:
            group_of[index] = group_of[group_of[index]]
            index = group_of[index]
        return index

    for one, (left, bottom, right, top) in enumerate(boxes):
        for other in range(one + 1, len(boxes)):
            box = boxes[other]
            if (
                box[0] - gap <= right
                and left <= box[2] + gap
                and box[1] - gap <= top
                and bottom <= box[3] + gap
            ):
                group_of[find(other)] = find(one)
    groups: dict[int, list[int]] = {}
    for index in range(len(boxes)):
        groups.setdefault(find(index), []).append(index)
    return list(groups.values())


def _is_rectangle(shape: PageItem) -> bool:
    """Whether a shape is a rectangle or a straight line; a form is, if it has no other shape."""
    item = shape.item
    if item.type == raw.FPDF_PAGEOBJ_FORM:
        return not _has_drawing(item)
    count = raw.FPDFPath_CountSegments(item)
    if count > _MAX_POINTS:
        return False
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(item, index)
        if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_BEZIERTO:
            return False
        if raw.FPDFPathSegment_GetPoint(segment, x, y):
            points.append((round(x.value, 1), round(y.value, 1)))
    return (len({x for x, _ in points}) <= 2 and len({y for _, y in points}) <= 2) or len(set(points)) <= 2


def _has_drawing(form: pypdfium2.PdfObject) -> bool:
    for index in range(min(raw.FPDFFormObj_CountObjects(form), _MAX_SHAPES)):
        inner = raw.FPDFFormObj_GetObject(form, index)
        if raw.FPDFPageObj_GetType(inner) == raw.FPDF_PAGEOBJ_PATH and raw.FPDFPath_CountSegments(inner) > 5:
            return True
    return False


def _can_be_logo(box: Box, sheet: Box) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    shorter, longer = min(width, height), max(width, height)
    return (
        shorter > 4
        and longer >= _MIN_SIDE_POINTS
        and longer <= _MAX_ASPECT * shorter
        and share_of(box, sheet) <= MAX_SHARE
        and box[0] >= sheet[0] - 1
        and box[1] >= sheet[1] - 1
        and box[2] <= sheet[2] + 1
        and box[3] <= sheet[3] + 1
    )


def _rendered(
    page: pypdfium2.PdfPage, items: Sequence[PageItem], candidate: _Candidate, sheet: Box
) -> Image.Image | None:
    """Draw the items of a candidate alone, on a transparent ground."""
    show_only(items, candidate.items)
    left, bottom, right, top = candidate.box
    edges = (left - sheet[0], bottom - sheet[1], sheet[2] - right, sheet[3] - top)
    crop = tuple(max(0.0, edge - 1) for edge in edges)
    scale = min(_SIDE / max(right - left, top - bottom), 16.0)
    try:
        bitmap = page.render(
            scale=scale, crop=crop, fill_color=(0, 0, 0, 0), rev_byteorder=True, draw_annots=False
        )
    except (pypdfium2.PdfiumError, ValueError):
        return None
    image: Image.Image = bitmap.to_pil().convert("RGBA")
    return image


def _is_drawing(image: Image.Image) -> bool:
    """Whether a rendered candidate has few colours, as logos have, and is not one plain area."""
    small = image.resize((min(160, image.width), min(160, image.height)))
    pixels = np.asarray(small)
    solid = pixels[pixels[..., 3] >= 128].astype(np.int32)
    size = small.width * small.height
    if len(solid) < 0.01 * size:
        return False
    bins = np.bincount((solid[:, 0] >> 5 << 6) | (solid[:, 1] >> 5 << 3) | (solid[:, 2] >> 5), minlength=512)
    largest = np.sort(bins)[::-1]
    is_plain = largest[0] > 0.97 * size
    return bool(largest[:_FLAT_COLORS].sum() >= _FLAT_SHARE * len(solid)) and not is_plain


def _ink_luminance(image: Image.Image) -> float:
    """Return the mean luminance, 0 to 1, of what is drawn; 0 for an image without transparent parts."""
    pixels = np.asarray(image, np.float32).reshape(-1, 4) / 255
    solid = pixels[pixels[:, 3] >= 0.5]
    if len(solid) > 0.97 * len(pixels):
        return 0.0
    return float((solid[:, :3] @ np.array([0.2126, 0.7152, 0.0722], np.float32)).mean())


def _contains(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]
