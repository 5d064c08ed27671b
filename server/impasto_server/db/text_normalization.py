"""What makes two names, or two texts, the same."""

import unicodedata


def spelling(text: str) -> str:
    """Return the one spelling of a text, without case.

    A text has many: an é is one character or two, and there are wide letters and ligatures.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def fold(name: str) -> str:
    """Return what usernames and addresses are compared by."""
    return spelling(name).strip()
