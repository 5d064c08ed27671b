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
from impasto_server.runs.models import RunRow

CODE = "spending_limit"


class RunSpending:
    """The spending of one run. `stop` ends the run once its running steps have finished."""

    def __init__(self, app_state: AppState) -> None:
        self._limits = app_state.limits
        self._settings = app_state.settings
        self.stop: Callable[[NodeError], None] = _ignore

    async def on_charge(self, session: AsyncSession, run_id: str, usd: Decimal) -> None:
        """Count what the run has spent, and stop it if its owner's limit is exceeded."""
        sentence = await self._limits.record_charge(session, run_id, usd)
        if sentence is not None:
            asyncio.get_running_loop().call_soon(self.stop, NodeError(sentence, code=CODE))

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
    """Do nothing: the run has not begun."""
