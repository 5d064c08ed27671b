"""Settings that must be well-formed: told when the server starts, not when they are first needed."""

from email.utils import parseaddr
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from limits import parse
from pydantic import AfterValidator, SecretStr
from pydantic_core import PydanticCustomError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

_DRIVERS = ("sqlite+aiosqlite", "postgresql+asyncpg")


def check_database(url: str) -> str:
    """Return the address of a database the server can use."""
    try:
        known = not url or make_url(url).drivername in _DRIVERS
    except (ArgumentError, ValueError):
        known = False
    if known:
        return url
    raise _refusal(
        "begin it with postgresql+asyncpg:// (or sqlite+aiosqlite:///), or leave it empty for SQLite"
    )


def check_storage(url: str) -> str:
    """Return the address of a storage the server can use."""
    if "://" in url and not url.startswith(("file://", "s3://")):
        raise _refusal("give a folder, or s3://bucket/prefix")
    return url


def check_redis(url: str) -> str:
    """Return the address of a Redis server."""
    if url and not _has_host(url, "redis", "rediss") and not url.startswith("unix://"):
        raise _refusal("begin it with redis:// or rediss:// and a host")
    return url


def check_smtp(url: SecretStr) -> SecretStr:
    """Return the address of a mail server."""
    if not _has_host(url.get_secret_value(), "smtp", "smtps"):
        raise _refusal("write it as smtp://user:password@host:587 or smtps://user:password@host")
    return url


def check_web(url: str) -> str:
    """Return an address that a browser opens."""
    if url and not _has_host(url, "http", "https"):
        raise _refusal("begin it with https:// (or http://) and a host")
    return url


def check_sender(sender: str) -> str:
    """Return who mails come from."""
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        raise _refusal("write it as name@host, or as Name <name@host>")
    return sender


def check_rate(limit: str) -> str:
    """Return a rate limit."""
    try:
        parse(limit)
    except ValueError as error:
        raise _refusal("write it as a number and a time, such as 10/minute") from error
    return limit


DatabaseUrl = Annotated[str, AfterValidator(check_database)]
StorageUrl = Annotated[str, AfterValidator(check_storage)]
RedisUrl = Annotated[str, AfterValidator(check_redis)]
SmtpUrl = Annotated[SecretStr, AfterValidator(check_smtp)]
WebUrl = Annotated[str, AfterValidator(check_web)]
Sender = Annotated[str, AfterValidator(check_sender)]
Rate = Annotated[str, AfterValidator(check_rate)]


def _has_host(url: str, *schemes: str) -> bool:
    found = _split(url)
    return found is not None and found.scheme in schemes and bool(found.hostname)


def _split(url: str) -> SplitResult | None:
    try:
        found = urlsplit(url)
        _ = found.port  # raises on one that is no number
    except ValueError:
        return None
    return found


def _refusal(sentence: str) -> PydanticCustomError:
    return PydanticCustomError("malformed", sentence)
