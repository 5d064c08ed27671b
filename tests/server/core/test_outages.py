"""Which errors say that a service of the server cannot be reached."""

import errno
from typing import Any

import pytest
from obstore.exceptions import GenericError, NotFoundError, PermissionDeniedError, UnauthenticatedError
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from tests.server.driver_errors import DriverError
from tests.server.log_lines import captured_logger

from impasto.errors import ServiceUnavailable
from impasto_server.outages import is_outage, log_failure, raise_unavailable


def of_database(kind: type[DBAPIError], sqlstate: str | None = None, **options: Any) -> DBAPIError:
    return kind("SELECT 1", {}, DriverError("driver's words\nand more", sqlstate), **options)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ServiceUnavailable("down"), True),
        (PoolTimeout(), True),
        (of_database(OperationalError), True),
        (of_database(InterfaceError), True),
        (of_database(DBAPIError), False),
        (of_database(DBAPIError, connection_invalidated=True), True),
        (of_database(DBAPIError, "08006"), True),
        (of_database(DBAPIError, "53300"), True),
        (of_database(DBAPIError, "57P01"), True),
        (of_database(DBAPIError, "58030"), True),
        (of_database(DBAPIError, "25006"), True),
        (of_database(DBAPIError, "25001"), False),
        (of_database(IntegrityError, "23505"), False),
        (DriverError(sqlstate="57P03"), True),
        (DriverError(sqlstate="23505"), False),
        (ConnectionResetError(), True),
        (TimeoutError(), True),
        (OSError(errno.EIO, ""), True),
        (OSError(errno.EHOSTUNREACH, ""), True),
        (OSError(errno.ENETUNREACH, ""), True),
        (OSError("several addresses"), True),
        (OSError(errno.ENOENT, ""), False),
        (GenericError("s3"), True),
        (PermissionDeniedError("s3"), True),
        (UnauthenticatedError("s3"), True),
        (NotFoundError("s3"), False),
        (ValueError("words"), False),
    ],
)
def test_outages_are_distinguished_from_other_errors(error: Exception, expected: bool) -> None:
    assert is_outage(error) is expected
    with (
        pytest.raises(ServiceUnavailable if expected else type(error)) as raised,
        raise_unavailable("storage"),
    ):
        raise error
    if expected and not isinstance(error, ServiceUnavailable):
        assert str(raised.value) == "The storage cannot be reached."
    else:
        assert raised.value is error


def logged(error: Exception) -> list[Any]:
    """What is logged of an error."""
    log, capture = captured_logger()
    log_failure(log, "it failed", error)
    return list(capture.entries)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (of_database(OperationalError), "driver's words"),
        (ConnectionResetError("x" * 300), "x" * 200),
        (ConnectionResetError(), "ConnectionResetError"),
    ],
)
def test_outage_of_a_loop_is_logged_in_one_line(error: Exception, reason: str) -> None:
    assert logged(error) == [{"event": "it failed", "reason": reason, "log_level": "warning"}]


def test_other_error_of_a_loop_is_logged_with_its_traceback() -> None:
    error = ValueError("words")
    assert logged(error) == [{"event": "it failed", "exc_info": error, "log_level": "error"}]
