"""Logos in a PDF: embedded images with few colours, and shapes that are drawn close together.

Runs in a worker process: the file is untrusted.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image
from pypdfium2 import raw

from impasto_server.brands.imports.image import ImageUnreadable, logo_of
from impasto_server.brands.imports.pdf import open_pdf, text_of

MAX_LOGOS = 6
_FIRST_PAGES = 3
"""Pages that are searched whether or not they mention a logo: guidelines begin with one."""
_MAX_PAGES, _MAX_SEARCHED = 80, 12
_MAX_OBJECTS, _MAX_SHAPES, _MAX_POINTS = 20_000, 500, 200
"""Objects read and shapes compared of a page, and points compared of a shape."""
_MAX_DRAWN = 8
"""Candidates of a page that are rendered, the largest first."""
_SIDE = 512
"""Pixels of the longer side of a rendered candidate."""
_MENTION = re.compile(
    r"logo|word\s?mark|wortmarke|bildmarke|\bsignet\b|ロゴ|标志|標誌|شعار|लोगो", re.IGNORECASE
)
_LARGEST_SHARE, _SMALLEST_POINTS, _MAX_ASPECT = 0.45, 18.0, 14.0
"""Of the page's area; of the longer side; longer side to shorter."""
_GAP = 0.015
"""Of the page's diagonal: shapes nearer to each other than this are one drawing."""
_FLAT_SHARE, _FLAT_COLORS = 0.85, 8
"""A drawing has this share of its area in so few colours; a photograph has not."""
_LIGHT_INK = 0.6
"""Mean luminance of the ink from which a logo is one for dark grounds."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class FoundLogo:
    """What may be a logo: a PNG as data URL, the ground it is for, place; whether the page says "logo"."""

    image: str
    role: str
    found: str
    is_named: bool


@dataclass
class _Candidate:
    box: Box
    items: list[pypdfium2.PdfObject]
    is_image: bool

    @property
    def area(self) -> float:
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


def find_logos(path: Path) -> list[FoundLogo]:
    """Return what may be logos in a PDF, the likeliest first. Raises `PdfUnreadable`."""
    document = open_pdf(path)
    found: dict[str, FoundLogo] = {}
    searched = 0
    try:
        for index in range(min(len(document), _MAX_PAGES)):
            try:
                page = document[index]
            except pypdfium2.PdfiumError:
                continue
            is_named = _MENTION.search(text_of(page)) is not None
            if is_named or index < _FIRST_PAGES:
                searched += 1
                for image, role, kind in _logos_of(page):
                    place = f"{kind} on page {index + 1}"
                    found.setdefault(image, FoundLogo(image, role, place, is_named))
            page.close()
            if searched >= _MAX_SEARCHED:
                break
    finally:
        document.close()
    return sorted(found.values(), key=lambda logo: not logo.is_named)[:MAX_LOGOS]


def _logos_of(page: pypdfium2.PdfPage) -> Iterator[tuple[str, str, str]]:
    items = _items(page)
    size = page.get_size()
    candidates = [*_images(items, size), *_drawings(items, size)]
    candidates.sort(key=lambda candidate: -candidate.area)
    for candidate in candidates[:_MAX_DRAWN]:
        picture = _rendered(page, items, candidate)
        if picture is None or not _is_drawing(picture):
            continue
        role = "dark" if _ink_luminance(picture) > _LIGHT_INK else "light"
        try:
            yield logo_of(picture), role, "image" if candidate.is_image else "shapes"
        except ImageUnreadable:
            continue


def _items(page: pypdfium2.PdfPage) -> list[pypdfium2.PdfObject]:
    items = []
    try:
        for item in page.get_objects(max_depth=1):
            items.append(item)
            if len(items) >= _MAX_OBJECTS:
                break
    except pypdfium2.PdfiumError:
        pass
    return items


def _images(items: Sequence[pypdfium2.PdfObject], size: tuple[float, float]) -> Iterator[_Candidate]:
    for item in items:
        if item.type == raw.FPDF_PAGEOBJ_IMAGE and _can_be_logo(box := item.get_bounds(), size):
            yield _Candidate(box, [item], is_image=True)


def _drawings(items: Sequence[pypdfium2.PdfObject], size: tuple[float, float]) -> Iterator[_Candidate]:
    """Return groups of shapes that are near each other and are more than rectangles and lines."""
    shapes = []
    for item in items:
        if item.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
            box = item.get_bounds()
            if _share(box, size) <= _LARGEST_SHARE:
                shapes.append((item, box))
        if len(shapes) >= _MAX_SHAPES:
            break
    gap = _GAP * (size[0] ** 2 + size[1] ** 2) ** 0.5
    for group in _grouped([box for _, box in shapes], gap):
        members = [shapes[index] for index in group]
        curved = [(item, box) for item, box in members if not _is_rectangle(item, box)]
        if not curved:
            continue
        # The ground that a logo is shown on is no part of it.
        inner = _around([box for _, box in curved])
        members = [each for each in members if each in curved or not _contains(each[1], inner)]
        box = _around([box for _, box in members])
        if _can_be_logo(box, size):
            yield _Candidate(box, [item for item, _ in members], is_image=False)


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


def _is_rectangle(item: pypdfium2.PdfObject, box: Box) -> bool:
    """Whether a shape is a rectangle or a straight line; a form is, if it has no other shape."""
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


def _can_be_logo(box: Box, size: tuple[float, float]) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    shorter, longer = min(width, height), max(width, height)
    return (
        shorter > 4
        and longer >= _SMALLEST_POINTS
        and longer <= _MAX_ASPECT * shorter
        and _share(box, size) <= _LARGEST_SHARE
        and box[0] >= -1
        and box[1] >= -1
        and box[2] <= size[0] + 1
        and box[3] <= size[1] + 1
    )


def _rendered(
    page: pypdfium2.PdfPage, items: Sequence[pypdfium2.PdfObject], candidate: _Candidate
) -> Image.Image | None:
    """Draw the items of a candidate alone, on a transparent ground."""
    shown = {id(item) for item in candidate.items}
    for item in items:
        raw.FPDFPageObj_SetIsActive(item, id(item) in shown)
    width, height = page.get_size()
    left, bottom, right, top = candidate.box
    crop = (max(0.0, left - 1), max(0.0, bottom - 1), max(0.0, width - right - 1), max(0.0, height - top - 1))
    scale = min(_SIDE / max(right - left, top - bottom), 16.0)
    try:
        bitmap = page.render(
            scale=scale, crop=crop, fill_color=(0, 0, 0, 0), rev_byteorder=True, draw_annots=False
        )
    except (pypdfium2.PdfiumError, ValueError):
        return None
    picture: Image.Image = bitmap.to_pil().convert("RGBA")
    bitmap.close()
    return picture


def _is_drawing(picture: Image.Image) -> bool:
    """Whether a rendered candidate has few colours, as logos have, and is not one plain area."""
    small = picture.resize((min(160, picture.width), min(160, picture.height)))
    pixels = np.asarray(small).reshape(-1, 4)
    solid = pixels[pixels[:, 3] >= 128][:, :3].astype(np.int32)
    if len(solid) < 0.01 * len(pixels):
        return False
    bins = np.bincount((solid[:, 0] >> 5 << 6) | (solid[:, 1] >> 5 << 3) | (solid[:, 2] >> 5), minlength=512)
    largest = np.sort(bins)[::-1]
    is_plain = largest[0] > 0.97 * len(pixels)
    return bool(largest[:_FLAT_COLORS].sum() >= _FLAT_SHARE * len(solid)) and not is_plain


def _ink_luminance(picture: Image.Image) -> float:
    """Return the mean luminance, 0 to 1, of what is drawn; 0 for an image without transparent parts."""
    pixels = np.asarray(picture, np.float32).reshape(-1, 4) / 255
    solid = pixels[pixels[:, 3] >= 0.5]
    if len(solid) > 0.97 * len(pixels):
        return 0.0
    return float((solid[:, :3] @ np.array([0.2126, 0.7152, 0.0722], np.float32)).mean())


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _contains(outer: Box, inner: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def _share(box: Box, size: tuple[float, float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1]) / max(1.0, size[0] * size[1])
