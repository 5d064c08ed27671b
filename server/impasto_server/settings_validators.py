"""Fields and validated types of settings: a malformed value stops the startup instead of failing later."""

from email.utils import parseaddr
from importlib.util import find_spec
from typing import Annotated, Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from email_validator import EmailNotValidError, validate_email
from limits import parse
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_core import PydanticCustomError
from pydantic_settings import NoDecode

from impasto.plugins.allow_list import AllowList, InvalidAllowList
from impasto.sdk.user_servers import InvalidUserServers, UserServers

_MIN_TOKEN = 16
_DRIVERS = ("sqlite+aiosqlite", "postgresql+asyncpg")


def setting(
    default: Any,
    description: str,
    *,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    max_length: int | None = None,
) -> Any:
    """Return a field with its default, its meaning and its bounds."""
    return Field(default=default, description=description, ge=ge, gt=gt, le=le, max_length=max_length)


def check_database(url: str) -> str:
    """Return the URL if it is one of SQLite or PostgreSQL with an async driver, or empty."""
    if not url or _driver(url) in _DRIVERS:
        return url
    raise _error("start it with postgresql+asyncpg:// or sqlite+aiosqlite:///, or leave it empty for SQLite")


def _driver(url: str) -> str:
    """Return the driver of a database URL; empty if it is none."""
    # Here, because processes that read settings need no database, and it takes a fifth of a second.
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url).drivername
    except (ArgumentError, ValueError):
        return ""


def check_storage(url: str) -> str:
    """Return the URL if it is a folder or an S3 bucket."""
    if "://" in url and not url.startswith(("file://", "s3://")):
        raise _error("use a folder or s3://bucket/prefix")
    if url.startswith("s3://") and not urlsplit(url).netloc:
        raise _error("name the bucket: s3://bucket/prefix")
    return url


def check_redis(url: str) -> str:
    """Return the URL if it is one of a Redis server, or empty."""
    if url and not _has_host(url, "redis", "rediss") and not url.startswith("unix://"):
        raise _error("start it with redis:// or rediss:// and a host")
    return url


def check_smtp(url: SecretStr) -> SecretStr:
    """Return the URL if it is one of an SMTP server."""
    if not _has_host(url.get_secret_value(), "smtp", "smtps"):
        raise _error("write it as smtp://user:password@host:587 or smtps://user:password@host")
    return url


def check_web(url: str) -> str:
    """Return the URL if it is http or https, or empty."""
    if url and not _has_host(url, "http", "https"):
        raise _error("start it with https:// or http:// and a host")
    return url


def origin_of(url: str) -> str:
    """Return a URL with scheme and host as browsers write them, without a trailing slash."""
    parsed = urlsplit(url)
    return parsed._replace(netloc=parsed.netloc.lower()).geturl().rstrip("/")


def check_sender(sender: str) -> str:
    """Return the sender if it has an e-mail address."""
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        raise _error("write it as name@host or Name <name@host>")
    return sender


def check_domain(name: str) -> str:
    """Return the domain name in lower-case ASCII (IDNA) if it can be the domain of an e-mail address."""
    try:
        found = validate_email(f"name@{name}", check_deliverability=False)
    except EmailNotValidError as error:
        raise _error(f"write {name!r} as a domain, such as example.com") from error
    return found.ascii_domain.lower()


def check_rate(limit: str) -> str:
    """Return the rate limit if it can be parsed."""
    try:
        parse(limit)
    except ValueError as error:
        raise _error("write it as a number and a period, such as 10/minute") from error
    return limit


def check_token(token: SecretStr) -> SecretStr:
    """Return the token if it is long enough and can be sent in a header."""
    text = token.get_secret_value()
    if len(text) < _MIN_TOKEN or not text.isascii() or not text.isprintable() or " " in text:
        raise _error(
            f"use at least {_MIN_TOKEN} ASCII characters without spaces, such as from `openssl rand -hex 16`"
        )
    return token


def check_otel(url: str) -> str:
    """Return the URL of a receiver of traces, or empty, if traces can be sent."""
    if not check_web(url):
        return url
    if urlsplit(url).username is not None:
        raise _error("leave the user and password out, and send them with IMPASTO_OTEL_HEADERS")
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise _error("traces need more packages: pip install 'impasto[otel]'")
    return url


def check_headers(headers: SecretStr) -> SecretStr:
    """Return the headers if they can be read."""
    for name, value in parse_headers(headers.get_secret_value()).items():
        if not name or not value or not f"{name}{value}".isascii() or not f"{name}{value}".isprintable():
            raise _error("write them as name=value, separated by commas")
    return headers


