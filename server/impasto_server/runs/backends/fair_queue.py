"""The queue of waiting runs: users take turns, and of one user's runs the most urgent starts first.

A waiting run is a live row without a lease owner. Its *turn* is the number of runs that its user would have
under way with it: the lower turn starts first, so that no user gets a second place while another waits for a
first one. Of equal turns, the user who has waited longest starts first. A batch counts as if it had waited a
minute less than a single launch, so launches overtake batches, and batches still progress.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    Boolean,
    ColumnElement,
    FromClause,
    Insert,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    case,
    extract,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db import prepared
from impasto_server.db.engine import Database, advisory_lock
from impasto_server.runs.models import Priority, QueueTurnRow, RunRow
from impasto_server.runs.repository import LIVE_STATUSES
from impasto_server.users.models import User

_LOCK = "run queue"
# Statements of tables: the session takes as long again for those of the classes.
_RUNS = cast("Table", RunRow.__table__)
_TURNS = cast("Table", QueueTurnRow.__table__)
_USERS = cast("Table", User.__table__)
_SECONDS_BETWEEN_PRIORITIES = 60


@dataclass(frozen=True)
class Places:
    """How many runs a process can start now.

    `free` places take any run. `reserved` ones take only an interactive run of a user who has no other
    interactive run under way. `suspects`: whether one of the runs may be a suspect, during whose execution a
    process has died before. `runs_per_user`: how many runs of a user may be under way, unless the user has a
    limit of their own; None means no limit.
    """

    free: int
    reserved: int
    suspects: bool
    runs_per_user: int | None = None

    def __bool__(self) -> bool:
        return self.free > 0 or self.reserved > 0

    def limited_to(self, runs: int | None) -> "Places":
        """Return at most `runs` of the places, free ones first."""
        if runs is None:
            return self
        free = min(self.free, runs)
        return replace(self, free=free, reserved=min(self.reserved, runs - free))

    def parameters(self) -> dict[str, int | None]:
        """Return the parameters of `NEXT_RUNS`."""
        return asdict(self)


@dataclass(frozen=True)
class ClaimedRun:
    """A run that a process has taken from the queue."""

    id: str
    is_suspect: bool


async def lock_queue(session: AsyncSession) -> None:
    """Lock the queue until the transaction ends, so that processes do not claim the same places."""
    await advisory_lock(session, _LOCK)


async def has_waiting(database: Database) -> bool:
    """Return whether any run waits."""
    return await database.first(_ANY_WAITING, {}) is not None


async def claim(
    session: AsyncSession, owner: str, now: datetime, lease_seconds: float, places: Places
) -> list[ClaimedRun]:
    """Lease the next runs to `owner`, at most as many as there are places; return them in any order."""
    await lock_queue(session)
    values = {"owner": owner, "until": now + timedelta(seconds=lease_seconds), **places.parameters()}
    claimed = await prepared.rows(session, _LEASE_NEXT, values)
    owners = [{"owner_id": owner_id, "served_at": now} for owner_id in sorted({row[1] for row in claimed})]
    if owners:
        await prepared.write_later(session, _served(session.get_bind().dialect.name), *owners)
    return [ClaimedRun(run_id, crashes > 0) for run_id, _, crashes in claimed]


async def position(session: AsyncSession, run_id: str) -> int | None:
    """Return how many runs start before a waiting run; None if the run does not wait."""
    place = await session.scalar(_PLACE, {"run_id": run_id})
    return None if place is None else place - 1


async def position_of_launched(database: Database, run_id: str) -> int | None:
    """Return the same in a transaction of its own. Not for use inside another session."""
    found = await database.first(_PLACE, {"run_id": run_id})
    return None if found is None else found[0] - 1


def _is_waiting() -> Sequence[ColumnElement[bool]]:
    return (_RUNS.c.status.in_(LIVE_STATUSES), _RUNS.c.lease_owner.is_(None))


def _ranked() -> Select[*tuple[Any, ...]]:
    """Return the query of the waiting runs with what their order depends on.

    `number` counts the runs of one user, the most urgent first. `interactive` is the number of interactive
    runs that the user has under way, `own_limit` the user's own limit of runs under way or null.
    """
    under_way = (
        select(
            _RUNS.c.owner_id,
            func.count().label("runs"),
            func.count().filter(_RUNS.c.priority == Priority.INTERACTIVE).label("interactive"),
        )
        .where(_RUNS.c.status.in_(LIVE_STATUSES), _RUNS.c.lease_owner.is_not(None))
        .group_by(_RUNS.c.owner_id)
        .subquery()
    )
    number = func.row_number().over(partition_by=_RUNS.c.owner_id, order_by=(_RUNS.c.priority, _RUNS.c.id))
    queued = extract("epoch", func.coalesce(_RUNS.c.handed_at, _RUNS.c.created_at))
    served = extract("epoch", _TURNS.c.served_at)  # null if the user has not been served: then not later
    return (
        select(
            _RUNS.c.id,
            _RUNS.c.priority,
            _RUNS.c.crashes,
            number.label("number"),
            (number + func.coalesce(under_way.c.runs, 0)).label("turn"),
            func.coalesce(under_way.c.interactive, 0).label("interactive"),
            case((served > queued, served), else_=queued).label("since"),
            _USERS.c.limits["concurrent_runs"].as_integer().label("own_limit"),
        )
        .join(_USERS, _USERS.c.id == _RUNS.c.owner_id)
        .outerjoin(under_way, under_way.c.owner_id == _RUNS.c.owner_id)
        .outerjoin(_TURNS, _TURNS.c.owner_id == _RUNS.c.owner_id)
        .where(*_is_waiting())
    )


def _order(queue: FromClause) -> tuple[ColumnElement[object], ...]:
    return (
        queue.c.turn,
        queue.c.since + queue.c.priority * _SECONDS_BETWEEN_PRIORITIES,
        queue.c.priority,
        queue.c.id,
    )


def _next() -> Select[str]:
    """Return the query of the runs that start next in `:free` and `:reserved` places, in fair order."""
    queue = _ranked().cte("waiting")
    max_running = func.coalesce(queue.c.own_limit, bindparam("runs_per_user", type_=Integer), queue.c.turn)
    within_limit = select(queue).where(queue.c.turn <= max_running).cte("within_limit")
    suspects = select(within_limit.c.id).where(within_limit.c.crashes > 0).order_by(*_order(within_limit))
    is_next_suspect = within_limit.c.id == suspects.limit(1).scalar_subquery()
    is_first_of_user = and_(
        within_limit.c.priority == Priority.INTERACTIVE,
        within_limit.c.number == 1,
        within_limit.c.interactive == 0,
    )
    placed = (
        select(
            within_limit.c.id,
            is_first_of_user.label("is_first_of_user"),
            func.row_number().over(order_by=_order(within_limit)).label("place"),
        )
        .where(or_(within_limit.c.crashes == 0, and_(bindparam("suspects", type_=Boolean), is_next_suspect)))
        .subquery()
    )
    free, reserved = (bindparam(name, type_=Integer) for name in ("free", "reserved"))
    return (
        select(placed.c.id)
        .where(or_(placed.c.place <= free, placed.c.is_first_of_user))
        .order_by(placed.c.place)
        .limit(free + reserved)
    )


def _place() -> Select[int]:
    """Return the query of the place of `:run_id` among all waiting runs; the first is 1."""
    queue = _ranked().subquery()
    placed = select(queue.c.id, func.row_number().over(order_by=_order(queue)).label("place")).subquery()
    return select(placed.c.place).where(placed.c.id == bindparam("run_id", type_=String))


# Built once: building them takes longer than their execution.
_ANY_WAITING = select(_RUNS.c.id).where(*_is_waiting()).limit(1)
NEXT_RUNS = _next()
_LEASE_NEXT = (
    update(_RUNS)
    .where(_RUNS.c.id.in_(NEXT_RUNS), *_is_waiting())
    .values(lease_owner=bindparam("owner"), lease_until=bindparam("until"))
    .returning(_RUNS.c.id, _RUNS.c.owner_id, _RUNS.c.crashes)
)
_PLACE = _place()


@cache
def _served(dialect: str) -> Insert:
    """Return the statement that records when a user was served."""
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(_TURNS)
    return insert.on_conflict_do_update(
        index_elements=["owner_id"], set_={"served_at": insert.excluded.served_at}
    )
