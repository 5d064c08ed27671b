"""Reading and changing the limits of users, and checking them before something is added.

A check and what it allows happen in one writing transaction. `lock` makes other transactions of the same user
wait, in every process, so two requests at once cannot both take the last place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol, get_args

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.db.engine import Database
from impasto_server.http.schemas import money
from impasto_server.limits import refusals, repository
from impasto_server.limits.errors import QuotaExceeded
from impasto_server.limits.periods import day_of, dollars_left, next_day, next_month, stored
from impasto_server.limits.schemas import (
    DOLLAR_LIMITS,
    LimitName,
    LimitOverrides,
    Limits,
    LimitUsage,
    LimitValues,
    Unit,
    Usage,
    UserLimits,
)
from impasto_server.settings import Settings
from impasto_server.users.errors import UserNotFound
from impasto_server.users.models import User
from impasto_server.utils import Clock

_MONEY = Decimal("0.000001")


@dataclass(frozen=True)
class LaunchCost:
    """What a run is expected to cost.

    `server_usd`: US dollars on the server's keys. `may_spend`: the run has steps that may charge them, even
    if their price is unknown. `uses_own_keys`: the user's own keys pay a part. `stores_files`: its results
    are files.
    """

    server_usd: Decimal = Decimal(0)
    may_spend: bool = False
    uses_own_keys: bool = False
    stores_files: bool = False


@dataclass(frozen=True)
class Reservation:
    """What a launch has taken: its day, and by run the dollars set aside and the most that it may spend.

    A cap of None means that nothing of the run is charged to the server, or only a part of it.
    """

    day: str
    reserved: Sequence[Decimal]
    caps: Sequence[Decimal | None]


@dataclass(frozen=True)
class Hold:
    """The dollars that a call holds; 0 if too few are left.

    `may_grow`: other calls under way may still free some. `sentence` says why there are too few.
    """

    usd: Decimal
    may_grow: bool
    sentence: str


class StoresDocuments(Protocol):
    """The row of an agent or a brand: `stored_bytes` is the size of its documents."""

    @property
    def owner_id(self) -> str | None:
        """The user whose limits count."""

    stored_bytes: int


@dataclass(frozen=True)
class QuotaState:
    """Use of today's quota of launches."""

    limit: int
    used: int
    resets_at: datetime


