"""Errors of the HTTP API, as RFC 9457 problem documents.

    Problem
    ├── NotAuthenticated   401 not_authenticated
    ├── Forbidden          403 forbidden
    ├── NotFound           404 not_found
    ├── RequestTimeout     408 too_slow
    ├── Conflict           409 conflict
    ├── StaleRevision      412 stale_revision
    ├── TooLarge           413 too_large
    ├── UnsupportedEncoding 415 unsupported_media_type
    ├── Invalid            422 invalid
    ├── RateLimited        429 rate_limited
    ├── Unavailable        503 unavailable
    └── DiskFull           507 disk_full

Features subclass these. An error takes ids and values and writes the sentence itself.
"""

from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from impasto.errors import DISK_FULL, DISK_FULL_SENTENCE
from impasto_server.http.field_errors import describe_field_error
from impasto_server.outages import is_outage

log = structlog.get_logger()

_UNPROCESSABLE = 422
GENERIC_SENTENCE = "An error occurred. Please try again later."


class Problem(Exception):
    """An error response. `detail` is the sentence shown to the user; `members` are added to the document."""

    status = 500
    code = "internal_error"
    title = "Something went wrong"

    def __init__(
        self, detail: str = GENERIC_SENTENCE, *, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def body(self) -> dict[str, Any]:
        """Return the problem document."""
        errors = {"errors": [self._unspecific()]} if self.status == _UNPROCESSABLE else {}
        return {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **errors,
            **self.members,
        }

    def _unspecific(self) -> dict[str, str]:
        # Every 422 has `errors`; an empty path stands for the whole request.
        return {"path": "", "code": self.code, "message": self.detail}

    def response(self) -> JSONResponse:
        """Return the HTTP response."""
        return JSONResponse(
            self.body(), self.status, headers=self.headers, media_type="application/problem+json"
        )


class NotAuthenticated(Problem):
    """The request needs a valid session or API key."""

    status, code, title = 401, "not_authenticated", "Not signed in"

    def __init__(self, detail: str = "Please sign in to continue.") -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """The caller is authenticated but not allowed to do this."""

    status, code, title = 403, "forbidden", "Not allowed"


class NotFound(Problem):
    """The resource does not exist or belongs to another user."""

    status, code, title = 404, "not_found", "Not found"

    def __init__(self, what: str = "", name: str = "") -> None:
        sentence = f"There is no {what} {name}".rstrip() + "." if what else "There is nothing at this URL."
        super().__init__(sentence)


class Conflict(Problem):
    """The request conflicts with the current state of the resource."""

    status, code, title = 409, "conflict", "Conflict"


class StaleRevision(Problem):
    """The resource was saved by another client since the caller read it. Nothing was overwritten."""

    status, code, title = 412, "stale_revision", "Edit conflict"

    def __init__(self, revision: int) -> None:
        super().__init__(
            "This was changed in another place since you opened it. Nothing was overwritten.",
            headers={"ETag": f'"{revision}"'},
            revision=revision,
        )


class TooLarge(Problem):
    """The request body exceeds a size limit."""

    status, code, title = 413, "too_large", "Too large"

    def __init__(self, limit: int) -> None:
        size = f"{limit / 2**20:g} MiB" if limit >= 2**20 else f"{limit / 2**10:g} KiB"
        super().__init__(f"This is too large: the limit is {size}.")


class Invalid(Problem):
    """The request is well-formed, but its values are not valid."""

    status, code, title = 422, "invalid", "Some values are not valid"


class RateLimited(Problem):
    """A rate limit is exceeded."""

    status, code, title = 429, "rate_limited", "Too many attempts"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "Too many attempts. Please wait a moment and try again.",
            headers={"Retry-After": str(max(1, seconds))},
        )


class Unavailable(Problem):
    """A service that the server depends on does not respond."""

    status, code, title = 503, "unavailable", "Unavailable"

    def __init__(
        self, sentence: str = "A part of this server does not respond. Please try again in a moment."
    ) -> None:
        super().__init__(sentence, headers={"Retry-After": _RETRY_SECONDS})


