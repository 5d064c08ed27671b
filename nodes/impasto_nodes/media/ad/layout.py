"""The layout of an ad: each format is composed on its own, with every text inside its safe area."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from impasto_nodes.media.ad.format import Box, Format
from impasto_nodes.media.text import fonts, typeset
from impasto_nodes.media.text.typeset import Block, Face

Design: TypeAlias = Literal["split", "card", "arch", "base"]
DESIGNS: tuple[Design, ...] = ("split", "card", "arch", "base")
_MIN_SIZE = 9
_APART = 0.035
"""Between the words and what stands below them, as a share of the unit."""
_OFFER_SHARE = 0.8
"""The size of the offer by that of the headline, at most."""
_CROPPED = 0.82
"""The share of an image's width that a card shows at least."""


@dataclass(frozen=True, slots=True)
class AdTexts:
    """The texts of an ad. Empty ones are left out.

    `sign_ratio` is the width of the signature by its height, `sign_space` the room around it in its heights.
    """

    headline: str
    offer: str = ""
    call: str = ""
    legal: str = ""
    sign_ratio: float = 0.0
    sign_space: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A block of type and the box that it fills."""

    block: Block
    box: Box


@dataclass(frozen=True, slots=True)
class AdLayout:
    """The boxes of all parts of an ad. `panel` has the words, `button` the call to action."""

    format: Format
    design: Design
    image: Box
    panel: Box
    headline: Line
    offer: Line | None = None
    call: Line | None = None
    button: Box | None = None
    legal: Line | None = None
    sign: Box | None = None
    is_side_by_side: bool = False
    is_from_the_right: bool = False

    @property
    def boxes(self) -> dict[str, Box]:
        """The boxes of all that must not be covered, by name."""
        lines = {"headline": self.headline, "offer": self.offer, "legal": self.legal}
        found = {name: line.box for name, line in lines.items() if line is not None}
        others = {"image": self.image, "button": self.button, "sign": self.sign}
        return found | {name: box for name, box in others.items() if box is not None}


def lay_out(
    texts: AdTexts, page: Format, design: Design, family: str, weight: str = "black", image_ratio: float = 1.0
) -> AdLayout:
    """Compose one format: the image on its part of the page, the words on the other, inside the safe area.

    `image_ratio` is the width of the image by its height. Where a text is cut, the legal line is left out,
    then the offer, as far as fewer texts are cut then.
    """
    mirrored = fonts.is_right_to_left(texts.headline)
    beside = page.is_side_by_side(image_ratio) and not page.is_strip
    image, panel = _parts(page, design, beside=beside, mirrored=mirrored)
    if beside and design in {"card", "arch"}:
        image = _near_ratio(image, image_ratio, at_foot=design == "arch")
    pad = round(page.unit * (0.1 if page.is_strip else 0.065))
    safe = page.safe_box.inset(max(2, round(page.unit * 0.02)))
    area = panel.inset(pad).within(safe)
    empty = AdLayout(page, design, image, panel, _EMPTY, is_side_by_side=beside, is_from_the_right=mirrored)
    place = _row if page.is_strip else _column
    best = place(texts, empty, area, family, weight)
    for said in (replace(texts, legal=""), replace(texts, offer="", legal="")):
        if not _cut_texts(best):
            break
        best = min(best, place(said, empty, area, family, weight), key=_cut_texts)
    return best


def _near_ratio(box: Box, ratio: float, *, at_foot: bool) -> Box:
    """Return the box, less high where an image of this ratio would lose much of its sides."""
    high = min(box.height, round(box.width / (ratio * _CROPPED)))
    top = box.bottom - high if at_foot else box.top + (box.height - high) // 2
    return Box(box.left, top, box.right, top + high)


def _cut_texts(layout: AdLayout) -> int:
    lines = (layout.headline, layout.offer, layout.call)
    ends = [line.block.lines[-1] for line in lines if line is not None and line.block.lines]
    return sum(end.endswith("…") for end in ends)


_EMPTY = Line(Block((), Face(), 1, 0, 0), Box(0, 0, 0, 0))


def _parts(page: Format, design: Design, *, beside: bool, mirrored: bool) -> tuple[Box, Box]:
    """Return the boxes of the image and of the words."""
    width, height, safe = page.width, page.height, page.safe_box
    if page.is_strip:
        across = round(min(width * 0.3, height * 1.6))
        edge = width - across if mirrored else across
        left, right = Box(0, 0, edge, height), Box(edge, 0, width, height)
        return (right, left) if mirrored else (left, right)
    margin = round(page.unit * 0.065)
    has_margin = design in {"card", "arch"}
    if beside:
        share = {"split": 0.46, "card": 0.44, "arch": 0.46, "base": 0.44}[design]
        is_left = (design in {"split", "base"}) != mirrored
        edge = round(width * (share if is_left else 1 - share))
        left, right = Box(0, 0, edge, height), Box(edge, 0, width, height)
        image, panel = (left, right) if is_left else (right, left)
        if has_margin:
            top, foot = max(margin, safe.top), min(height - margin, safe.bottom)
            inner = 0 if design == "card" else margin // 2
            sides = (margin, -inner) if is_left else (inner, -margin)
            bottom = height if design == "arch" else foot
            image = Box(image.left + sides[0], top, image.right + sides[1], bottom)
        return image, panel
    share = {"split": 0.56, "card": 0.52, "arch": 0.5, "base": 0.54}[design]
    if design in {"arch", "base"}:  # the words above the image
        edge = safe.top + round(safe.height * (1 - share))
        image, panel = Box(0, edge, width, height), Box(0, 0, width, edge)
    else:
        edge = safe.top + round(safe.height * share)
        image, panel = Box(0, 0, width, edge), Box(0, edge, width, height)
    if design == "card":
        image = Box(margin, max(safe.top, margin), width - margin, edge)
    elif design == "arch":
        image = Box(margin * 2, edge + margin // 2, width - margin * 2, height)
    return image, panel


def _column(texts: AdTexts, layout: AdLayout, area: Box, family: str, weight: str) -> AdLayout:
    """Stack the words: headline and offer from the top, call to action and signature at the foot."""
    page = layout.format
    unit = min(page.unit, round(area.width * 2.4))
    smallest = max(_MIN_SIZE, round(page.unit * 0.026))
    legal = _line(
        texts.legal,
        Face("Manrope", "regular", 0.0, 1.25),
        area.width,
        round(unit * 0.06),
        round(unit * 0.019),
        8,
    )
    space = round(_sign_size(texts, area, unit)[1] * texts.sign_space)
    foot = area.bottom - (legal.height + max(round(unit * 0.02), space) if legal else 0)
    call, button, sign, top_of_foot = _foot(texts, layout, area, foot, unit, family)
    room = top_of_foot - area.top - (round(unit * _APART) if call or sign else 0)
    gap = round(unit * (0.05 if fonts.joins(texts.headline) else 0.03)) if texts.offer else 0
    largest = round(unit * (0.088 if layout.is_side_by_side else 0.13))
    face = Face(family, weight, -0.025, 1.04)

    def fitted(offer_size: int) -> tuple[Block, Block | None]:
        plain = Face("Manrope", "regular", -0.005, 1.28)
        offer = _line(texts.offer, plain, area.width, round(room * 0.34), offer_size, smallest)
        left = room - gap - (offer.height if offer else 0)
        head = _line(texts.headline, face, area.width, left, largest, smallest)
        assert head is not None
        return head, offer

    head, offer = fitted(round(unit * 0.044))
    if offer and offer.size > head.size * _OFFER_SHARE:  # a long word limits the size of the headline
        head, offer = fitted(round(head.size * _OFFER_SHARE))
    used = head.height + gap + (offer.height if offer else 0)
    top = area.top + max(0, min((room - used) // 2, round(unit * 0.09)))
    mirrored = layout.is_from_the_right
    return replace(
        layout,
        headline=_placed(head, area, top, mirrored=mirrored),
        offer=_placed(offer, area, top + head.height + gap, mirrored=mirrored) if offer else None,
        call=call,
        button=button,
        sign=sign,
        legal=_placed(legal, area, area.bottom - legal.height, mirrored=mirrored) if legal else None,
    )


def _foot(
    texts: AdTexts, layout: AdLayout, area: Box, foot: int, unit: int, family: str
) -> tuple[Line | None, Box | None, Box | None, int]:
    """Return call to action, button, signature and where they begin; side by side if they fit."""
    mirrored = layout.is_from_the_right
    size = max(_MIN_SIZE, round(unit * 0.038))
    sign_wide, sign_high = _sign_size(texts, area, unit)
    space = round(sign_high * texts.sign_space)
    across, down = round(size * 1.1), round(size * 0.72)
    call, button, top = None, None, foot
    clear = round(unit * 0.04)
    bold, room = Face(family, "bold", 0.0, 1.1), area.width - 2 * across
    block = _line(texts.call, bold, room, round(size * 2.4), size, _MIN_SIZE)
    if block and len(block.lines) > 1:
        single = _line(texts.call, bold, room, round(size * 1.3), size, max(_MIN_SIZE, round(size * 0.75)))
        block = single if single and len(single.lines) == 1 and single.width <= room else block
    if block:
        high, wide = block.height + 2 * down, block.width + 2 * across
        beside = wide + max(clear, space) + sign_wide <= area.width
        button_bottom = foot if beside or not sign_high else foot - sign_high - max(clear // 2, space)
        left = area.right - wide if mirrored else area.left
        button = Box(left, button_bottom - high, left + wide, button_bottom)
        call = Line(
            block,
            Box(
                left + across,
                button.top + down,
                left + across + block.width,
                button.top + down + block.height,
            ),
        )
        top = button.top
    sign = None
    if sign_high:
        beside = button is not None and button.bottom == foot
        middle = (button.top + button.bottom) // 2 if button is not None and beside else foot - sign_high // 2
        at_right = beside != mirrored if button is not None else mirrored
        left = area.right - sign_wide if at_right else area.left
        sign = Box(left, middle - sign_high // 2, left + sign_wide, middle - sign_high // 2 + sign_high)
        top = min(top, sign.top - max(0, space - round(unit * _APART)))
    return call, button, sign, top


def _sign_size(texts: AdTexts, area: Box, unit: int) -> tuple[int, int]:
    """Return width and height of the signature, whose clear space is at most the margin of the words."""
    if not texts.sign_ratio:
        return 0, 0
    high = max(10, round(unit * min(0.055, 0.065 / max(1.0, texts.sign_space))))
    wide = round(high * texts.sign_ratio)
    if wide > area.width * 0.45:
        wide = round(area.width * 0.45)
        high = max(6, round(wide / texts.sign_ratio))
    return wide, high


def _row(texts: AdTexts, layout: AdLayout, area: Box, family: str, weight: str) -> AdLayout:
    """Set everything in one row: the words, then the call to action and the signature at the end."""
    mirrored, high = layout.is_from_the_right, area.height
    size = max(_MIN_SIZE, min(round(high * 0.2), round(area.width * 0.03)))
    gap = round(layout.format.height * 0.16)
    edge, call, button, sign = area.right, None, None, None
    block = _line(
        texts.call,
        Face(family, "bold", 0.0, 1.05),
        round(area.width * 0.3),
        round(size * 2.3),
        size,
        _MIN_SIZE,
    )
    if block:
        wide, tall = block.width + 2 * size, min(high, block.height + round(size * 1.3))
        top = area.top + (high - tall) // 2
        button = Box(edge - wide, top, edge, top + tall)
        inner = top + (tall - block.height) // 2
        call = Line(
            block, Box(edge - wide + size, inner, edge - wide + size + block.width, inner + block.height)
        )
        edge -= wide + gap
    if texts.sign_ratio and area.width > high * 4:
        wide = min(round(high * 0.36 * texts.sign_ratio), round(area.width * 0.16))
        tall = max(6, round(wide / texts.sign_ratio))
        top = area.top + (high - tall) // 2
        apart = max(gap, round(tall * texts.sign_space))
        right = edge - (apart - gap if block else 0)
        sign = Box(right - wide, top, right, top + tall)
        edge = sign.left - apart
    room = edge - area.left
    small = Face("Manrope", "regular", 0.0, 1.2)
    offer = (
        _line(texts.offer, small, room, round(high * 0.3), round(high * 0.16), _MIN_SIZE)
        if high >= 120
        else None
    )
    space = round(high * 0.08) if offer else 0
    face = Face(family, weight, -0.02, 1.04)
    head = _line(
        texts.headline,
        face,
        room,
        high - space - (offer.height if offer else 0),
        round(high * 0.44),
        _MIN_SIZE,
    )
    assert head is not None
    top = area.top + (high - head.height - space - (offer.height if offer else 0)) // 2
    words = Box(area.left, area.top, edge, area.bottom)
    found = replace(
        layout,
        headline=_placed(head, words, top, mirrored=False),
        offer=_placed(offer, words, top + head.height + space, mirrored=False) if offer else None,
        call=call,
        button=button,
        sign=sign,
    )
    return _flipped(found, area) if mirrored else found


def _flipped(layout: AdLayout, area: Box) -> AdLayout:
    """Return the row mirrored, for text that is read from right to left."""

    def flip(box: Box) -> Box:
        return Box(area.left + area.right - box.right, box.top, area.left + area.right - box.left, box.bottom)

    def line(one: Line | None) -> Line | None:
        return None if one is None else Line(one.block, flip(one.box))

    return replace(
        layout,
        headline=Line(layout.headline.block, flip(layout.headline.box)),
        offer=line(layout.offer),
        call=line(layout.call),
        button=flip(layout.button) if layout.button else None,
        sign=flip(layout.sign) if layout.sign else None,
    )


def _line(text: str, face: Face, width: int, height: int, largest: int, smallest: int) -> Block | None:
    """Fit a text into a room; None without a text."""
    room = (width, max(8, height))
    return typeset.fit(text, face, room, largest=largest, smallest=smallest) if text else None


def _placed(block: Block, area: Box, top: int, *, mirrored: bool) -> Line:
    left = area.right - block.width if mirrored else area.left
    return Line(block, Box(left, top, left + block.width, top + block.height))
