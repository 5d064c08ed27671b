"""Whether a text contains the name of another brand."""

from typing import Any

from impasto_nodes.ai.brand_checks.wording import plain, stands_in


def check_names(text: str, own: str, others: tuple[str, ...]) -> dict[str, Any]:
    """Find the names of other brands in a text, as whole words and in any spelling.

    A name that is part of the brand's own name counts only outside of it.
    """
    own, whole = (" ".join(plain(part).split()) for part in (own, text))
    known = {plain(name).strip(): name for name in others}
    known.pop(own, None)
    known.pop("", None)
    if not known:
        return {"checked": False, "why": "No other brands are known: only a saved brand brings their names."}
    rest = whole.replace(own, " ")
    found = [
        name for folded, name in known.items() if stands_in(folded, rest if stands_in(folded, own) else whole)
    ]
    return {"checked": True, "passed": not found, "found": found, "looked_for": len(known)}
