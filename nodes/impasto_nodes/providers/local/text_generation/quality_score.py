"""Score a very small model's answers, to choose the best of several."""

import re
from typing import Any

from impasto_nodes.providers.local.text_generation.examples import EXAMPLES
from impasto_nodes.providers.local.text_generation.judgement import texts_in

GOOD_ENOUGH = 0.75
_WORD = re.compile(r"[a-z]{4,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ABOUT_ITSELF = frozenset({"prompt", "brief", "rewritten", "version", "response", "assistant", "output"})


def _words(text: str) -> list[str]:
    return _WORD.findall(_HUMP.sub(" ", text).casefold())


_SHOWN = frozenset(_words(" ".join(f"{one.text} {one.words}" for one in EXAMPLES)))
_SHOWN_WHOLE = frozenset(value for one in EXAMPLES for values in one.words.values() for value in values)


def text_score(text: str, brief: str, hits: int = 3) -> float:
    """Return a score from 0 to 1: for `hits` words of the brief, against repetition and copied examples."""
    said, asked = _words(text), set(_words(brief))
    if not said:
        return 0.0
    kinds = set(said)
    fresh = len(kinds) / len(said)
    about = min(1.0, len(kinds & asked) / min(hits, max(1, len(asked))))
    borrowed = len((kinds & _SHOWN) - asked) / len(kinds)
    of_itself = 0.4 if (kinds - asked) & _ABOUT_ITSELF else 0.0
    earned = 0.5 * min(1.0, fresh / 0.7) + 0.5 * about
    return max(0.0, earned - borrowed - of_itself - _parroted(text, brief))


def data_score(data: Any, brief: str) -> float:
    """Return the score of structured data: of all its texts, less for duplicates and copied examples."""
    texts = texts_in(data)
    if not texts:
        return 1.0
    doubled = 1 - len({text.casefold() for text in texts}) / len(texts)
    copied = sum(text in _SHOWN_WHOLE for text in texts) / len(texts)
    return text_score(" ".join(texts), brief) - doubled - copied


def _parroted(text: str, brief: str) -> float:
    """Return the penalty for an answer that only repeats the brief."""
    plain, asked = " ".join(text.casefold().split()), " ".join(brief.casefold().split()).rstrip(".!?")
    return 0.4 if asked and asked in plain and len(plain) < 1.5 * len(asked) else 0.0
