"""The money of a run: every reservation, charge and settlement passes through here.

A paid call is journalled as `reserve` before it begins and as `settle` when it has ended, with its charges in
between. What a process that died had reserved is found in the journal: it counts as spent in full, because
the provider may have billed it, until a call of the same name says what it did cost.
"""

import itertools
import typing as t
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import orjson

from impasto.errors import NodeError
from impasto.hashing import copy_exact
from impasto.runtime.admission import Admission
from impasto.runtime.budget import Budget, Reservation
from impasto.runtime.recording.journal_writer import JournalWriter
from impasto.runtime.replay import Assumed, RecoveredRun
from impasto.runtime.run_state import RunState
from impasto.runtime.task import Task
from impasto.sdk.paid_call import PaidCall, SpendingLimit

_PRICE_UNKNOWN = (
    "The price of this call is not known, and the run may spend no more than a set amount. Choose a model "
    "with a price, or allow models without one for this run."
)


class _OpenCall:
    """A call under way. `granted` is what was reserved for it, `held` the part that a limit outside holds."""

    def __init__(self, call_id: str, task: Task, reservation: Reservation, held: float) -> None:
        self.id = call_id
        self.task = task
        self.reservation = reservation
        self.granted = reservation.usd
        self.held = held
        self.is_own_key = task.uses_own_key