class LimitsService:
    """The limits of every user."""

    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self.defaults = Limits.from_settings(settings)

    # -- reading and changing ------------------------------------------------------------------

    def of(self, user: User) -> Limits:
        """Return the limits of a user whose row is loaded."""
        return self._with(user.daily_quota, user.limits)

    async def get(self, user_id: str) -> UserLimits:
        """Return a user's limits, the defaults, and which of them the operator has set.

        Raises `UserNotFound`.
        """
        async with self._database.reading() as session:
            return await self._describe(session, user_id)

    async def set(self, session: AsyncSession, user_id: str, overrides: LimitOverrides) -> UserLimits:
        """Change a user's limits: those that `overrides` sets; None stands for the default.

        Raises `UserNotFound`.
        """
        found = await repository.overrides(session, user_id, lock=True)
        if found is None:
            raise UserNotFound(user_id)
        quota, others = found[0], dict(found[1] or {})
        for name, value in overrides.model_dump(exclude_unset=True).items():
            if name == "runs_per_day":
                quota = value
            elif value is None:
                others.pop(name, None)
            else:
                others[name] = value
        await repository.set_overrides(session, user_id, quota, others)
        return await self._describe(session, user_id)

    async def usage(self, user_id: str, open_streams: int) -> Usage:
        """Return the use of a user's limits, in the order of the account page. Raises `UserNotFound`.

        `open_streams` is their number in this process, which counts them in memory.
        """
        now = self._clock()
        async with self._database.reading() as session:
            found = await repository.overrides(session, user_id)
            if found is None:
                raise UserNotFound(user_id)
            runs = await repository.run_use(session, user_id, day_of(now))
            stored = await repository.storage_use(session, user_id)
            used: dict[LimitName, int | Decimal] = {
                "runs_per_day": runs.launches,
                "usd_per_day": runs.spent_today + runs.reserved,
                "usd_per_month": runs.spent_month + runs.reserved,
                "stored_bytes": stored.stored_bytes,
                "assets": stored.assets,
                "agents": await repository.agents(session, user_id),
                "brands": await repository.brands(session, user_id),
                "versions": await repository.most_versions(session, user_id),
                "concurrent_runs": await repository.running(session, user_id),
                "queued_runs": runs.queued,
                "uploads": await repository.slots_in_use(session, user_id, "uploads", now),
                "exports": await repository.slots_in_use(session, user_id, "exports", now),
                "streams": open_streams,
            }
        limits = self._with(*found)
        items = [_usage_of(name, amount, limits, now) for name, amount in used.items()]
        return Usage(items=items, book_a_call_url=self._settings.book_a_call_url or None)

    async def quota(self, session: AsyncSession, user: User) -> QuotaState:
        """Return the use of a user's daily quota."""
        now = self._clock()
        used = await repository.launches_on(session, user.id, day_of(now))
        return QuotaState(self.of(user).runs_per_day, used, next_day(now))

    # -- launches and money --------------------------------------------------------------------

    async def reserve_launches(
        self, session: AsyncSession, user_id: str, costs: Sequence[LaunchCost], *, counted: bool = True
    ) -> Reservation:
        """Take the daily quota, places in the queue and the expected dollars of runs: of all, or of none.

        Without `counted`, the quota has been taken before. Raises `QuotaExceeded` or `LimitReached`.
        """
        now = self._clock()
        overrides, use = await repository.lock_run_use(session, user_id, day_of(now))
        limits = self._with(*(overrides or (None, None)))
        if counted and use.launches + len(costs) > limits.runs_per_day:
            raise QuotaExceeded(self._settings, limits.runs_per_day, use.launches, next_day(now), now)
        if use.queued + len(costs) > limits.queued_runs:
            raise refusals.queue_full(self._settings, limits, use.queued, len(costs))
        expected = sum((cost.server_usd for cost in costs), Decimal(0))
        left = dollars_left(limits, use)
        if any(cost.may_spend for cost in costs) and (expected > left or left <= 0):
            raise refusals.spending_limit(self._settings, limits, use, expected, now)
        if use.stored_bytes >= limits.stored_bytes and any(cost.stores_files for cost in costs):
            raise refusals.storage_full(self._settings, limits, use.stored_bytes, 0)
        if counted:
            await repository.add_launches(session, user_id, day_of(now), len(costs))
        spare = left - expected
        caps = [
            (cost.server_usd + spare).quantize(_MONEY) if cost.may_spend and not cost.uses_own_keys else None
            for cost in costs
        ]
        return Reservation(day_of(now), [cost.server_usd for cost in costs], caps)

    async def refund_launch(self, session: AsyncSession, user_id: str, day: str) -> None:
        """Give the quota of a launch back that never started."""
        await repository.add_launches(session, user_id, day, -1)

    async def hold(self, session: AsyncSession, run_id: str, usd: Decimal, at_least: Decimal) -> Hold:
        """Reserve dollars of a run's owner for one of its paid calls, as many as are left up to `usd`.

        The owner's limits less what is spent, what other runs have set aside, and what this run's calls hold.
        Nothing is held if fewer than `at_least` are left. The caller's transaction locks the owner.
        """
        owner_id = await repository.owner_of_run(session, run_id)
        if owner_id is None:
            return Hold(Decimal(0), False, refusals.cap_sentence(self._settings))
        now = self._clock()
        overrides, use = await repository.lock_run_use(session, owner_id, day_of(now))
        limits = self._with(*(overrides or (None, None)))
        own = await repository.reservation_of(session, run_id)
        available = stored(float(dollars_left(limits, use) + own.set_aside - own.held))
        granted = min(usd, available)
        if granted <= 0 or granted < at_least:
            sentence = refusals.stop_sentence(self._settings, limits, use, now)
            return Hold(Decimal(0), use.held >= _MONEY, sentence)  # less is left by rounding
        await repository.change_held(session, run_id, granted)
        return Hold(granted, True, "")

    async def release(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Free dollars that a run's paid call has held; a negative amount holds more."""
        await repository.change_held(session, run_id, -usd)

    async def record_charge(self, session: AsyncSession, run_id: str, usd: Decimal) -> str | None:
        """Count dollars that a run has just spent on the server's keys.

        Returns a sentence if the run must stop: it has spent more than was reserved for it, and its owner's
        limit is exceeded. Other runs of the owner keep what is reserved for them.
        """
        now = self._clock()
        spender = await repository.charge_run(session, run_id, usd)
        if spender is None:
            return None
        await repository.add_spending(session, spender.user_id, day_of(now), usd)
        if spender.charged <= spender.reserved:
            return None
        limits = self._with(*(await repository.overrides(session, spender.user_id) or (None, None)))
        use = await repository.run_use(session, spender.user_id, day_of(now))
        is_within = dollars_left(limits, use) >= 0
        return None if is_within else refusals.stop_sentence(self._settings, limits, use, now)

    # -- what is stored ------------------------------------------------------------------------

    async def check_asset(
        self, session: AsyncSession, user_id: str, number_of_bytes: int, *, lock: bool = True
    ) -> None:
        """Raise `LimitReached` if the user may not store another file of this size."""
        limits = await (self.lock if lock else self.limits_of)(session, user_id)
        use = await repository.storage_use(session, user_id)
        if use.stored_bytes + number_of_bytes > limits.stored_bytes:
            raise refusals.storage_full(self._settings, limits, use.stored_bytes, number_of_bytes)
        if use.assets >= limits.assets:
            raise refusals.assets_full(self._settings, limits, use.assets)

    async def count_documents(self, session: AsyncSession, row: StoresDocuments, size: int) -> None:
        """Set the bytes that an agent or a brand stores. Its owner's limit applies if they become more.

        Raises `LimitReached`.
        """
        added = size - row.stored_bytes
        if added > 0 and row.owner_id is not None:
            limits = await self.lock(session, row.owner_id)
            use = await repository.storage_use(session, row.owner_id)
            if use.stored_bytes + added > limits.stored_bytes:
                raise refusals.storage_full(self._settings, limits, use.stored_bytes, added, what="save")
        row.stored_bytes = size

    async def check_agent(self, session: AsyncSession, user_id: str) -> None:
        """Raise `LimitReached` if the user may not create another agent."""
        limits = await self.lock(session, user_id)
        used = await repository.agents(session, user_id)
        if used >= limits.agents:
            raise refusals.agents_full(self._settings, limits, used)

    async def check_brand(self, session: AsyncSession, user_id: str) -> None:
        """Raise `LimitReached` if the user may not create another brand."""
        limits = await self.lock(session, user_id)
        used = await repository.brands(session, user_id)
        if used >= limits.brands:
            raise refusals.brands_full(self._settings, limits, used)

    def check_published(self, limits: Limits, published: int, *, of: str = "agent") -> None:
        """Raise `LimitReached` if an agent, or a brand, may not have another published version."""
        if published >= limits.versions:
            raise refusals.versions_full(self._settings, limits, published, of)

    async def delete_expired(self, session: AsyncSession) -> None:
        """Delete the slots of processes that died."""
        await repository.purge_expired_slots(session, self._clock())

    async def limits_of(self, session: AsyncSession, user_id: str) -> Limits:
        """Return the limits of a user; the defaults if there is no such user."""
        return self._with(*(await repository.overrides(session, user_id) or (None, None)))

    async def lock(self, session: AsyncSession, user_id: str) -> Limits:
        """Return the limits of a user, and make other transactions that lock the same user wait."""
        return self._with(*(await repository.overrides(session, user_id, lock=True) or (None, None)))

    def _with(self, quota: int | None, others: dict[str, Any] | None) -> Limits:
        own = {**(others or {}), **({} if quota is None else {"runs_per_day": quota})}
        return self.defaults.with_overrides(own) if own else self.defaults

    async def _describe(self, session: AsyncSession, user_id: str) -> UserLimits:
        found = await repository.overrides(session, user_id)
        if found is None:
            raise UserNotFound(user_id)
        own = {*(found[1] or {}), *([] if found[0] is None else ["runs_per_day"])}
        return UserLimits(
            limits=LimitValues(**self._with(*found).to_json()),
            defaults=LimitValues(**self.defaults.to_json()),
            overridden=[name for name in get_args(LimitName) if name in own],
        )


def _usage_of(name: LimitName, used: int | Decimal, limits: Limits, now: datetime) -> LimitUsage:
    resets = {"runs_per_day": next_day(now), "usd_per_day": next_day(now), "usd_per_month": next_month(now)}
    unit: Unit = "usd" if name in DOLLAR_LIMITS else "bytes" if name == "stored_bytes" else "count"
    limit = getattr(limits, name)
    is_money = unit == "usd"
    return LimitUsage(
        name=name,
        unit=unit,
        used=money(used) if is_money else int(used),
        limit=money(limit) if is_money else limit,
        resets_at=resets.get(name),
    )
