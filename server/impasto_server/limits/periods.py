"""The days and months (UTC) of limits, and the dollars that are left in them."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

from impasto_server.limits.repository import RunUse
from impasto_server.limits.schemas import Limits

_STORED = Decimal("0.00000001")


@dataclass(frozen=True)
class Spending:
    """Dollars spent on the server's keys in the current day or month, and their limit."""

    is_day: bool
    spent: Decimal
    limit: Decimal

    @property
    def left(self) -> Decimal:
        """The dollars that are not spent. What is reserved for live runs is not deducted."""
        return self.limit - self.spent


def tightest(limits: Limits, use: RunUse) -> Spending:
    """Return the spending of the period that leaves less; of the day if both leave the same."""
    day = Spending(is_day=True, spent=use.spent_today, limit=limits.usd_per_day)
    month = Spending(is_day=False, spent=use.spent_month, limit=limits.usd_per_month)
    return day if day.left <= month.left else month


def dollars_left(limits: Limits, use: RunUse) -> Decimal:
    """Return the US dollars that are neither spent nor reserved."""
    return tightest(limits, use).left - use.reserved


def day_of(moment: datetime) -> str:
    """Return the UTC date of a time, as YYYY-MM-DD."""
    return moment.astimezone(UTC).date().isoformat()


def next_day(now: datetime) -> datetime:
    """Return the next midnight in UTC."""
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


def next_month(now: datetime) -> datetime:
    """Return the start of the next month in UTC."""
    first = now.astimezone(UTC).date().replace(day=1)
    return datetime.combine((first + timedelta(days=32)).replace(day=1), time(), UTC)


def stored(usd: float) -> Decimal:
    """Return US dollars as the database keeps them."""
    return Decimal(str(usd)).quantize(_STORED)
