"""What makes two names the same."""

import unicodedata


def fold(name: str) -> str:
    """Return what usernames and addresses are compared by.

    One name has many spellings: an é is one character or two, and there are wide letters and ligatures.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())
