"""Which entries of the audit log a filter matches, and which of the old ones are deleted first."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from impasto_server.audit import repository
from impasto_server.audit.models import AuditRow
from impasto_server.audit.schemas import AuditFilter
from impasto_server.container import AppState
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio


async def test_filter_matches_action_outcome_user_address_and_time(app_state: AppState) -> None:
    at, day = utc_now().replace(microsecond=0) - timedelta(days=400), timedelta(days=1)
    entries: dict[str, dict[str, Any]] = {
        "e1": {"at": at, "action": "api_key.create", "actor_id": "mara", "address": "192.0.2.1"},
        "e2": {"at": at + day, "action": "api_key.use", "outcome": "denied", "target_id": "mara"},
        "e3": {"at": at + 2 * day, "action": "api_keys", "actor_id": "ines", "target_id": "noor"},
        "e4": {"at": at - day, "action": "api_key", "outcome": "failure", "address": "192.0.2.11"},
    }
    usual = {"outcome": "success", "actor_kind": "user", "details": {}}
    async with app_state.database.writing() as session:
        session.add_all(AuditRow(id=entry_id, **usual | about) for entry_id, about in entries.items())
    async with app_state.database.reading() as session:

        async def found(**wanted: Any) -> str:
            query = repository.entries(AuditFilter(**wanted)).where(AuditRow.id.in_(entries))
            return " ".join([row.id for row in await session.scalars(query.order_by(AuditRow.id))])

        assert await found() == "e1 e2 e3 e4"
        assert await found(action="api_key") == "e1 e2 e4"
        assert await found(action="api_key.use") == "e2"
        assert await found(outcome="success") == "e1 e3"
        assert await found(user_id="mara") == "e1 e2"
        assert await found(user_id="noor") == "e3"
        assert await found(address="192.0.2.1") == "e1"
        assert await found(since=at) == "e1 e2 e3"
        assert await found(until=at) == "e4"
        assert await found(user_id="mara", outcome="denied") == "e2"
    async with app_state.database.writing() as session:
        assert await repository.delete_before(session, at + day, 1) == 1
        left = sorted(set(await session.scalars(select(AuditRow.id))) & entries.keys())
        assert left == ["e1", "e2", "e3"], "the oldest one is deleted first"
        assert await repository.delete_before(session, at + day, 9) == 1
        assert await repository.delete_before(session, at + day, 9) == 0
        assert sorted(set(await session.scalars(select(AuditRow.id))) & entries.keys()) == ["e2", "e3"]
