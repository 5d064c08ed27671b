"""The items of a PDF page; forms that cover the page are divided into their parts.

Some programs put everything that a page shows into one form: its parts are the page's parts then.
"""

from collections.abc import Sequence

import pypdfium2
from pypdfium2 import raw

Box = tuple[float, float, float, float]
MAX_OBJECTS = 20_000
"""Objects read of a page."""
MAX_SHARE = 0.45
"""Of the page's area: what is larger is no logo."""
_MAX_DEPTH = 6
"""Forms in forms that are taken apart."""


class PageItem:
    """An object of a page, its box on the page, and the forms around it."""

    def __init__(self, item: pypdfium2.PdfObject, box: Box, forms: Sequence[pypdfium2.PdfObject]) -> None:
        self.item = item
        self.box = box
        self.forms = tuple(forms)

    @property
    def type(self) -> int:
        """The kind of object, one of `FPDF_PAGEOBJ_*`."""
        kind: int = self.item.type
        return kind


def items_of(page: pypdfium2.PdfPage) -> list[PageItem]:
    """Return the objects of a page, at most `MAX_OBJECTS`; of a form that covers the page, its objects."""
    found: list[PageItem] = []
    _collect(page, None, (), page.get_bbox(), found)
    return found


def _collect(
    page: pypdfium2.PdfPage,
    form: pypdfium2.PdfObject | None,
    forms: tuple[pypdfium2.PdfObject, ...],
    sheet: Box,
    found: list[PageItem],
) -> None:
    objects = page.get_objects(max_depth=1, form=form)
    while len(found) < MAX_OBJECTS:
        try:
            item = next(objects, None)
            if item is None:
                return
            box = _on_page(item.get_bounds(), forms)
        except pypdfium2.PdfiumError:
            return
        is_sheet = item.type == raw.FPDF_PAGEOBJ_FORM and share_of(box, sheet) > MAX_SHARE
        if is_sheet and len(forms) < _MAX_DEPTH:
            _collect(page, item, (*forms, item), sheet, found)
        else:
            found.append(PageItem(item, box, forms))


def _on_page(box: Box, forms: Sequence[pypdfium2.PdfObject]) -> Box:
    """Return a box of the innermost form as a box of the page."""
    for form in reversed(forms):
        matrix = form.get_matrix()
        corners = [matrix.on_point(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
        box = (
            min(x for x, _ in corners),
            min(y for _, y in corners),
            max(x for x, _ in corners),
            max(y for _, y in corners),
        )
    return box


def show_only(items: Sequence[PageItem], shown: Sequence[PageItem]) -> None:
    """Hide every object of a page but these, and the forms around these."""
    kept = {id(each) for each in shown}
    for each in items:
        raw.FPDFPageObj_SetIsActive(each.item, id(each) in kept)


def share_of(box: Box, sheet: Box) -> float:
    """Return the share of the page's area that a box has."""
    return _area(box) / max(1.0, _area(sheet))


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
