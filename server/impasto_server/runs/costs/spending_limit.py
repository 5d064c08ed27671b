"""The spending limit of a run's owner, applied while the run is executed."""

import asyncio
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from impasto import NodeError
from impasto_server.container import AppState
from impasto_server.limits import refusals
from impasto_server.limits.periods import stored
from impasto_server.limits.service import Hold
from impasto_server.outages import raise_unavailable
from impasto_server.runs.models import RunRow
from impasto_server.utils import shielded

CODE = "spending_limit"
_FIRST_WAIT_SECONDS, _MAX_WAIT_SECONDS = 0.1, 1.0


class RunSpending:
    """The spending of one run on the server's keys: the engine's `SpendingLimit`, and the journal's.

    `stop` ends the run once its running steps have finished.
    """

    def __init__(self, app_state: AppState, run_id: str) -> None:
        self._app_state = app_state
        self._limits = app_state.limits
        self._settings = app_state.settings
        self._run_id = run_id
        self.allows_unpriced = app_state.settings.allow_unpriced_models
        self.stop: Callable[[NodeError], None] = _ignore

    async def hold(self, usd: float, at_least: float, *, may_wait: bool) -> float:
        """Reserve dollars of the owner's limits for a call; wait while calls of other runs may free some.

        Raises NodeError if too few are left.
        """
        delay = _FIRST_WAIT_SECONDS
        while True:
            with raise_unavailable("database"):
                found = await self._hold(usd, at_least)
            if found.usd > 0:
                return min(usd, float(found.usd))
            if not (may_wait and found.may_grow):
                raise NodeError(found.sentence, code=CODE)
            await asyncio.sleep(delay)
            delay = min(_MAX_WAIT_SECONDS, delay * 2)

    @shielded
    async def _hold(self, usd: float, at_least: float) -> Hold:
        async with self._app_state.database.writing() as session:
            return await self._limits.hold(session, self._run_id, stored(usd), stored(at_least))

    async def on_charge(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Count what the run has spent, and stop it if its owner's limit is exceeded."""
        sentence = await self._limits.record_charge(session, run_id, usd)
        if sentence is not None:
            asyncio.get_running_loop().call_soon(self.stop, NodeError(sentence, code=CODE))

    async def on_settled(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Free what calls have held."""
        await self._limits.release(session, run_id, usd)

    def budget_options(self, row: RunRow) -> dict[str, Any]:
        """Return the engine's options for the smaller of the launch's budget and the owner's limit.

        Infinity instead of None: a resumed run would take the budget that it was started with.
        """
        budget, cap = row.budget_usd, row.spend_cap_usd
        if cap is not None and (budget is None or cap < budget):
            error = NodeError(refusals.cap_sentence(self._settings), code=CODE)
            return {"budget_usd": float(cap), "budget_error": error}
        if budget is None:
            return {"budget_usd": math.inf if row.started_at is not None else None}
        return {"budget_usd": float(budget)}


def _ignore(error: NodeError) -> None:
    """Do nothing: the run has not started."""
