"""Structured results as texts to read, by what they are. The editor copies them in the same form."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Row = Mapping[str, Any]


def text_of_meaning(meaning: str | None, value: Row) -> str | None:
    """Return a result as a text by its declared meaning, or None if it does not have that form."""
    write = _WRITERS.get(meaning or "")
    return (write(value) or None) if write else None


def _post(value: Row) -> str:
    text = _text(value, "caption") or _text(value, "text")
    return _parts(text, " ".join(_texts(value, "hashtags"))) if text else ""


def _ad(value: Row) -> str:
    headline = _text(value, "headline")
    return _parts(headline, _text(value, "body"), _text(value, "call_to_action")) if headline else ""


def _hashtags(value: Row) -> str:
    return " ".join(dict.fromkeys(_texts(value, "hashtags")))


def _shot_list(value: Row) -> str:
    shots = [_shot(number, shot) for number, shot in enumerate(_rows(value, "shots"), start=1)]
    return _parts(_text(value, "title"), "\n".join(shots)) if shots else ""


def _shot(number: int, shot: Row) -> str:
    seconds = shot.get("seconds")
    length = f"{seconds:g} s" if isinstance(seconds, int | float) else ""
    known = (_text(shot, "scene"), _text(shot, "motion"))
    others = (_text(shot, name) for name in shot if name not in ("scene", "motion", "seconds"))
    return f"{number}. {' · '.join(filter(None, (*known, *others, length)))}"


def _brand_check(value: Row) -> str:
    lines = (f"{_text(check, 'title')}: {_text(check, 'reason')}" for check in _rows(value, "checks"))
    return "\n".join(lines)


_WRITERS: dict[str, Callable[[Row], str]] = {
    "post": _post,
    "ad": _ad,
    "hashtags": _hashtags,
    "shot_list": _shot_list,
    "brand_check": _brand_check,
}


def _text(value: Row, name: str) -> str:
    found = value.get(name)
    return found.strip() if isinstance(found, str) else ""


def _texts(value: Row, name: str) -> Iterator[str]:
    items = value.get(name)
    return (item for item in items if isinstance(item, str)) if isinstance(items, list) else iter(())


def _rows(value: Row, name: str) -> list[Row]:
    items = value.get(name)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _parts(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
