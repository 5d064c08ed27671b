"""The row of a run that is resumed: what is taken from it, what it keeps, and what its launch counts."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.runs import journal_repository, repository, service
from impasto_server.runs.models import RunRow
from impasto_server.users.models import User

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("at_noon")]
ENDED: dict[str, Any] = {
    "status": "failed", "error": {"code": "moderated"}, "finished_at": AT + timedelta(seconds=9),
    "cancel_requested": True, "fence": 4, "attempt": 1, "lease_owner": "one", "lease_until": AT,
    "quota_day": "2026-01-31", "last_seq": 7, "crashes": 3,
}  # fmt: skip


async def resumed(app_state: AppState, owner: str, run_id: str) -> RunRow:
    async with app_state.database.reading() as session:
        user = await session.get(User, owner)
    assert user is not None
    shown = await service.resume(app_state, user, run_id)
    assert (shown.id, shown.status, shown.can_cancel, shown.queue_position) == (run_id, "queued", True, 0)
    async with app_state.database.reading() as session:
        row = await repository.find(session, run_id)
    assert row is not None
    return row


async def test_resumed_run_waits_for_another_process_and_goes_on_with_its_events(
    app_state: AppState, owner: str, store: Store, store_records: Store, clock: Any
) -> None:
    money = {"reserved_usd": Decimal("0.5"), "charged_usd": Decimal("0.2"), "spend_cap_usd": Decimal(1)}
    await store(r1=ENDED | money)
    await store_records("r1", ("event", "run.started", None, 1, {}))
    row = await resumed(app_state, owner, "r1")
    assert (row.status, row.error, row.finished_at, row.cancel_requested) == ("queued", None, None, False)
    assert (row.lease_owner, row.lease_until, row.fence, row.attempt) == (None, None, 5, 2)
    assert (row.crashes, row.quota_day, row.last_seq) == (1, "2026-01-31", 7)
    assert row.enqueued_at is not None
    assert clock() - row.enqueued_at < timedelta(minutes=1)
    limit = app_state.limits.defaults.usd_per_day
    assert (row.reserved_usd, row.spend_cap_usd) == (Decimal("0.5"), Decimal("0.2") + limit)
    async with app_state.database.reading() as session:
        assert await journal_repository.has_records(session, "r1")
        assert (await app_state.limits.usage(owner, 0)).items[0].used == 0


async def test_run_that_never_started_counts_again_and_has_no_events(
    app_state: AppState, owner: str, store: Store, store_records: Store, clock: Any
) -> None:
    await store(r1=ENDED | {"status": "cancelled", "started_at": None, "quota_day": None, "crashes": 0})
    await store_records("r1", ("event", "run.cancelled", None, 7, {}))
    row = await resumed(app_state, owner, "r1")
    assert (row.quota_day, row.last_seq, row.crashes) == (clock().date().isoformat(), 0, 0)
    assert (row.reserved_usd, row.spend_cap_usd) == (0, None)
    async with app_state.database.reading() as session:
        assert not await journal_repository.has_records(session, "r1")
    assert (await app_state.limits.usage(owner, 0)).items[0].used == 1


async def test_run_on_keys_of_the_user_has_no_cap_after_it_is_resumed(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1=ENDED | {"reserved_usd": Decimal("0.1"), "charged_usd": Decimal("0.3")})
    row = await resumed(app_state, owner, "r1")
    assert (row.reserved_usd, row.charged_usd, row.spend_cap_usd) == (Decimal("0.1"), Decimal("0.3"), None)
