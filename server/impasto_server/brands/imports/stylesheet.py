"""Colours and fonts in the CSS of a website, ranked by use.

Runs in a worker process: the text is untrusted.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import tinycss2
from tinycss2 import color4

from impasto_server.brands.imports.colors import FoundColor, from_oklab, hex_of
from impasto_server.brands.imports.page import Page

MAX_FONTS = 6
_MAX_DEPTH = 8
_MAX_FOLLOWED = 5
_UNMATCHED = 0.05
"""Weight of a rule whose selector matches nothing on the page: most of a framework's CSS."""
_MIN_USE = 0.5
_WEIGHTS = {"background-color": 3.0, "background": 3.0, "color": 2.0, "fill": 1.0, "border-color": 0.5}
_COLOR_NAMES = re.compile(r"color|background|fill|stroke|border|outline|shadow|gradient")
_SIMPLE = re.compile(r"[.#]?-?[A-Za-z_][\w-]*")
_PSEUDO = re.compile(r"::?[\w-]+(\([^()]*\))?|\[[^\]]*\]")
_TELLING = re.compile(r"primary|brand|accent|secondary|highlight", re.IGNORECASE)
_GROUND = frozenset(("html", "body", ":root"))
_SYSTEM = frozenset(("system-ui", "-apple-system", "blinkmacsystemfont", "ui-sans-serif", "ui-serif"))
_NO_FONT = frozenset(
    ("inherit", "initial", "unset", "revert", "serif", "sans-serif", "monospace", "cursive", "fantasy")
)
_ICONS = re.compile(r"icon|awesome|glyph|symbols|swiper|slick", re.IGNORECASE)
_HEADINGS = re.compile(r"(^|[\s,>+~])h[1-3]\b|title|headline|heading|display", re.IGNORECASE)


