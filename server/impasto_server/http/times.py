"""Times in query parameters."""

from datetime import UTC, datetime

from impasto_server.http.errors import FieldInvalid


def time_in_utc(name: str, given: datetime | None) -> datetime | None:
    """Return the time in UTC; one without a time zone is taken as UTC.

    Raises `FieldInvalid` for the parameter `name` if UTC cannot express the time.
    """
    if given is None or given.tzinfo is None:
        return given and given.replace(tzinfo=UTC)
    try:
        return given.astimezone(UTC)
    except OverflowError as error:
        raise FieldInvalid(name, "This time is out of range.", "datetime_range") from error
