"""What an asset is found by: its texts in one spelling, whatever the letters and their case."""

import unicodedata


def folded(text: str) -> str:
    """Return a text as it is compared: composed, without case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def words_of(name: str, flow_name: str | None, prompt: str | None, media_type: str) -> str:
    """Return what a search looks through."""
    return folded("\n".join(filter(None, (name, flow_name, prompt, media_type))))
