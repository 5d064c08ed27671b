"""Text templates: `{{name}}` and `{{name|default}}` placeholders, parsed in linear time."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_PATH = re.compile(r"[A-Za-z_][\w.]*")
# Braces that are part of no placeholder. Unicode reserves these noncharacters for use inside a program.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One `{{path}}` or `{{path|default}}`. `source` is its text in the template."""

    path: str
    default: str | None
    source: str

    @property
    def is_name(self) -> bool:
        """Whether the path is a single name, not a way into data (`data.shots.0`)."""
        return "." not in self.path


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: literal text and placeholders, in the order of the text.

    A path is a letter or underscore, then word characters and dots. A default holds no braces. What
    looks like a placeholder but is none stays literal text.
    """

    parts: tuple[str | Placeholder, ...]

    @classmethod
    def parse(cls, text: str) -> "Template":
        """Parse the text once from left to right, in time linear in its length. Never raises."""
        parts: list[str | Placeholder] = []
        literal = position = 0
        while (end := text.find("}}", position)) >= 0:
            # The last opening before the end: a placeholder holds no braces.
            begin = text.rfind("{{", position, end)
            found = _placeholder(text[begin : end + 2]) if begin >= 0 else None
            if found is not None:
                if begin > literal:
                    parts.append(_shown(text[literal:begin]))
                parts.append(found)
                literal = end + 2
            position = end + 2
        if literal < len(text):
            parts.append(_shown(text[literal:]))
        return cls(tuple(parts))

    @staticmethod
    def literal(text: str) -> str:
        """Return a text that `parse` reads as `text`, whatever it holds, inside any template."""
        return text.replace("{", _OPEN).replace("}", _CLOSE)

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """The placeholders, in order, repeated ones too."""
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the placeholders that are single names, each once, in order."""
        return tuple(dict.fromkeys(found.path for found in self.placeholders if found.is_name))

    def render(self, value_of: Callable[[Placeholder], str]) -> str:
        """Return the text with each placeholder replaced by `value_of(placeholder)`."""
        return "".join(part if isinstance(part, str) else value_of(part) for part in self.parts)


def _shown(text: str) -> str:
    return text.replace(_OPEN, "{").replace(_CLOSE, "}")


def _placeholder(source: str) -> Placeholder | None:
    path, bar, default = source[2:-2].partition("|")
    path = path.strip()
    if _PATH.fullmatch(path) is None or "{" in default or "}" in default:
        return None
    return Placeholder(path, default.strip() if bar else None, source)
