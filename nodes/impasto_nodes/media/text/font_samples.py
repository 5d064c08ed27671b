"""Samples of the bundled fonts: a few letters of each, in its own shapes."""

from __future__ import annotations

import base64
import io
from functools import lru_cache

from impasto_nodes.media.text import fonts

_SIZE, _HEIGHT, _BASELINE, _MARGIN = 48, 72, 52, 2
"""Pixels. All samples have one height and one baseline, so that lists of them are even."""
_LATIN = "Aa Bb Gg 123"
_SCRIPTS = {
    "Heebo": "עברית",
    "Noto Sans Arabic": "العربية",
    "Noto Sans Devanagari": "देवनागरी",
    "Noto Sans Thai": "ไทย",
    "Noto Sans JP": "日本語",
    "Noto Sans KR": "한국어",
    "Noto Sans SC": "简体中文",
}
"""What families of other scripts are chosen for."""


@lru_cache(maxsize=64)
def sample_of(family: str) -> str:
    """Return a PNG of some letters of a family as data URL: black on a transparent ground, one line."""
    from PIL import Image, ImageDraw

    font = fonts.load(family, "regular", _SIZE)
    shown = f"{_SCRIPTS[family]}  Aa 12" if family in _SCRIPTS else _LATIN
    left, _, right, _ = font.getbbox(shown, anchor="ls")
    image = Image.new("LA", (round(right - left) + 2 * _MARGIN, _HEIGHT), (0, 0))
    place = (_MARGIN - left, _BASELINE)
    ImageDraw.Draw(image).text(place, shown, font=font, fill=(0, 255), anchor="ls")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
