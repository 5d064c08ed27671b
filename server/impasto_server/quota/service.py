"""The daily quota of launches. It resets at 00:00 UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.http.errors import Problem
from impasto_server.quota import repository
from impasto_server.settings import Settings
from impasto_server.users.models import User


class QuotaExceeded(Problem):
    """The daily quota is used up."""

    status, code, title = 429, "quota_exceeded", "Daily quota exceeded"

    def __init__(self, settings: Settings, resets_at: datetime, now: datetime) -> None:
        super().__init__(
            "You exceeded your daily quota. Book a call with us to unlock more.",
            headers={"Retry-After": str(max(1, int((resets_at - now).total_seconds())))},
            book_a_call_url=settings.book_a_call_url or None,
            resets_at=resets_at.isoformat(),
        )


@dataclass(frozen=True)
class QuotaState:
    """Use of today's quota."""

    limit: int
    used: int
    resets_at: datetime


async def state(session: AsyncSession, app_state: AppState, user: User) -> QuotaState:
    """Return a user's quota of today."""
    now = app_state.clock()
    return QuotaState(
        limit_of(app_state, user), await repository.used(session, user.id, day_of(now)), _midnight(now)
    )


async def take(session: AsyncSession, app_state: AppState, user: User, launches: int = 1) -> str:
    """Count launches in the caller's transaction; return the day.

    Raises `QuotaExceeded` and counts none if the quota does not cover all of them.
    """
    now = app_state.clock()
    day = day_of(now)
    if not await repository.count(session, user.id, day, launches, limit_of(app_state, user)):
        raise QuotaExceeded(app_state.settings, _midnight(now), now)
    return day


async def refund(session: AsyncSession, user_id: str, day: str) -> None:
    """Give a launch back that never started."""
    await repository.refund(session, user_id, day)


def limit_of(app_state: AppState, user: User) -> int:
    """Return a user's daily quota: their own, or the default."""
    return app_state.settings.daily_quota if user.daily_quota is None else user.daily_quota


def day_of(moment: datetime) -> str:
    """Return the UTC date of a time, as YYYY-MM-DD."""
    return moment.astimezone(UTC).date().isoformat()


def _midnight(now: datetime) -> datetime:
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