class Spending:
    """Reserves and counts what the steps of one run spend."""

    __slots__ = (
        "_admission",
        "_budget",
        "_buffer",
        "_numbers",
        "_recovered",
        "_state",
        "_writer",
    )

    def __init__(
        self,
        state: RunState,
        writer: JournalWriter,
        budget: Budget,
        recovered: RecoveredRun,
        admission: Admission,
    ) -> None:
        self._state = state
        self._writer = writer
        self._buffer = writer.buffer
        self._budget = budget
        self._recovered = recovered
        self._admission = admission
        self._numbers = itertools.count(1)

    # -- charges -------------------------------------------------------------------------------

    def charge(self, task: Task, usd: float, units: dict[str, float]) -> None:
        """Count a charge that no call was reserved for, first against the task's own reservation."""
        self._record_charge(task.step.id, usd, units, task.uses_own_key)
        self._count(task, usd, units, task.reservation)

    def _count(
        self, task: Task, usd: float, units: dict[str, float], reservation: Reservation | None
    ) -> None:
        self._budget.charge(usd, reservation)
        task.cost += usd
        counted = task.units = task.units if task.units is not None else {}
        for name, amount in units.items():
            counted[name] = counted.get(name, 0) + amount
        self._stop_if_exceeded()

    def _record_charge(
        self, step: str, usd: float, units: t.Mapping[str, float], is_own_key: bool, **about: t.Any
    ) -> None:
        body: dict[str, t.Any] = {"usd": usd, "units": units, **about}
        if is_own_key:
            body["own_key"] = True
        self._buffer.record("charge", "", step, copy_exact(orjson.dumps(body)))

    def _stop_if_exceeded(self) -> None:
        if self._budget.is_exceeded and not self._state.over:
            self._admission.on_budget_exceeded()

    # -- paid calls ----------------------------------------------------------------------------

    @asynccontextmanager
    async def reserve(
        self, task: Task, usd: float | None, at_least: float | None, name: str
    ) -> AsyncIterator[PaidCall]:
        """Reserve dollars for a call and settle what it cost; see `Context.reserve`."""
        limit = None if task.uses_own_key else self._state.options.spending
        is_limited = limit is not None or self._budget.max_usd is not None
        if usd is None:
            self._require_permission(limit)
            usd, is_limited = 0.0, False
        task.open_calls += 1
        try:
            call = await self._open(task, name, usd, usd if at_least is None else at_least, limit)
            paid = PaidCall(call.granted if is_limited else None, partial(self._on_charge, call))
            try:
                await self._record_reservation(call)
                try:
                    yield paid
                except Exception:
                    raise
                except BaseException:  # cancelled: the provider may bill what it was asked for
                    if not paid.is_settled:
                        paid.assume_spent()
                    raise
            finally:
                self._settle(call, is_left_open=paid.is_left_open)
        finally:
            task.open_calls -= 1

    def recover(self) -> None:
        """Count as spent what a process that died had reserved."""
        recovered = self._recovered
        for call_id, lost in recovered.take_unsettled().items():
            self._assume(call_id, lost.step, lost.usd, lost.is_own_key, reserved=lost.usd)
            self._budget.charge(lost.usd)
            index = self._state.plan.by_id.get(lost.step)
            if index is not None:
                carried = self._state.carried_costs
                carried[index] = carried.get(index, 0.0) + lost.usd
            self._record_settlement(call_id, lost.step, 0.0, lost.is_own_key)
        self._stop_if_exceeded()

    def _require_permission(self, limit: SpendingLimit | None) -> None:
        """Raise if a call without a known price may not be made."""
        if limit is not None:
            is_allowed = limit.allows_unpriced
        else:
            is_allowed = bool(self._state.options.allow_unpriced) or self._budget.max_usd is None
        if not is_allowed:
            raise NodeError(_PRICE_UNKNOWN, code="price_unknown")

    async def _open(
        self, task: Task, name: str, usd: float, at_least: float, limit: SpendingLimit | None
    ) -> _OpenCall:
        """Reserve in the run's budget, then in the limit outside.

        What an earlier call of the name was assumed to cost becomes a part of the reservation.
        """
        call_id = f"{task.name} {name}" if name else f"{task.name} #{next(self._numbers)}"
        earlier, task.reservation = task.reservation, None
        assumed = self._recovered.assumed.pop(call_id, None) if name else None
        covered = 0.0
        if assumed is not None:
            self._correct(call_id, task, assumed)
            earlier = self._budget.reopen(assumed.usd, earlier)
            covered = 0.0 if assumed.is_own_key else assumed.usd
        try:
            # A task that waits while it holds dollars could wait for one that waits for it.
            may_wait = task.open_calls == 1
            made = await self._budget.acquire(usd, at_least, earlier, may_wait=may_wait)
            if made is None:
                raise self._refusal()
            held = await self._hold(made, covered, at_least, limit, may_wait)
        except BaseException:
            if assumed is not None:
                self._assume(call_id, task.step.id, assumed.usd, assumed.is_own_key)
                self._budget.charge(assumed.usd)
            raise
        return _OpenCall(call_id, task, made, held)

    def _refusal(self) -> NodeError:
        """Stop the run, and return why."""
        self._admission.on_budget_exceeded()
        sentence = "The run has no budget left for this call."
        return self._state.stop_error or NodeError(sentence, code="budget_exceeded")

    async def _hold(
        self,
        made: Reservation,
        covered: float,
        at_least: float,
        limit: SpendingLimit | None,
        may_wait: bool,
    ) -> float:
        """Hold what is not `covered` by an earlier call in the limit outside; return how much it holds."""
        if limit is None or made.usd <= covered:
            return 0.0
        try:
            least = max(0.0, min(at_least, made.usd) - covered)
            held = await limit.hold(made.usd - covered, least, may_wait=may_wait)
        except BaseException:
            self._budget.release(made)
            raise
        self._budget.shrink(made, covered + held)
        return held

    def _correct(self, call_id: str, task: Task, assumed: Assumed) -> None:
        """Take back what a call was assumed to cost, because it goes on."""
        self._record_charge(task.step.id, -assumed.usd, {}, assumed.is_own_key, call=call_id, assumed=True)
        self._budget.spent -= assumed.usd
        task.cost -= assumed.usd

    async def _record_reservation(self, call: _OpenCall) -> None:
        """Journal the reservation; durable before the call begins, so that a crash cannot lose it."""
        if call.granted <= 0:
            return
        body = {"usd": call.granted, "held": call.held, **({"own_key": True} if call.is_own_key else {})}
        self._buffer.record("reserve", call.id, call.task.step.id, copy_exact(orjson.dumps(body)))
        await self._writer.wait_until_durable()

    def _on_charge(self, call: _OpenCall, usd: float, units: dict[str, float], is_assumed: bool) -> None:
        step = call.task.step.id
        if is_assumed:
            usd = call.reservation.usd
            self._assume(call.id, step, usd, call.is_own_key, reserved=usd)
        else:
            reserved = min(usd, call.reservation.usd)
            self._record_charge(step, usd, units, call.is_own_key, call=call.id, reserved=reserved)
        self._count(call.task, usd, units, call.reservation)

    def _assume(self, call_id: str, step: str, usd: float, is_own_key: bool, reserved: float = 0.0) -> None:
        """Journal dollars that a call may have cost, and remember them for a later call of the same name."""
        if usd > 0:
            self._recovered.assumed[call_id] = Assumed(usd, is_own_key)
            about = {"call": call_id, "reserved": reserved, "assumed": True}
            self._record_charge(step, usd, {}, is_own_key, **about)

    def _settle(self, call: _OpenCall, *, is_left_open: bool) -> None:
        if call.granted > 0 and not is_left_open:
            step = call.task.step.id
            self._record_settlement(call.id, step, call.reservation.usd, call.is_own_key)
        self._budget.release(call.reservation)

    def _record_settlement(self, call_id: str, step: str, usd: float, is_own_key: bool) -> None:
        body = {"usd": usd, **({"own_key": True} if is_own_key else {})}
        self._buffer.record("settle", call_id, step, copy_exact(orjson.dumps(body)))