class Styles:
    """Reads stylesheets one after the other; `colors` and `fonts` return what was found in all."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._variables: dict[str, tuple[list[Any], str]] = {}
        self._uses: Counter[str] = Counter()
        self._weights: defaultdict[str, float] = defaultdict(float)
        self._places: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._roles: dict[str, str] = {}
        self._fonts: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._font_places: dict[str, str] = {}
        self._pending: list[tuple[str, list[Any], str, str, float]] = []

    def read(self, css: str, place: str) -> None:
        """Read a stylesheet. `place` says where it was."""
        rules = tinycss2.parse_stylesheet(css)
        self._read_rules(rules, place, 0)

    def read_inline(self, declarations: str) -> None:
        """Read the `style` attribute of an element."""
        self._read_declarations(declarations, "", "styles in the page", 1.0)

    def finish(self) -> None:
        """Resolve the custom properties, whichever stylesheet they are in."""
        for name, value, selector, place, weight in self._pending:
            if name in ("font-family", "font"):
                self._add_font(name, self._resolved(value), selector, place, weight)
            elif _COLOR_NAMES.search(name):
                self._add_colors(name, value, selector, place, weight)
        for name, (value, place) in self._variables.items():
            if _TELLING.search(name):
                for color in _colors_in(self._resolved(value)):
                    self._note(color, 2.0, f"{name} in {place}", name)

    def colors(self) -> list[FoundColor]:
        """Return the colours with their use. Those of rules that match nothing stand in for none only."""
        used = {color: weight for color, weight in self._weights.items() if weight >= _MIN_USE}
        return [
            FoundColor(
                color, weight, self._place_of(color), self._names.get(color, ""), self._roles.get(color, "")
            )
            for color, weight in (used or self._weights).items()
        ]

    def fonts(self) -> list[tuple[str, str, str]]:
        """Return family, role and place of the most used fonts, for each role the most used first."""
        ranking = sorted(self._fonts, key=lambda each: (each[0] == "", -self._fonts[each]))
        chosen: dict[str, tuple[str, str, str]] = {}
        for role, family in ranking:
            used = {each[1] for each in chosen.values()}
            free = next((each for each in ("headline", "text") if each not in used), "text")
            chosen.setdefault(family.casefold(), (family, role or free, self._font_places[family]))
        return list(chosen.values())[:MAX_FONTS]

    def _read_rules(self, rules: Sequence[Any], place: str, depth: int) -> None:
        for rule in rules:
            if rule.type == "at-rule" and rule.content is not None and depth < _MAX_DEPTH:
                if rule.lower_at_keyword == "font-face":
                    self._read_declarations(rule.content, "@font-face", place, 0.5)
                elif rule.lower_at_keyword in ("media", "supports", "layer", "container"):
                    inner = tinycss2.parse_rule_list(rule.content)
                    self._read_rules(inner, place, depth + 1)
            elif rule.type == "qualified-rule":
                selector = tinycss2.serialize(rule.prelude[:400])
                self._read_declarations(rule.content, selector, place, self._share(selector))

    def _read_declarations(self, source: Any, selector: str, place: str, weight: float) -> None:
        found = tinycss2.parse_blocks_contents(source)
        for item in found:
            if item.type != "declaration":
                continue
            if item.name.startswith("--"):
                self._variables[item.name] = (item.value, place)
            else:
                self._pending.append((item.lower_name, item.value, selector, place, weight))

    def _share(self, selector: str) -> float:
        """Return the weight of a rule: less if none of its selectors can match an element of the page."""
        for each in selector.split(","):
            names = _SIMPLE.findall(_PSEUDO.sub(" ", each))
            if all(name in self._page.names or name.lower() in self._page.names for name in names):
                return 1.0
        return _UNMATCHED

    def _add_colors(self, name: str, value: list[Any], selector: str, place: str, weight: float) -> None:
        parts = {part.strip().lower() for part in selector.split(",")}
        role = ""
        if parts & _GROUND and weight == 1.0:
            role = {"background": "background", "background-color": "background", "color": "text"}.get(
                name, ""
            )
        for color in _colors_in(self._resolved(value)):
            self._note(color, weight * _WEIGHTS.get(name, 0.5) * (5 if role else 1), place, "")
            if role and role not in self._roles.values():
                self._roles[color] = role
        for variable in _variables_in(value):
            for color in _colors_in(self._resolved(self._variables.get(variable, ([], ""))[0])):
                self._names.setdefault(color, variable)

    def _note(self, color: str, weight: float, place: str, name: str) -> None:
        self._weights[color] += weight
        self._uses[color] += 1
        self._places.setdefault(color, place)
        if name:
            self._names[color] = name

    def _place_of(self, color: str) -> str:
        uses, place = self._uses[color], self._places[color]
        name = self._names.get(color, "")
        called = f", called {name}" if name and name not in place else ""
        return f"{place}, {uses} {'use' if uses == 1 else 'uses'}{called}"

    def _add_font(self, name: str, value: Sequence[Any], selector: str, place: str, weight: float) -> None:
        family = _family_in(name, value)
        if not family:
            return
        parts = {part.strip().lower() for part in selector.split(",")}
        role = "text" if parts & (_GROUND | {"p"}) else "headline" if _HEADINGS.search(selector) else ""
        self._fonts[role, family] += weight
        self._font_places.setdefault(family, place)

    def _resolved(self, value: Sequence[Any]) -> list[Any]:
        """Return a value with custom properties replaced, a few levels deep."""
        for _ in range(_MAX_FOLLOWED):
            if not any(True for _ in _variables_in(value)):
                break
            value = [item for token in value for item in self._replaced(token)][:500]
        return list(value)

    def _replaced(self, token: Any) -> list[Any]:
        if token.type == "function" and token.lower_name == "var":
            known = self._variables.get(_variable_of(token))
            if known:
                return known[0][:100]
            commas = [at for at, item in enumerate(token.arguments) if item == ","]
            return list(token.arguments[commas[0] + 1 :]) if commas else []
        return [token]


def color_in(text: str) -> str | None:
    """Return a CSS colour in hex notation, or None for anything else."""
    return _hex(text)


def _hex(source: Any) -> str | None:
    try:
        color = color4.parse_color(source)
    except ValueError:  # it does not expect `color()` without a space
        return None
    if color is None or color == "currentcolor" or color.alpha < 0.5:
        return None
    first, second, third = (0.0 if part is None else float(part) for part in color.coordinates)
    if not all(map(math.isfinite, (first, second, third))):
        return None
    try:
        if color.space == "oklab":
            return from_oklab(first, second, third)
        if color.space == "oklch":
            turn = math.radians(third)
            return from_oklab(first, second * math.cos(turn), second * math.sin(turn))
        return hex_of(*color.to("srgb").coordinates)
    except (NotImplementedError, OverflowError):  # spaces that sRGB cannot represent, and huge numbers
        return None


def _colors_in(tokens: Sequence[Any], depth: int = 0) -> Iterator[str]:
    for token in tokens:
        if token.type in ("ident", "hash", "function"):
            found = _hex(token)
            if found:
                yield found
            elif token.type == "function" and depth < _MAX_DEPTH:
                yield from _colors_in(token.arguments, depth + 1)


def _variables_in(tokens: Sequence[Any]) -> Iterator[str]:
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            yield _variable_of(token)


def _variable_of(function: Any) -> str:
    """Return the name of the custom property that a `var` stands for; empty if it has none."""
    return next((item.value for item in function.arguments if item.type == "ident"), "")


def _family_in(name: str, tokens: Sequence[Any]) -> str:
    """Return the first family of a `font-family` or `font`; empty for the fonts of the system."""
    words: list[str] = []
    for token in tokens:
        if token.type == "string":
            words = [token.value]
            break
        if token.type == "literal" and token.value == ",":  # a "/" comes before the line height
            break
        if token.type == "ident" and (name == "font-family" or words or token.value[:1].isupper()):
            words.append(token.value)
    family = " ".join(words).strip()[:80]
    if family.lower() in _SYSTEM | _NO_FONT or _ICONS.search(family) or not family:
        return ""
    return family
