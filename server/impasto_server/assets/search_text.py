"""The text that a library search looks in."""

from impasto_server.db.text_normalization import nfkc_casefold


def search_text(name: str, flow_name: str | None, prompt: str | None, media_type: str) -> str:
    """Return the searchable text of an asset in normalized spelling (NFKC, case-folded)."""
    return nfkc_casefold("\n".join(filter(None, (name, flow_name, prompt, media_type))))
