"""The results of a brand check in sentences, with what it could not judge."""

from collections.abc import Mapping
from typing import Any

from impasto_nodes.providers.local.notices import LANGUAGE_NAMES
from impasto_nodes.providers.local.writing.brief import upper_first

NOT_CHECKED = "not checked"
"""The verdict of a report in which no check had anything to look at."""
_TITLES = {
    "palette": "Palette",
    "contrast": "Contrast",
    "logo": "Logo",
    "fonts": "Fonts",
    "words": "Banned words",
    "names": "Other brands' names",
    "tone": "Tone",
}


def summarize(report: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one line for each check of a report: its result, or why nothing was checked."""
    return "\n".join(f"{_TITLES[name]}: {_line(name, part)}" for name, part in report.items())


def checks_of(report: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the title, the verdict (None: not checked) and the reason of each check, for results to show."""
    return [
        {
            "title": _TITLES[name],
            "passed": bool(part["passed"]) if part["checked"] else None,
            "reason": upper_first(_RESULTS[name](part) if part["checked"] else part["why"]),
        }
        for name, part in report.items()
    ]


def verdict(report: Mapping[str, Mapping[str, Any]]) -> bool | str:
    """Return whether every check passed, or `NOT_CHECKED` if no check had anything to look at."""
    results = [part["passed"] for part in report.values() if part["checked"]]
    return all(results) if results else NOT_CHECKED


def _line(name: str, part: Mapping[str, Any]) -> str:
    if not part["checked"]:
        return f"{NOT_CHECKED}. {part['why']}"
    return _RESULTS[name](part)


def _palette(part: Mapping[str, Any]) -> str:
    fit = "fits" if part["passed"] else "does not fit"
    own, foreign, limit = (f"{part[name]:.0%}" for name in ("brand_share", "foreign_share", "foreign_limit"))
    return (
        f"{fit}, {own} of the area is in the brand's colours, {foreign} in others, at most {limit}; on "
        f"average {part['distance']} from the brand's, at most {part['limit']:g}."
    )


def _contrast(part: Mapping[str, Any]) -> str:
    fit = "enough" if part["passed"] else "too low"
    return f"{fit}, {part['ratio']}:1, at least {part['limit']:g}:1."


def _logo(part: Mapping[str, Any]) -> str:
    if not part["present"]:
        return "not found in the image."
    fit = "enough" if part["passed"] else "too little"
    return f"found, with {fit} clear space: {part['clear_space']} of its height, at least {part['limit']:g}."


def _words(part: Mapping[str, Any]) -> str:
    if part["found"]:
        return f"{', '.join(part['found'])}."
    languages = ", ".join(LANGUAGE_NAMES.get(code, code) for code in part["inflections"])
    how = f"in any inflection ({languages})" if languages else "as written"
    return f"none in the text, of {part['looked_for']} looked for {how}."


def _fonts(part: Mapping[str, Any]) -> str:
    if part["foreign"]:
        return f"text is set in {', '.join(part['foreign'])}."
    return f"text is set in {', '.join(part['found'])} alone."


def _names(part: Mapping[str, Any]) -> str:
    if part["found"]:
        return f"{', '.join(part['found'])}."
    return f"none in the text, of {part['looked_for']} looked for."


def _tone(part: Mapping[str, Any]) -> str:
    fit = "fits" if part["passed"] else "does not fit"
    return f"{fit}, says {part['model']}. {part['why']}".strip()


_RESULTS = {
    "palette": _palette,
    "contrast": _contrast,
    "logo": _logo,
    "fonts": _fonts,
    "words": _words,
    "names": _names,
    "tone": _tone,
}
