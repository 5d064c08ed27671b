"""Errors that people meet: RFC 9457 problems.

    Problem
    ├── NotAuthenticated   401 not_authenticated
    ├── Forbidden          403 forbidden
    ├── NotFound           404 not_found
    ├── RequestTimeout            408 too_slow
    ├── Conflict           409 conflict
    ├── StaleRevision      412 stale_revision
    ├── TooLarge           413 too_large
    ├── EncodingUnsupported 415 unsupported_media_type
    ├── Invalid            422 invalid
    ├── RateLimited        429 rate_limited
    ├── Unavailable        503 unavailable
    └── DiskFull           507 disk_full

A feature derives its own from these; an error takes ids and writes its own sentence.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from impasto.errors import DISK_FULL, DISK_FULL_SENTENCE

log = structlog.get_logger()

_UNPROCESSABLE = 422
GENERIC_SENTENCE = "An error occurred. Please try again later."


class Problem(Exception):
    """An answer that is not the one asked for. `detail` is the sentence a person reads."""

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
        named = {"errors": [self._whole()]} if self.status == _UNPROCESSABLE else {}
        return {
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **named,
            **self.members,
        }

    def _whole(self) -> dict[str, str]:
        # Every 422 names what is wrong; the empty path is all that was sent.
        return {"path": "", "code": self.code, "message": self.detail}

    def response(self) -> JSONResponse:
        """Return the HTTP answer."""
        return JSONResponse(
            self.body(), self.status, headers=self.headers, media_type="application/problem+json"
        )


class NotAuthenticated(Problem):
    """The call needs a session that lives."""

    status, code, title = 401, "not_authenticated", "Not signed in"

    def __init__(self, detail: str = "Please sign in to continue.") -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """The person is known and may not do this."""

    status, code, title = 403, "forbidden", "Not allowed"


class NotFound(Problem):
    """What was asked for does not exist, or is somebody else's."""

    status, code, title = 404, "not_found", "Not found"

    def __init__(self, what: str = "", name: str = "") -> None:
        sentence = (
            f"There is no {what} {name}".rstrip() + "." if what else "There is nothing at this address."
        )
        super().__init__(sentence)


class Conflict(Problem):
    """The call contradicts what is there."""

    status, code, title = 409, "conflict", "Conflict"


class StaleRevision(Problem):
    """Somebody saved in between; nothing was overwritten."""

    status, code, title = 412, "stale_revision", "Changed meanwhile"

    def __init__(self, revision: int) -> None:
        super().__init__(
            "This was changed somewhere else since you opened it. Nothing was overwritten.",
            headers={"ETag": f'"{revision}"'},
            revision=revision,
        )


class TooLarge(Problem):
    """The body is larger than the server takes."""

    status, code, title = 413, "too_large", "Too large"

    def __init__(self, limit: int) -> None:
        size = f"{limit / 2**20:g} MiB" if limit >= 2**20 else f"{limit / 2**10:g} KiB"
        super().__init__(f"This is too large: at most {size} can be sent.")


class Invalid(Problem):
    """The values are understood and cannot be taken."""

    status, code, title = 422, "invalid", "Invalid input"


class RateLimited(Problem):
    """Too many calls in a short time."""

    status, code, title = 429, "rate_limited", "Too many tries"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "Too many attempts. Please wait a moment and try again.",
            headers={"Retry-After": str(max(1, seconds))},
        )


class Unavailable(Problem):
    """A part the server stands on does not answer."""

    status, code, title = 503, "unavailable", "Unavailable"


class DiskFull(Problem):
    """The server's disk (or its quota) has no room for what was sent."""

    status, code, title = 507, "disk_full", "No room left"

    def __init__(self) -> None:
        super().__init__(DISK_FULL_SENTENCE)

    @staticmethod
    def caused(error: BaseException | None) -> bool:
        """Tell whether a full disk is behind an error: its own number, or what SQLite says of it."""
        while error is not None:
            if isinstance(error, OSError) and error.errno in DISK_FULL:
                return True
            if isinstance(error, DBAPIError) and "disk is full" in str(error.orig):
                return True
            error = error.__cause__
        return False


