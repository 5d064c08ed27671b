"""Queries of limits. What can be counted is counted in its own table, so that no counter can go wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Insert,
    ScalarSelect,
    Select,
    String,
    Table,
    and_,
    bindparam,
    case,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.assets.models import AssetRow
from impasto_server.brands.models import BrandRow
from impasto_server.db import prepared
from impasto_server.flows.models import FlowRow
from impasto_server.limits.models import SlotRow, UsageDayRow
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User
from impasto_server.versions.models import VersionRow

_LIVE = ("queued", "running")
# Statements of tables: the session takes as long again for those of the classes.
_ASSETS, _BRANDS, _FLOWS, _RUNS, _USERS = (
    cast("Table", each.__table__) for each in (AssetRow, BrandRow, FlowRow, RunRow, User)
)
_DAYS = cast("Table", UsageDayRow.__table__)
_UNSPENT = _RUNS.c.reserved_usd - _RUNS.c.charged_usd
_OPEN_RESERVATION = case((_RUNS.c.held_usd < _UNSPENT, _UNSPENT), else_=_RUNS.c.held_usd)
"""What a live run has set aside: of its launch, or for its calls under way, whichever is more."""
_USER_ID = bindparam("user_id", type_=String)
_OVERRIDES = select(_USERS.c.daily_quota, _USERS.c.limits).where(_USERS.c.id == _USER_ID)
_LOCK_OVERRIDES = _OVERRIDES.with_for_update(key_share=True)
Overrides = tuple[int | None, dict[str, Any] | None]


@dataclass(frozen=True)
class RunUse:
    """What a user's runs use.

    `spent_*` is US dollars on the server's keys, `reserved` those set aside, `held` those of calls under way.
    """

    launches: int
    spent_today: Decimal
    spent_month: Decimal
    reserved: Decimal
    queued: int
    stored_bytes: int
    held: Decimal = Decimal(0)


@dataclass(frozen=True)
class RunReservation:
    """US dollars that a run has set aside, and those that its calls under way hold."""

    set_aside: Decimal
    held: Decimal


@dataclass(frozen=True)
class Spender:
    """A run's owner, with the dollars reserved for the run and those charged so far."""

    user_id: str
    reserved: Decimal
    charged: Decimal


@dataclass(frozen=True)
class StorageUse:
    """What a user stores: `stored_bytes` are those of assets, agents and brands."""

    assets: int
    stored_bytes: int


async def overrides(session: AsyncSession, user_id: str, *, lock: bool = False) -> Overrides | None:
    """Return a user's own daily quota and other limits, or None if there is no such user.

    With `lock`, other transactions that lock the same user wait until this one ends. SQLite needs no lock:
    it has one writing transaction at a time.
    """
    query = _LOCK_OVERRIDES if lock else _OVERRIDES
    found = await prepared.rows(session, query, {"user_id": user_id})
    return (found[0][0], found[0][1]) if found else None


async def set_overrides(
    session: AsyncSession, user_id: str, quota: int | None, others: dict[str, Any]
) -> None:
    """Replace a user's own limits."""
    await session.execute(
        update(User).where(User.id == user_id).values(daily_quota=quota, limits=others or None)
    )


async def run_use(session: AsyncSession, user_id: str, day: str) -> RunUse:
    """Return what a user's runs use on a day (YYYY-MM-DD) and in its month."""
    (found,) = await prepared.rows(session, _RUN_USE, _of_day(user_id, day))
    return _run_use_of(found)


async def lock_run_use(session: AsyncSession, user_id: str, day: str) -> tuple[Overrides | None, RunUse]:
    """Return what `overrides` and `run_use` do, once the user is locked."""
    locked, (used,) = await prepared.rows_of(
        session, (_LOCK_OVERRIDES, {"user_id": user_id}), (_RUN_USE, _of_day(user_id, day))
    )
    return (locked[0][0], locked[0][1]) if locked else None, _run_use_of(used)


def _of_day(user_id: str, day: str) -> dict[str, Any]:
    return {"user_id": user_id, "day": day, "first_of_month": f"{day[:7]}-01"}


