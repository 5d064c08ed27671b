"""Whether a text keeps to the brand's words."""

import re
from typing import Any


def check_words(text: str, banned: tuple[str, ...]) -> dict[str, Any]:
    """The banned words and phrases that stand in a text, whole words only, in any case."""
    words = [word for word in banned if word.strip()]
    if not words:
        return {"checked": False, "why": "The brand bans no words."}
    found = [word for word in words if _stands_in(word, text)]
    return {"checked": True, "passed": not found, "found": found}


def _stands_in(word: str, text: str) -> bool:
    pattern = r"\s+".join(map(re.escape, word.split()))
    return re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) is not None
