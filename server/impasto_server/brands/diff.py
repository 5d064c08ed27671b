"""The differences between two versions of a brand, in sentences."""

from collections.abc import Iterator, Sequence
from typing import Any

from impasto_server.brands.schemas import BrandChange, BrandContent

_COLORS = {
    "primary": "Primary colour",
    "background": "Background colour",
    "support": "Support colour",
    "accent": "Accent colour",
    "text": "Text colour",
    "other": "Another colour",
}
_FONTS = {"headline": "Headline font", "text": "Text font"}
_LOGOS = {"light": "Logo for light backgrounds", "dark": "Logo for dark backgrounds"}
_LISTS = {
    "tone": "Tone",
    "dos": "Do",
    "donts": "Don't",
    "banned_words": "Banned word",
    "sample_lines": "Sample line",
    "languages": "Language",
}
_TEXTS = {"name": "Name", "description": "Description", "legal_line": "Legal line"}
_MAX_QUOTED = 60


def changes_between(before: BrandContent, after: BrandContent) -> list[BrandChange]:
    """Return every difference, in the order of the brand's page."""
    return [*_all_changes(before, after)]


def summary_of(changes: Sequence[BrandChange]) -> str:
    """Return the first change as a sentence, with the number of others."""
    if not changes:
        return ""
    more = len(changes) - 1
    first = changes[0].sentence
    return (
        first if not more else f"{first.rstrip('.')}, and {more} more {'change' if more == 1 else 'changes'}."
    )


def _all_changes(before: BrandContent, after: BrandContent) -> Iterator[BrandChange]:
    yield from _text("name", before, after)
    yield from _text("description", before, after)
    yield from _logo(before, after)
    roles = list(_COLORS)
    yield from _by_role(
        "colors",
        _COLORS,
        [(role, [color.hex for color in before.colors if color.role == role]) for role in roles],
        [(role, [color.hex for color in after.colors if color.role == role]) for role in roles],
    )
    yield from _color_names(before, after)
    yield from _by_role(
        "fonts",
        _FONTS,
        [(role, [font.family for font in before.fonts if font.role == role]) for role in _FONTS],
        [(role, [font.family for font in after.fonts if font.role == role]) for role in _FONTS],
    )
    yield from _items("fonts.files", "Font file", *(_font_files(each) for each in (before, after)))
    for name, title in _LISTS.items():
        yield from _items(f"voice.{name}", title, getattr(before.voice, name), getattr(after.voice, name))
    yield from _text("legal_line", before, after)
    if not _same_order(before, after):
        yield _change("colors", "The order of the colours changed.", *_hexes(before, after))


def _text(name: str, before: BrandContent, after: BrandContent) -> Iterator[BrandChange]:
    old, new = getattr(before, name), getattr(after, name)
    if old == new:
        return
    title = _TEXTS[name]
    if not old:
        sentence = f"{title} added: {_quoted(new)}."
    elif not new:
        sentence = f"{title} removed."
    else:
        sentence = f"{title} changed from {_quoted(old)} to {_quoted(new)}."
    yield _change(name, sentence, old, new)


def _logo(before: BrandContent, after: BrandContent) -> Iterator[BrandChange]:
    for name, title in _LOGOS.items():
        old, new = getattr(before.logo, name), getattr(after.logo, name)
        if old != new:
            verb = "removed" if new is None else "added" if old is None else "replaced"
            yield _change(f"logo.{name}", f"{title} {verb}.", old, new)
    old_space, new_space = before.logo.clear_space, after.logo.clear_space
    if old_space != new_space:
        sentence = f"Clear space changed from {old_space:g} to {new_space:g} logo heights."
        yield _change("logo.clear_space", sentence, old_space, new_space)
    old_width, new_width = before.logo.min_width, after.logo.min_width
    if old_width != new_width:
        sentence = f"Least width changed from {old_width} to {new_width} pixels."
        yield _change("logo.min_width", sentence, old_width, new_width)


def _by_role(
    field: str,
    titles: dict[str, str],
    before: Sequence[tuple[str, list[str]]],
    after: Sequence[tuple[str, list[str]]],
) -> Iterator[BrandChange]:
    for (role, old), (_, new) in zip(before, after, strict=True):
        removed = [value for value in old if value not in new]
        added = [value for value in new if value not in old]
        for index in range(max(len(removed), len(added))):
            was = removed[index] if index < len(removed) else None
            now = added[index] if index < len(added) else None
            title = titles[role]
            if was is None:
                sentence = f"{title} {now} added."
            elif now is None:
                sentence = f"{title} {was} removed."
            else:
                sentence = f"{title} changed from {was} to {now}."
            yield _change(f"{field}.{role}", sentence, was, now)


def _color_names(before: BrandContent, after: BrandContent) -> Iterator[BrandChange]:
    old = {(color.role, color.hex): color.name for color in before.colors}
    for color in after.colors:
        was = old.get((color.role, color.hex))
        if was is not None and was != color.name:
            sentence = f"{color.hex} is now called {_quoted(color.name)}."
            if not color.name:
                sentence = f"{color.hex} is no longer called {_quoted(was)}."
            yield _change(f"colors.{color.role}", sentence, was, color.name)


def _items(field: str, title: str, before: Sequence[str], after: Sequence[str]) -> Iterator[BrandChange]:
    for value in before:
        if value not in after:
            yield _change(field, f"{title} {_quoted(value)} removed.", value, None)
    for value in after:
        if value not in before:
            yield _change(field, f"{title} {_quoted(value)} added.", None, value)
    if list(before) != list(after) and sorted(before) == sorted(after):
        yield _change(field, f"The order of {title!r} changed.", list(before), list(after))


def _font_files(content: BrandContent) -> list[str]:
    return [f"{file.family} {file.weight}{' italic' if file.italic else ''}" for file in content.font_files]


def _same_order(before: BrandContent, after: BrandContent) -> bool:
    old, new = _hexes(before, after)
    return sorted(old) != sorted(new) or old == new


def _hexes(before: BrandContent, after: BrandContent) -> tuple[list[str], list[str]]:
    return [color.hex for color in before.colors], [color.hex for color in after.colors]


def _quoted(value: str) -> str:
    return f"'{value}'" if len(value) <= _MAX_QUOTED else f"'{value[:_MAX_QUOTED].rstrip()}…'"


def _change(field: str, sentence: str, before: Any, after: Any) -> BrandChange:
    return BrandChange(field=field, sentence=sentence, before=before, after=after)