def _run_use_of(row: prepared.Row) -> RunUse:
    launches, today_usd, month_usd, reserved, queued, stored, held = row
    return RunUse(
        launches,
        Decimal(today_usd),
        Decimal(month_usd),
        Decimal(reserved),
        queued,
        int(stored),
        Decimal(held),
    )


async def owner_of_run(session: AsyncSession, run_id: str) -> str | None:
    """Return the id of a run's owner; None if the run is deleted."""
    found: str | None = await session.scalar(select(RunRow.owner_id).where(RunRow.id == run_id))
    return found


async def reservation_of(session: AsyncSession, run_id: str) -> RunReservation:
    """Return what a run has set aside; nothing if it is not live."""
    query = select(_OPEN_RESERVATION, RunRow.held_usd).where(RunRow.id == run_id, RunRow.status.in_(_LIVE))
    found = (await session.execute(query)).first()
    return RunReservation(*map(Decimal, found)) if found else RunReservation(Decimal(0), Decimal(0))


async def change_held(session: AsyncSession, run_id: str, usd: Decimal) -> None:
    """Add dollars to those that a run's calls hold; never below 0."""
    held = case((RunRow.held_usd + usd < 0, Decimal(0)), else_=RunRow.held_usd + usd)
    query = update(RunRow).where(RunRow.id == run_id).values(held_usd=held)
    await session.execute(query.execution_options(synchronize_session=False))


async def storage_use(session: AsyncSession, user_id: str) -> StorageUse:
    """Return the number of a user's assets, and the bytes of assets, agents and brands."""
    count, stored = (await session.execute(_STORAGE_USE, {"user_id": user_id})).one()
    return StorageUse(count, int(stored))


