"""Outages of the services that the server itself depends on: the database, the storage and Redis."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from obstore.exceptions import GenericError, PermissionDeniedError, UnauthenticatedError
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from impasto.errors import ServiceUnavailable

# SQLSTATE classes of PostgreSQL: connection, resources, operator intervention (a shutdown), system error.
# 25006: the database takes no changes, as one that is about to replace another.
_OUTAGE_STATES = ("08", "25006", "53", "57", "58")
_STORAGE_ERRORS = (GenericError, PermissionDeniedError, UnauthenticatedError)
_REASON_CHARS = 200
# None: several addresses were tried, each with an error of its own.
_OUTAGE_NUMBERS = (None, errno.EIO, errno.EHOSTUNREACH, errno.ENETUNREACH)


def is_outage(error: BaseException) -> bool:
    """Whether an error says that a service of the server cannot be reached."""
    if isinstance(error, ServiceUnavailable | PoolTimeout | OperationalError | InterfaceError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if isinstance(error, OSError):
        return isinstance(error, ConnectionError | TimeoutError) or error.errno in _OUTAGE_NUMBERS
    raised = error.orig if isinstance(error, DBAPIError) else error
    state = str(getattr(raised, "sqlstate", None))  # "None" if there is none
    return isinstance(error, _STORAGE_ERRORS) or state.startswith(_OUTAGE_STATES)


def log_failure(log: Any, event: str, error: Exception) -> None:
    """Log an error of a loop that goes on: with its traceback, or an outage, which repeats, in one line."""
    if is_outage(error):
        raised = error.orig if isinstance(error, DBAPIError) else error
        log.warning(event, reason=str(raised).partition("\n")[0][:_REASON_CHARS] or type(raised).__name__)
    else:
        log.error(event, exc_info=error)


@contextmanager
def raise_unavailable(service: str) -> Iterator[None]:
    """Raise `ServiceUnavailable` for an outage in the block, so that a step does not fail by it."""
    try:
        yield
    except ServiceUnavailable:
        raise
    except Exception as error:
        if not is_outage(error):
            raise
        raise ServiceUnavailable(f"The {service} cannot be reached.") from error
