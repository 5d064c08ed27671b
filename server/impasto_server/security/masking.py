"""Masks passwords and other credentials in URLs, for logs, messages and `impasto settings`."""

import re
from urllib.parse import unquote_plus

MASK = "***"
_NAMED_USER = r"(:/+[^:/?#\s]*):"  # a path made of a URL has one slash
_USERINFO = re.compile(_NAMED_USER + r"[^/?#\s\"]*@")
# SQLAlchemy also accepts a slash, question mark or hash in a password.
_LENIENT_USERINFO = re.compile(_NAMED_USER + r"[^@\s]*@")
_CREDENTIAL = re.compile(r"auth|credential|key|pass|pwd|secret|sig|token", re.IGNORECASE)


def mask_passwords(text: str) -> str:
    """Return a text with the password of each `user:password@` in its URLs masked."""
    return _USERINFO.sub(rf"\1:{MASK}@", text)


def mask_url(url: str) -> str:
    """Return a URL with its password and the credentials in its query masked.

    A value that is no URL is returned as it is. In doubt too much is masked.
    """
    masked = _LENIENT_USERINFO.sub(rf"\1:{MASK}@", mask_passwords(url))
    address, mark, query = masked.partition("?")
    if not mark or ":/" not in address:
        return masked
    return address + mark + "&".join(map(_mask_parameter, query.split("&")))


def _mask_parameter(parameter: str) -> str:
    name, mark, value = parameter.partition("=")
    if value and _CREDENTIAL.search(unquote_plus(name)):
        return f"{name}={MASK}"
    plain = unquote_plus(value)  # such as the endpoint in IMPASTO_STORAGE_URL
    masked = mask_url(plain)
    return parameter if masked == plain else f"{name}{mark}{masked}"
