"""Refusals because of a limit, as problems."""

from datetime import datetime
from typing import Any

from impasto_server.http.errors import Problem
from impasto_server.limits.schemas import LimitName
from impasto_server.settings import Settings


class LimitReached(Problem):
    """A limit of the user does not allow this. `limit_name`, `limit` and `used` are members."""

    title = "Limit reached"

    def __init__(
        self,
        name: LimitName,
        sentence: str,
        settings: Settings,
        *,
        limit: int | str,
        used: int | str,
        status: int = 429,
        code: str | None = None,
        seconds: float | None = None,
        **members: Any,
    ) -> None:
        super().__init__(
            sentence,
            headers=None if seconds is None else {"Retry-After": str(max(1, int(seconds)))},
            limit_name=name,
            limit=limit,
            used=used,
            book_a_call_url=settings.book_a_call_url or None,
            **members,
        )
        self.status = status
        self.code = code or f"{name}_limit"


class QuotaExceeded(LimitReached):
    """The daily quota of launches is used up."""

    title = "Daily quota exceeded"

    def __init__(self, settings: Settings, limit: int, used: int, resets_at: datetime, now: datetime) -> None:
        super().__init__(
            "runs_per_day",
            "You exceeded your daily quota. Book a call with us to unlock more.",
            settings,
            limit=limit,
            used=used,
            code="quota_exceeded",
            seconds=(resets_at - now).total_seconds(),
            resets_at=resets_at.isoformat(),
        )
