"""Filter a small model's stream: pass whole sentences and stop at a limit or at a repetition.

Text is only delayed, cut at a sentence's end, or dropped; nothing is added.
"""

import re
from collections.abc import Callable

_END = re.compile(r"[.!?…][\"'”’)]*(?=\s|$)|\n")
_WORDS = re.compile(r"\w+")
_DANGLING = re.compile(
    r"[\s,;:–-]+(?:(?:a|an|the|of|and|or|with|to|in|for|on|at|by|from|that|your|our|is|as)\s*)*$",
    re.IGNORECASE,
)


class SentenceGate:
    """Passes at most `max_sentences` whole sentences and closes at the first repeated one.

    A sentence that `is_shown` refuses is left out.
    """

    def __init__(self, max_sentences: int, is_shown: Callable[[str], bool] = lambda sentence: True) -> None:
        self.max_sentences = max_sentences
        self._is_shown = is_shown
        self.closed = False
        self.passed = ""
        self._held = ""
        self._said: list[frozenset[str]] = []

    def feed(self, text: str) -> str:
        """Add text and return the sentences that may be shown."""
        self._held += text
        out = ""
        while not self.closed and (end := self._next_end()):
            sentence, self._held = self._held[:end], self._held[end:]
            out += self._judge(sentence)
        self.passed += out
        return out

    def finish(self) -> str:
        """Return the rest after the model has ended; a last sentence without a full stop is kept."""
        rest = "" if self.closed else self._judge(self._held)
        if not self.passed and not rest:
            rest = whole_words(self._held)
        self._held, self.closed = "", True
        self.passed += rest
        return rest

    def cut(self) -> str:
        """Return the rest after a truncation; an incomplete sentence is dropped unless there is no other."""
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
        if not self._is_shown(sentence):
            return ""
        self._said.append(words)
        self.closed = len(self._said) >= self.max_sentences
        return sentence if self.passed or len(self._said) > 1 else sentence.lstrip()


def whole_words(text: str) -> str:
    """Return `text` without a trailing incomplete clause such as 'and the' or a comma."""
    return _DANGLING.sub("", text.strip())


def tidy_values(data: object) -> object:
    """Return JSON data whose longer strings end with a sentence or else with a complete clause."""
    if isinstance(data, dict):
        return {key: tidy_values(value) for key, value in data.items()}
    if isinstance(data, list):
        return [tidy_values(value) for value in data]
    if not isinstance(data, str) or len(data) < 24 or data.endswith((".", "!", "?")):
        return data
    ends = [found.end() for found in _END.finditer(data)]
    return data[: ends[-1]].strip() if ends else whole_words(data)