class TextInvalid(Invalid):
    """A text holds a character that the database cannot keep, such as NUL."""

    code = "text_invalid"

    def __init__(self) -> None:
        super().__init__("Some text contains a character that cannot be kept.")


class RequestTimeout(Problem):
    """The body stopped coming: whoever sends it is gone, or keeps the connection for nothing."""

    status, code, title = 408, "too_slow", "Too slow"

    def __init__(self) -> None:
        super().__init__(
            "The request did not arrive in time. Please try again.", headers={"Connection": "close"}
        )


class EncodingUnsupported(Problem):
    """The body came compressed, and what comes compressed may be of any size."""

    status, code, title = 415, "unsupported_media_type", "Unsupported encoding"

    def __init__(self) -> None:
        super().__init__("Send the body as it is, without Content-Encoding.")


class FieldInvalid(Invalid):
    """One field is wrong; `errors` names it as a schema error would."""

    def __init__(self, path: str, message: str, code: str = "invalid") -> None:
        super().__init__(message, errors=[{"path": path, "code": code, "message": message}])


_NO_OBJECT = "Send a JSON object, with Content-Type: application/json."
# Half of a character: JSON can write it down, and nothing can keep it.
_HALF = "surrogates not allowed"
# PostgreSQL: a character outside of its encoding, or one that JSON columns cannot hold.
_UNKEEPABLE_TEXT = ("22021", "22P05")
_STATUS_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
}
_STATUS_WORDS = {
    400: "The request could not be read.",
    404: "There is nothing at this address.",
    405: "This address does not take that method.",
}


def install_error_handlers(app: FastAPI) -> None:
    """Make every error of the app a problem document that leaks nothing."""
    app.add_exception_handler(Problem, _answer_problem)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)
    app.add_exception_handler(HTTPException, _answer_http_exception)
    app.add_exception_handler(DBAPIError, _answer_database_error)
    app.add_exception_handler(UnicodeEncodeError, _answer_half_character)
    app.add_exception_handler(OSError, _answer_crash)
    app.add_exception_handler(Exception, _answer_crash)


async def _answer_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return error.response()


async def _answer_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return _problem(400, "json_invalid", "Bad request", "The body is not valid JSON.")
    errors = [_field_error(item) for item in error.errors()]
    detail = errors[0]["message"] if len(errors) == 1 else "Some values are missing or wrong."
    return Invalid(detail, errors=errors).response()


async def _answer_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if DiskFull.caused(error):
        return await _answer_crash(request, error)
    words = _STATUS_WORDS.get(error.status_code, "The request could not be answered.")
    code = _STATUS_CODES.get(error.status_code, "error")
    return _problem(error.status_code, code, words.rstrip("."), words, error.headers)


async def _answer_database_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DBAPIError)
    if getattr(error.orig, "sqlstate", None) not in _UNKEEPABLE_TEXT and _HALF not in str(error.orig):
        return await _answer_crash(request, error)
    problem = NotFound() if request.method in ("GET", "HEAD", "DELETE") else TextInvalid()
    return problem.response()


async def _answer_half_character(request: Request, error: Exception) -> Response:
    assert isinstance(error, UnicodeEncodeError)
    return TextInvalid().response() if error.reason == _HALF else await _answer_crash(request, error)


async def _answer_crash(request: Request, error: Exception) -> Response:
    log.error("request failed", path=request.url.path, method=request.method, exc_info=error)
    return (DiskFull() if DiskFull.caused(error) else Problem()).response()


def _problem(
    status: int, code: str, title: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}
    return JSONResponse(body, status, headers=headers, media_type="application/problem+json")


def _field_error(item: Mapping[str, Any]) -> dict[str, str]:
    if item["type"] == "model_attributes_type" and len(item["loc"]) == 1:
        return {"path": _path(item["loc"]), "code": "not_an_object", "message": _NO_OBJECT}
    return {
        "path": _path(item["loc"]),
        "code": str(item["type"]),
        "message": re.sub(r"^(Value error|Assertion failed), ", "", str(item["msg"])),
    }


def _path(location: Sequence[str | int]) -> str:
    parts = location[1:] if len(location) > 1 else location
    return ".".join(str(part) for part in parts)
