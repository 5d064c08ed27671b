"""Exceptions of endpoints as problem documents."""

import errno
from typing import Any

import httpx
import pytest
import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError, OperationalError
from starlette.exceptions import HTTPException
from structlog.testing import capture_logs
from tests.server.driver_errors import DriverError

from impasto_server.http.errors import Conflict, DiskFull, Invalid, NotAuthenticated, install_error_handlers

pytestmark = pytest.mark.anyio
SURROGATE = UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")


def refused(text: str = "x", sqlstate: str | None = None) -> DataError:
    return DataError("INSERT", {}, DriverError(text, sqlstate))


def malformed(*kinds: str) -> RequestValidationError:
    return RequestValidationError([{"type": kind, "loc": ("body", "name"), "msg": ""} for kind in kinds])


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


FULL = OSError(errno.ENOSPC, "No space left on device")
GENERIC = "An error occurred. Please try again later."
LOGGED = {"path": "/", "method": "POST"}
OUTAGE = "request refused: a service does not respond"
NO_TEXT = "A text contains a character that cannot be stored."


async def answer(error: Exception, method: str = "POST") -> httpx.Response:
    return (await logged_answer(error, method))[0]


async def logged_answer(error: Exception, method: str = "POST") -> tuple[httpx.Response, list[Any]]:
    app = FastAPI()
    install_error_handlers(app)

    async def endpoint() -> None:
        raise error

    app.add_api_route("/", endpoint, methods=["GET", "HEAD", "DELETE", "POST"])
    # What the operating system refuses is answered, and raised no further, to be logged once.
    transport = httpx.ASGITransport(app, raise_app_exceptions=isinstance(error, OSError))
    structlog.reset_defaults()  # another test may have configured a higher level
    with capture_logs() as logged:  # a traceback takes up to 2 s to print
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.request(method, "/"), list(logged)


@pytest.mark.parametrize(
    ("error", "status", "code", "detail"),
    [
        (Conflict("Busy.", winner="a"), 409, "conflict", "Busy."),
        (HTTPException(404), 404, "not_found", "There is nothing at this URL."),
        (HTTPException(405), 405, "method_not_allowed", "This URL does not support that method."),
        (HTTPException(400), 400, "bad_request", "The request could not be read."),
        (HTTPException(418), 418, "error", "The request could not be fulfilled."),
        (caused(HTTPException(400), FULL), 507, "disk_full", DiskFull().detail),
        (SURROGATE, 422, "text_invalid", NO_TEXT),
        (UnicodeEncodeError("ascii", "ä", 0, 1, "ordinal not in range"), 500, "internal_error", GENERIC),
        (refused(sqlstate="22021"), 422, "text_invalid", NO_TEXT),
        (refused(sqlstate="22P05"), 422, "text_invalid", NO_TEXT),
        (refused("surrogates not allowed"), 422, "text_invalid", NO_TEXT),
        (refused(sqlstate="22003"), 500, "internal_error", GENERIC),
        (refused("database or disk is full"), 507, "disk_full", DiskFull().detail),
        (OperationalError("SELECT", {}, DriverError()), 503, "unavailable", None),
        (OperationalError("", {}, DriverError("disk is full")), 507, "disk_full", DiskFull().detail),
        (ConnectionRefusedError(111, "refused"), 503, "unavailable", None),
        (FULL, 507, "disk_full", DiskFull().detail),
        (caused(caused(ValueError(), KeyError()), FULL), 507, "disk_full", DiskFull().detail),
        (FileNotFoundError(errno.ENOENT, "secret"), 500, "internal_error", GENERIC),
        (RuntimeError("secret"), 500, "internal_error", GENERIC),
        (malformed("missing"), 422, "invalid", "Name is required."),
        (malformed("missing", "string_type"), 422, "invalid", "Some values are missing or not valid."),
        (malformed("missing", "json_invalid"), 400, "json_invalid", "The body is not valid JSON."),
    ],
)  # fmt: skip
async def test_exception_is_a_problem_without_its_details(
    error: Exception, status: int, code: str, detail: str | None
) -> None:
    found, logged = await logged_answer(error)
    problem = found.json()
    assert (found.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert found.headers["content-type"] == "application/problem+json"
    assert problem["type"] == "about:blank"
    if detail is not None:
        assert problem["detail"] == detail
    if status == 503:
        assert found.headers["retry-after"] == "5"
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        assert logged == [{**LOGGED, "event": OUTAGE, "reason": reason, "log_level": "warning"}]
    elif status >= 500:
        assert logged == [{**LOGGED, "event": "request failed", "exc_info": error, "log_level": "error"}]
    else:
        assert logged == []
    assert problem["title"]
    assert "secret" not in found.text


@pytest.mark.parametrize(("method", "status"), [("GET", 404), ("DELETE", 404), ("POST", 422)])
async def test_id_that_the_database_cannot_store_is_not_found(method: str, status: int) -> None:
    assert (await answer(refused(sqlstate="22021"), method)).status_code == status


async def test_headers_and_members_of_a_problem_are_sent() -> None:
    found = await answer(NotAuthenticated())
    assert (found.status_code, found.headers["www-authenticate"]) == (401, "Bearer")
    found = await answer(HTTPException(405, headers={"Allow": "PUT"}))
    assert found.headers["allow"] == "PUT"
    assert found.json() == {
        "type": "about:blank",
        "title": "This URL does not support that method",
        "status": 405,
        "detail": "This URL does not support that method.",
        "code": "method_not_allowed",
    }
    found = await answer(malformed("json_invalid"))
    assert found.json()["title"] == "Bad request"
    assert (await answer(Conflict("Busy.", winner="a"))).json()["winner"] == "a"


@pytest.mark.parametrize(
    ("problem", "errors"),
    [
        (Invalid("Wrong."), [{"path": "", "code": "invalid", "message": "Wrong."}]),
        (Invalid("Wrong.", errors=[]), []),
        (Conflict("Busy."), None),
    ],
)
def test_invalid_request_always_lists_errors(problem: Any, errors: Any) -> None:
    assert problem.body().get("errors") == errors


def test_disk_is_full_if_a_cause_says_so() -> None:
    assert not DiskFull.caused(None)
    assert not DiskFull.caused(ValueError("disk is full"))
    assert [DiskFull.caused(OSError(number, "")) for number in (errno.ENOSPC, errno.EDQUOT, errno.EIO)] == [
        True,
        True,
        False,
    ]
