"""One run, executed to its end by whoever owns it."""

import asyncio
from functools import partial
from typing import Any

import structlog

import impasto
from impasto import FlowInvalid
from impasto.errors import LeaseHeld, LeaseLost, RunExists
from impasto_server.assets.run_store import RunFacts, RunStore
from impasto_server.callbacks.service import open_callback
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.flows.compilation import read_blueprint
from impasto_server.runs import repository, termination
from impasto_server.runs.journal import DatabaseJournal
from impasto_server.runs.models import RunRow
from impasto_server.runs.pubsub import Wake
from impasto_server.runs.reuse import ReuseCaches
from impasto_server.utils import shielded

log = structlog.get_logger()
_RETRY_SECONDS = 1.0
_LOOK_SECONDS = 30.0  # how often a cancellation is looked for, should its signal get lost


class Executor:
    """Executes runs under one name; several of them may share a database."""

    def __init__(self, app_state: AppState, owner: str) -> None:
        self._app_state = app_state
        self._owner = owner
        self._caches = ReuseCaches(app_state.database, app_state.clock)
        self._active: dict[str, asyncio.Event] = {}

    async def execute(self, run_id: str) -> None:
        """Own the run and take it to its end, or leave it to whoever owns it.

        When the surrounding task is cancelled, the run is let go as it is: another process goes on with it.
        """
        # A run that is resumed may be handed out again before its end here was noted.
        while (ending := self._active.get(run_id)) is not None:
            await ending.wait()
        over = self._active[run_id] = asyncio.Event()
        try:
            await self._execute(run_id)
        finally:
            del self._active[run_id]
            over.set()

    async def _execute(self, run_id: str) -> None:
        row, begun = await self._load(run_id)
        if row is None or row.status not in repository.LIVE:
            return
        try:
            await (self._go_on(row) if begun else self._begin(row))
        except (LeaseHeld, LeaseLost, RunExists) as error:
            log.info("run left to its owner", run=run_id, reason=str(error))
        except FlowInvalid as error:
            # The node types at hand changed since the launch was checked.
            await termination.fail(self._app_state, run_id, self._owner, "flow_invalid", str(error))
        except Exception as error:
            log.error("run crashed", run=run_id, exc_info=error)
            await termination.fail(self._app_state, run_id, self._owner, "internal_error", None)

    @shielded
    async def _load(self, run_id: str) -> tuple[RunRow | None, bool]:
        async with self._app_state.database.reading() as session:
            row = await repository.find(session, run_id)
            return row, await repository.has_records(session, run_id)

    async def _begin(self, row: RunRow) -> None:
        found = read_blueprint(
            row.document, self._app_state.catalog, row.subflows, flow_id=row.flow_id, targets=row.targets
        )
        if found.plan is None:
            sentences = "; ".join(problem.message for problem in found.problems)
            await termination.fail(self._app_state, row.id, self._owner, "flow_invalid", sentences)
            return
        await self._follow(
            row.id,
            impasto.start(
                found.plan,
                row.inputs,
                run_id=row.id,
                reuse=row.reuse,
                fresh=row.fresh,
                targets=row.targets,
                **self._surroundings(row),
            ),
        )

    async def _go_on(self, row: RunRow) -> None:
        await self._follow(
            row.id, impasto.resume(row.id, catalog=self._app_state.catalog, **self._surroundings(row))
        )

    async def _follow(self, run_id: str, starting: impasto.Run) -> None:
        async with self._app_state.signals.listen(f"cancel {run_id}") as wake, starting as run:
            watcher = asyncio.create_task(self._watch(run, wake))
            try:
                await run.result()
            finally:
                wake.close()
                await watcher

    async def _watch(self, run: impasto.Run, wake: Wake) -> None:
        """Cancel the run when its user asked for it. Ends by its wake: a query is never torn off."""
        while not wake.closed:
            asked = await self._asked(run.id)
            if asked and not wake.closed:
                await run.cancel()
                return
            await wake.wait(_LOOK_SECONDS if asked is not None else _RETRY_SECONDS)

    async def _asked(self, run_id: str) -> bool | None:
        """Whether the run should stop; None when the database does not tell."""
        try:
            async with self._app_state.database.reading() as session:
                return await repository.cancel_requested(session, run_id)
        except Exception as error:
            log.warning("cancellation cannot be looked for", run=run_id, exc_info=error)
            return None

    def _surroundings(self, row: RunRow) -> dict[str, Any]:
        app_state, settings = self._app_state, self._app_state.settings
        owner_id = row.owner_id

        async def credential(provider: str) -> str | None:
            return await credentials.reveal(app_state, owner_id, provider)

        facts = RunFacts(row.id, owner_id, row.flow_id, row.flow_name, row.version)
        return {
            "journal": DatabaseJournal(app_state.database, app_state.signals, app_state.clock),
            "cache": self._caches.of(owner_id),
            "store": RunStore(app_state.database, app_state.storage, facts),
            "credentials": credential,
            "configuration": settings.configuration,
            "callbacks": partial(open_callback, app_state),
            "allow_private_hosts": settings.allow_private_hosts,
            "budget_usd": None if row.budget_usd is None else float(row.budget_usd),
            "max_concurrency": settings.max_concurrent_steps,
            "timeout": settings.run_timeout,
            "owner": self._owner,
            "lease_seconds": settings.lease_seconds,
        }
