"""Which saves of an agent's history are kept.

Automatic saves become fewer with age: all of the last day are kept, then the last one of each hour for a
month, then the last one of each day. Saves that the user has kept are not thinned. If there are still too
many, the oldest automatic saves are deleted first, then the oldest kept ones. The newest save always stays.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

ALL_FOR = timedelta(days=1)
HOURLY_FOR = timedelta(days=30)


class Save(NamedTuple):
    """One save. `is_kept`: the user asked to keep it."""

    id: str
    created_at: datetime
    is_kept: bool


def superfluous(saves: Sequence[Save], now: datetime, max_saves: int) -> list[str]:
    """Return the ids of the saves to delete, given all of them, newest first.

    At most `max_saves` remain, but the newest always does.
    """
    remaining, seen, deleted = list[Save](), set[str](), list[str]()
    for save in saves:
        period = _period(save, now)
        if period is None:
            remaining.append(save)
        elif period in seen:
            deleted.append(save.id)
        else:
            seen.add(period)
            remaining.append(save)
    excess = len(remaining) - max_saves
    if excess > 0:
        oldest_first = remaining[:0:-1]  # without the newest
        oldest_first.sort(key=lambda save: save.is_kept)
        deleted += [save.id for save in oldest_first[:excess]]
    return deleted


def _period(save: Save, now: datetime) -> str | None:
    """Return the period of which one automatic save is kept; None if all are."""
    age = now - save.created_at
    if save.is_kept or age < ALL_FOR:
        return None
    return f"{save.created_at:%Y-%m-%d %H}" if age < HOURLY_FOR else f"{save.created_at:%Y-%m-%d}"