class DiskFull(Problem):
    """The server's disk or its quota is full."""

    status, code, title = 507, "disk_full", "Disk full"

    def __init__(self) -> None:
        super().__init__(DISK_FULL_SENTENCE)

    @staticmethod
    def caused(error: BaseException | None) -> bool:
        """Return whether an error was caused by a full disk: by its errno or by SQLite's message."""
        while error is not None:
            if isinstance(error, OSError) and error.errno in DISK_FULL:
                return True
            if isinstance(error, DBAPIError) and "disk is full" in str(error.orig):
                return True
            error = error.__cause__
        return False


class TextInvalid(Invalid):
    """A text contains a character that the database cannot store, such as NUL."""

    code = "text_invalid"

    def __init__(self) -> None:
        super().__init__("A text contains a character that cannot be stored.")


class RequestTimeout(Problem):
    """The client stopped sending the request body."""

    status, code, title = 408, "too_slow", "Request timeout"

    def __init__(self) -> None:
        super().__init__(
            "The request did not arrive in time. Please try again.", headers={"Connection": "close"}
        )


class UnsupportedEncoding(Problem):
    """The body is compressed, which is refused because its real size is unknown."""

    status, code, title = 415, "unsupported_media_type", "Unsupported encoding"

    def __init__(self) -> None:
        super().__init__("Send the body uncompressed, without Content-Encoding.")


class FieldInvalid(Invalid):
    """One field is invalid; `errors` has its path, as for a schema error."""

    def __init__(self, path: str, message: str, code: str = "invalid") -> None:
        super().__init__(message, errors=[{"path": path, "code": code, "message": message}])


_RETRY_SECONDS = "5"
# A lone surrogate: JSON can express it, UTF-8 cannot.
_LONE_SURROGATE = "surrogates not allowed"
# SQLSTATE of PostgreSQL: invalid byte sequence, untranslatable character.
_INVALID_TEXT_STATES = ("22021", "22P05")
_STATUS_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
}
_STATUS_SENTENCES = {
    400: "The request could not be read.",
    404: "There is nothing at this URL.",
    405: "This URL does not support that method.",
}


def install_error_handlers(app: FastAPI) -> None:
    """Turn every exception of the app into a problem document without internal details."""
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(DBAPIError, _on_database_error)
    app.add_exception_handler(UnicodeEncodeError, _on_lone_surrogate)
    app.add_exception_handler(OSError, _on_crash)
    app.add_exception_handler(Exception, _on_crash)


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return error.response()


async def _on_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return _problem(400, "json_invalid", "Bad request", "The body is not valid JSON.")
    errors = [describe_field_error(item) for item in error.errors()]
    detail = errors[0]["message"] if len(errors) == 1 else "Some values are missing or not valid."
    return Invalid(detail, errors=errors).response()


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if DiskFull.caused(error):
        return await _on_crash(request, error)
    sentence = _STATUS_SENTENCES.get(error.status_code, "The request could not be fulfilled.")
    code = _STATUS_CODES.get(error.status_code, "error")
    return _problem(error.status_code, code, sentence.rstrip("."), sentence, error.headers)


async def _on_database_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DBAPIError)
    if getattr(error.orig, "sqlstate", None) not in _INVALID_TEXT_STATES and _LONE_SURROGATE not in str(
        error.orig
    ):
        return await _on_crash(request, error)
    problem = NotFound() if request.method in ("GET", "HEAD", "DELETE") else TextInvalid()
    return problem.response()


async def _on_lone_surrogate(request: Request, error: Exception) -> Response:
    assert isinstance(error, UnicodeEncodeError)
    return TextInvalid().response() if error.reason == _LONE_SURROGATE else await _on_crash(request, error)


async def _on_crash(request: Request, error: Exception) -> Response:
    return crash_response(request.method, request.url.path, error)


def crash_response(method: str, path: str, error: Exception) -> Response:
    """Log an error that no endpoint expected, and return its response: 503 if a service does not respond."""
    about = {"path": path, "method": method}
    if is_outage(error) and not DiskFull.caused(error):
        log.warning("request refused: a service does not respond", **about, reason=_reason(error))
        return Unavailable().response()
    log.error("request failed", **about, exc_info=error)
    return (DiskFull() if DiskFull.caused(error) else Problem()).response()


def _reason(error: Exception) -> str:
    """Return the kind of an error and its first line."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:300]}"


def _problem(
    status: int, code: str, title: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}
    return JSONResponse(body, status, headers=headers, media_type="application/problem+json")
