"""Normal forms under which two names or two texts count as equal."""

import unicodedata


def nfkc_casefold(text: str) -> str:
    """Return the text case-folded and in Unicode form NFKC.

    The same visible text has several encodings: "é" is one code point or two, and there are full-width
    letters and ligatures. This form is equal for all of them.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def normalize_login(name: str) -> str:
    """Return the form in which usernames and e-mail addresses are compared and are unique."""
    return nfkc_casefold(name).strip()