def parse_headers(headers: str) -> dict[str, str]:
    """Return the headers of a text such as `name=value,other=value`."""
    pairs = (part.partition("=") for part in headers.split(",") if part.strip())
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def check_contact(contact: str) -> str:
    """Return the contact as a URI; empty stays empty."""
    uri = f"mailto:{contact}" if "@" in contact and ":" not in contact else contact
    scheme, _, rest = uri.partition(":")
    is_usable = {
        "mailto": "@" in parseaddr(rest)[1],
        "tel": bool(rest),
        "https": _has_host(uri, "https"),
    }.get(scheme, False)
    if uri and (not is_usable or not uri.isprintable() or " " in uri):
        raise _error("write it as an e-mail address, mailto:…, https://… or tel:…")
    return uri


def check_sign_up(mode: str, domains: tuple[str, ...]) -> None:
    """Raise an error unless domains are given exactly in the mode that uses them."""
    require("IMPASTO_SIGN_UP=domains", mode == "domains", "IMPASTO_SIGN_UP_DOMAINS", domains)
    if domains and mode != "domains":
        raise _error(
            "IMPASTO_SIGN_UP_DOMAINS counts only with IMPASTO_SIGN_UP=domains: set that too, or leave the "
            "domains empty."
        )


def require(setting: str, is_used: object, other: str, value: object) -> None:
    """Raise an error if a setting is used without the other one that it needs."""
    if is_used and not value:
        raise _error(f"{setting} needs another setting: set {other} too.")


def check_bucket_access(url: str, **given: object) -> None:
    """Raise an error if the settings of an S3 bucket are incomplete, or there is no bucket.

    `given` has the value of each `IMPASTO_STORAGE_<NAME>` that is for buckets.
    """
    of_bucket = {f"IMPASTO_STORAGE_{name.upper()}": value for name, value in given.items()}
    key_id, secret = "IMPASTO_STORAGE_ACCESS_KEY_ID", "IMPASTO_STORAGE_SECRET_ACCESS_KEY"
    for one, other in ((key_id, secret), (secret, key_id)):
        require(one, of_bucket[one], other, of_bucket[other])
    used = next((name for name, value in of_bucket.items() if value), "")
    require(used, used, "IMPASTO_STORAGE_URL=s3://bucket/prefix", url.startswith("s3://"))


def _split_list(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def check_plugins(text: str) -> str:
    """Return the list of distributions if it can be read."""
    try:
        AllowList.parse(text)
    except InvalidAllowList as error:
        raise _error(str(error)) from error
    return text


def check_user_servers(text: str) -> str:
    """Return the list of servers if it can be read."""
    try:
        UserServers.parse(text)
    except InvalidUserServers as error:
        raise _error(str(error)) from error
    return text


Item = TypeVar("Item")
# Not decoded as JSON, which other settings of several values are.
CommaSeparated = Annotated[tuple[Item, ...], NoDecode, BeforeValidator(_split_list)]
DatabaseUrl = Annotated[str, AfterValidator(check_database)]
StorageUrl = Annotated[str, AfterValidator(check_storage)]
RedisUrl = Annotated[str, AfterValidator(check_redis)]
SmtpUrl = Annotated[SecretStr, AfterValidator(check_smtp)]
WebUrl = Annotated[str, AfterValidator(check_web)]
OtelUrl = Annotated[str, AfterValidator(check_otel)]
Headers = Annotated[SecretStr, AfterValidator(check_headers)]
Sender = Annotated[str, AfterValidator(check_sender)]
Domain = Annotated[str, AfterValidator(check_domain)]
Plugins = Annotated[str, AfterValidator(check_plugins)]
UserServerList = Annotated[str, AfterValidator(check_user_servers)]
Contact = Annotated[str, AfterValidator(check_contact)]
Rate = Annotated[str, AfterValidator(check_rate)]
Token = Annotated[SecretStr, AfterValidator(check_token)]


def _has_host(url: str, *schemes: str) -> bool:
    parsed = _split(url)
    return parsed is not None and parsed.scheme in schemes and bool(parsed.hostname)


def _split(url: str) -> SplitResult | None:
    try:
        parsed = urlsplit(url)
        _ = parsed.port  # raises ValueError if it is not a number
    except ValueError:
        return None
    return parsed


def _error(sentence: str) -> PydanticCustomError:
    return PydanticCustomError("malformed", sentence)
