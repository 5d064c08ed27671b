"""What an asset is found by: its texts in one spelling, whatever the letters and their case."""

from impasto_server.db.text_normalization import nfkc_casefold


def search_text(name: str, flow_name: str | None, prompt: str | None, media_type: str) -> str:
    """Return what a search looks through."""
    return nfkc_casefold("\n".join(filter(None, (name, flow_name, prompt, media_type))))
