"""Whether a text keeps to the brand's words."""

import re
import unicodedata
from typing import Any

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "’‘ʼ`´"), "'")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of scripts that are written without spaces: there a word has no edges to look for."""


def check_words(text: str, banned: tuple[str, ...]) -> dict[str, Any]:
    """The banned words and phrases that stand in a text, whole words only, however they are spelled.

    Case, width, accents put together or apart, curly quotes, kinds of hyphen and invisible letters make no
    difference; nor do the marks that set a word in italics.
    """
    words = [word for word in banned if _plain(word).strip()]
    if not words:
        return {"checked": False, "why": "The brand bans no words."}
    plain = _plain(text)
    found = [word for word in words if _stands_in(_plain(word), plain)]
    return {"checked": True, "passed": not found, "found": found, "looked_for": len(words)}


def _plain(text: str) -> str:
    """One spelling for all that reads the same."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return seen.translate(_DASHES).translate(_QUOTES)


def _stands_in(word: str, text: str) -> bool:
    before = "" if _UNSPACED.match(word[:1]) else r"(?<![^\W_])"
    after = "" if _UNSPACED.match(word[-1:]) else r"(?![^\W_])"
    pattern = r"\s+".join(map(re.escape, word.split()))
    return re.search(f"{before}{pattern}{after}", text) is not None
