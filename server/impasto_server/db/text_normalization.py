"""Normal forms under which two names or two texts count as equal."""

import re
import unicodedata

# Embeddings, overrides, isolates and marks (the Bidi_Control property of Unicode).
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def without_bidi_controls(text: str) -> str:
    """Return the text without the characters that reorder what is displayed after them.

    A name with one of them can be displayed as another name, or as another file type. Right-to-left scripts
    are displayed correctly without them.
    """
    return _BIDI_CONTROLS.sub("", text)


def nfkc_casefold(text: str) -> str:
    """Return the text case-folded and in Unicode form NFKC.

    The same visible text has several encodings: "é" is one code point or two, and there are full-width
    letters and ligatures. This form is equal for all of them.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def normalize_login(name: str) -> str:
    """Return the form in which usernames and e-mail addresses are compared and are unique."""
    return nfkc_casefold(name).strip()
