"""Which files are SVG images."""

import re

_COMMENTS = re.compile(r"\A(?:<!--.*?-->\s*)+", re.DOTALL)


def is_svg(head: str) -> bool:
    """Return whether a file that begins with this text is an SVG image.

    It may begin with a byte order mark, comments, an XML declaration and a document type.
    """
    start = _COMMENTS.sub("", head.lstrip("\ufeff \t\r\n")).lower()
    return start.startswith(("<svg", "<?xml", "<!doctype svg")) and "<svg" in start