async def agents(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's agents."""
    return (await session.scalars(_select_count(FlowRow.id, FlowRow.owner_id == user_id))).one()


async def brands(session: AsyncSession, user_id: str) -> int:
    """Return the number of a user's brands."""
    return (await session.scalars(_select_count(BrandRow.id, BrandRow.owner_id == user_id))).one()


async def most_versions(session: AsyncSession, user_id: str) -> int:
    """Return the number of history entries of the user's agent that has the most."""
    entries = (
        select(func.count().label("entries"))
        .select_from(VersionRow)
        .join(FlowRow, FlowRow.id == VersionRow.flow_id)
        .where(FlowRow.owner_id == user_id)
        .group_by(VersionRow.flow_id)
        .subquery()
    )
    return await session.scalar(select(func.max(entries.c.entries))) or 0


async def running(session: AsyncSession, user_id: str) -> int:
    """Return how many runs of a user are under way: a process has claimed them."""
    query = _select_count(
        RunRow.id, RunRow.owner_id == user_id, RunRow.status.in_(_LIVE), RunRow.lease_owner.is_not(None)
    )
    return (await session.scalars(query)).one()


async def add_launches(session: AsyncSession, user_id: str, day: str, launches: int) -> None:
    """Count launches of a day; a negative number gives them back."""
    await _add(session, user_id, day, {"used": launches})


async def launches_on(session: AsyncSession, user_id: str, day: str) -> int:
    """Return a user's launches of a day."""
    row = await session.get(UsageDayRow, (user_id, day))
    return row.used if row is not None else 0


async def charge_run(session: AsyncSession, run_id: str, usd: Decimal) -> Spender | None:
    """Add dollars to those charged by a run; return its owner, or None if the run is deleted."""
    query = (
        update(RunRow)
        .where(RunRow.id == run_id)
        .values(charged_usd=RunRow.charged_usd + usd)
        .returning(RunRow.owner_id, RunRow.reserved_usd, RunRow.charged_usd)
        .execution_options(synchronize_session=False)
    )
    found = (await session.execute(query)).first()
    return None if found is None else Spender(found[0], Decimal(found[1]), Decimal(found[2]))


async def add_spending(session: AsyncSession, user_id: str, day: str, usd: Decimal) -> None:
    """Count US dollars that were spent on a day."""
    await _add(session, user_id, day, {"spent_usd": usd})


async def take_slot(
    session: AsyncSession, user_id: str, kind: str, limit: int, row: SlotRow, now: datetime
) -> int | None:
    """Add a slot if fewer than `limit` are in use; return None, or else how many are."""
    used = await slots_in_use(session, user_id, kind, now)
    if used >= limit:
        return used
    session.add(row)
    return None


async def slots_in_use(session: AsyncSession, user_id: str, kind: str, now: datetime) -> int:
    """Return how many slots of a kind a user holds."""
    query = _select_count(
        SlotRow.id, SlotRow.user_id == user_id, SlotRow.kind == kind, SlotRow.expires_at > now
    )
    return (await session.scalars(query)).one()


async def extend_slots(session: AsyncSession, holder: str, ids: Sequence[str], until: datetime) -> None:
    """Extend slots of one process."""
    mine = (SlotRow.holder == holder, SlotRow.id.in_(ids))
    await session.execute(update(SlotRow).where(*mine).values(expires_at=until))


async def remove_slot(session: AsyncSession, slot_id: str) -> None:
    """Give a slot back."""
    await session.execute(delete(SlotRow).where(SlotRow.id == slot_id))


async def purge_expired_slots(session: AsyncSession, now: datetime) -> None:
    """Delete the slots of processes that died."""
    await session.execute(delete(SlotRow).where(SlotRow.expires_at <= now))


async def _add(session: AsyncSession, user_id: str, day: str, amounts: dict[str, Any]) -> None:
    (name, amount) = next(iter(amounts.items()))
    first = {"used": 0, "spent_usd": Decimal(0), name: max(amount, type(amount)(0))}
    query = _adding(session.get_bind().dialect.name, name)
    values = {"user_id": user_id, "day": day, "amount": amount, **first}
    await prepared.write_later(session, query, values)


@cache
def _adding(dialect: str, name: str) -> Insert:
    """Return the statement that adds `:amount` to a column; built once for each column."""
    total = _DAYS.c[name] + bindparam("amount", type_=_DAYS.c[name].type)
    values: dict[str, Any] = {column: bindparam(column) for column in ("user_id", "day", "used", "spent_usd")}
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(_DAYS).values(values)
    return insert.on_conflict_do_update(
        index_elements=["user_id", "day"], set_={name: case((total < 0, 0), else_=total)}
    )


def _stored_bytes() -> ColumnElement[Any]:
    """Return the sum of the assets of `:user_id`, and of the sums that agents and brands keep."""
    return (
        _sum(_ASSETS.c.bytes, _ASSETS.c.owner_id == _USER_ID)
        + _sum(_FLOWS.c.stored_bytes, _FLOWS.c.owner_id == _USER_ID)
        + _sum(_BRANDS.c.stored_bytes, _BRANDS.c.owner_id == _USER_ID)
    )


def _sum(column: Any, condition: ColumnElement[bool]) -> ScalarSelect[Any]:
    return select(func.coalesce(func.sum(column), 0)).where(condition).scalar_subquery()


def _count(column: Any, *conditions: ColumnElement[bool]) -> ScalarSelect[int]:
    return _select_count(column, *conditions).scalar_subquery()


def _select_count(column: Any, *conditions: ColumnElement[bool]) -> Select[int]:
    return select(func.count(column)).where(*conditions)


def _run_use() -> Select[*tuple[Any, ...]]:
    """Return the query of `RunUse`, with `:user_id`, `:day` and `:first_of_month`."""
    day = bindparam("day", type_=String)
    first = bindparam("first_of_month", type_=String)
    live = and_(_RUNS.c.owner_id == _USER_ID, _RUNS.c.status.in_(_LIVE))
    today = and_(_DAYS.c.user_id == _USER_ID, _DAYS.c.day == day)
    month = and_(_DAYS.c.user_id == _USER_ID, _DAYS.c.day >= first, _DAYS.c.day <= day)
    return select(
        _sum(_DAYS.c.used, today),
        _sum(_DAYS.c.spent_usd, today),
        _sum(_DAYS.c.spent_usd, month),
        _sum(_OPEN_RESERVATION, live),
        _count(_RUNS.c.id, live, _RUNS.c.lease_owner.is_(None)),
        _stored_bytes(),
        _sum(_RUNS.c.held_usd, live),
    )


# Built once: every launch executes them, and building them takes longer.
_RUN_USE = _run_use()
_STORAGE_USE = select(_count(_ASSETS.c.id, _ASSETS.c.owner_id == _USER_ID), _stored_bytes())
