"""A small model's ramble, let through sentence by sentence and stopped in time.

Nothing is added: text is only held back, cut at a sentence's end, or dropped when it repeats itself.
"""

import re

_END = re.compile(r"[.!?…][\"'”’)]*(?=\s|$)|\n")
_WORDS = re.compile(r"\w+")
_DANGLING = re.compile(
    r"[\s,;:–-]+(?:(?:a|an|the|of|and|or|with|to|in|for|on|at|by|from|that|your|our|is|as)\s*)*$",
    re.IGNORECASE,
)


class SentenceGate:
    """Lets whole sentences pass, at most `most` of them, and closes at the first that was said before."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.closed = False
        self.passed = ""
        self._held = ""
        self._said: list[frozenset[str]] = []

    def feed(self, text: str) -> str:
        """What may be shown now."""
        self._held += text
        out = ""
        while not self.closed and (end := self._next_end()):
            sentence, self._held = self._held[:end], self._held[end:]
            out += self._judge(sentence)
        self.passed += out
        return out

    def finish(self) -> str:
        """The rest, when the model has stopped by itself: a last sentence without a full stop is kept."""
        rest = "" if self.closed else self._judge(self._held)
        if not self.passed and not rest:
            rest = whole_words(self._held)
        self._held, self.closed = "", True
        self.passed += rest
        return rest

    def cut(self) -> str:
        """The rest, when the model was cut off: a half sentence is dropped unless it is all there is."""
        rest = "" if self.passed else whole_words(self._held)
        self._held, self.closed = "", True
        self.passed += rest
        return rest

    def _next_end(self) -> int:
        for found in _END.finditer(self._held):
            if self._held[: found.end()].strip() and found.end() < len(self._held):
                return found.end()
        return 0

    def _judge(self, sentence: str) -> str:
        words = frozenset(_WORDS.findall(sentence.casefold()))
        if not words:
            return ""
        if any(len(words & said) >= 0.8 * len(words | said) for said in self._said):
            self.closed = True
            return ""
        self._said.append(words)
        self.closed = len(self._said) >= self.most
        return sentence if self.passed or len(self._said) > 1 else sentence.lstrip()


def whole_words(text: str) -> str:
    """`text` without a trailing half clause: no 'and the', no comma at the end."""
    return _DANGLING.sub("", text.strip())


def tidy_values(data: object) -> object:
    """JSON data whose longer strings end with a sentence or at least with a whole clause."""
    if isinstance(data, dict):
        return {key: tidy_values(value) for key, value in data.items()}
    if isinstance(data, list):
        return [tidy_values(value) for value in data]
    if not isinstance(data, str) or len(data) < 24 or data.endswith((".", "!", "?")):
        return data
    ends = [found.end() for found in _END.finditer(data)]
    return data[: ends[-1]].strip() if ends else whole_words(data)
