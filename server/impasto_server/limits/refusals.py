"""The sentences of every limit: each says the limit, the use, and when or how to get more."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from impasto_server.http.schemas import money
from impasto_server.limits.errors import LimitReached
from impasto_server.limits.periods import Spending, next_day, next_month, tightest
from impasto_server.limits.repository import RunUse
from impasto_server.limits.schemas import LimitName, Limits
from impasto_server.settings import Settings

_QUEUE_RETRY_SECONDS = 60
_SLOT_RETRY_SECONDS = 10


def size(number: int) -> str:
    """Return a number of bytes with a unit, such as 1.5 GB."""
    amount, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:,.1f}".removesuffix(".0") + f" {unit}"


def dollars(amount: Decimal) -> str:
    """Return an amount with two decimals, or with up to four below one cent."""
    return f"${amount:,.2f}" if amount >= Decimal("0.01") or not amount else f"${amount:.4f}"


def storage_full(
    settings: Settings, limits: Limits, used: int, added: int, *, what: Literal["file", "save"] = "file"
) -> LimitReached:
    """Return the refusal of `added` bytes, or of results of unknown size if `added` is 0."""
    this = f", and this {what} {'has' if what == 'file' else 'adds'} {size(added)}" if added else ""
    return LimitReached(
        "stored_bytes",
        f"You store {size(used)} of {size(limits.stored_bytes)}{this}. Delete assets or agents that "
        f"you no longer need, or {_more(settings)}.",
        settings,
        limit=limits.stored_bytes,
        used=used,
        status=413,
    )


def assets_full(settings: Settings, limits: Limits, used: int) -> LimitReached:
    """Return the refusal of another asset."""
    return _count_full(settings, "assets", limits.assets, used, "assets", status=413)


def agents_full(settings: Settings, limits: Limits, used: int) -> LimitReached:
    """Return the refusal of another agent."""
    return _count_full(settings, "agents", limits.agents, used, "an agent")


def brands_full(settings: Settings, limits: Limits, used: int) -> LimitReached:
    """Return the refusal of another brand."""
    return _count_full(settings, "brands", limits.brands, used, "a brand")


def versions_full(settings: Settings, limits: Limits, used: int, of: str) -> LimitReached:
    """Return the refusal of another published version of an agent or a brand."""
    return LimitReached(
        "versions",
        f"This {of} has {used:,} of {limits.versions:,} versions. Duplicate it to go on with a new history, "
        f"or {_more(settings)}.",
        settings,
        limit=limits.versions,
        used=used,
    )


def queue_full(settings: Settings, limits: Limits, used: int, added: int) -> LimitReached:
    """Return the refusal of a launch of `added` runs."""
    return LimitReached(
        "queued_runs",
        f"You have {used:,} of {limits.queued_runs:,} runs waiting, and this launch adds {added:,}. "
        f"Try again when some have started, or {_more(settings)}.",
        settings,
        limit=limits.queued_runs,
        used=used,
        seconds=_QUEUE_RETRY_SECONDS,
    )


def in_progress(settings: Settings, name: LimitName, what: str, limit: int, used: int) -> LimitReached:
    """Return the refusal of another stream, upload or export while others are open."""
    return LimitReached(
        name,
        f"You have {used:,} of {limit:,} {what}. Try again when one has ended, or {_more(settings)}.",
        settings,
        limit=limit,
        used=used,
        seconds=_SLOT_RETRY_SECONDS,
    )


def spending_limit(
    settings: Settings, limits: Limits, use: RunUse, expected: Decimal, now: datetime
) -> LimitReached:
    """Return the refusal of a launch that is expected to cost `expected` US dollars."""
    spending = tightest(limits, use)
    period, resets_at, when = _period(spending, now)
    held = f", with {dollars(use.reserved)} set aside for your runs in progress" if use.reserved else ""
    cost = f" This launch is expected to cost {dollars(expected)}." if expected else ""
    return LimitReached(
        "usd_per_day" if spending.is_day else "usd_per_month",
        f"You spent {dollars(spending.spent)} of {dollars(spending.limit)} {period} on this server's "
        f"keys{held}.{cost} The limit resets {when}. Your own provider keys do not count; "
        f"or {_more(settings)}.",
        settings,
        limit=money(spending.limit),
        used=money(spending.spent + use.reserved),
        status=402,
        code="spending_limit",
        resets_at=resets_at.isoformat(),
        expected_usd=money(expected),
    )


def stop_sentence(settings: Settings, limits: Limits, use: RunUse, now: datetime) -> str:
    """Return the error of a run that its owner's spending limit has stopped."""
    spending = tightest(limits, use)
    period, _, when = _period(spending, now)
    return (
        f"The run was stopped: you spent {dollars(spending.spent)} of {dollars(spending.limit)} {period} on "
        f"this server's keys. Resume it after the limit resets {when}, add your own provider key, "
        f"or {_more(settings)}."
    )


def cap_sentence(settings: Settings) -> str:
    """Return the error of a run whose next step would exceed its owner's spending limit."""
    return (
        "The run was stopped: its next step would exceed your spending limit on this server's keys. "
        f"See Usage in your account. Resume the run later, add your own provider key, or {_more(settings)}."
    )


def _count_full(
    settings: Settings, name: LimitName, limit: int, used: int, what: str, *, status: int = 429
) -> LimitReached:
    return LimitReached(
        name,
        f"You have {used:,} of {limit:,} {name}. Delete {what} that you no longer need, "
        f"or {_more(settings)}.",
        settings,
        limit=limit,
        used=used,
        status=status,
    )


def _period(spending: Spending, now: datetime) -> tuple[str, datetime, str]:
    """Return the period's name, its end, and its end in words."""
    if spending.is_day:
        return "today", next_day(now), "at 00:00 UTC"
    end = next_month(now)
    return "this month", end, f"on {end:%-d %B} at 00:00 UTC"


def _more(settings: Settings) -> str:
    """Return how a user gets a higher limit, as the end of a sentence."""
    return (
        "book a call with us to get more"
        if settings.book_a_call_url
        else "ask the operator of this server for more"
    )
