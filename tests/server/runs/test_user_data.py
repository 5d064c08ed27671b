"""The runs in the export of a user, and what is notified when the user is deleted."""

from typing import Any

import orjson
import pytest
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto_server.container import AppState
from impasto_server.runs import cancel_requests
from impasto_server.runs.user_data import data_owner
from impasto_server.users.data_owners import Erasure

pytestmark = pytest.mark.anyio


async def exported(app_state: AppState, user_id: str) -> Any:
    (entry,) = [each async for each in data_owner.export(app_state.database, user_id)]
    assert entry.path == "runs.json"
    assert entry.pieces is not None
    return orjson.loads(b"".join([piece async for piece in entry.pieces]))


async def test_export_has_each_run_with_the_details_of_its_error_but_no_deleted_one(
    app_state: AppState, owner: str, new_person: Any, store: Store
) -> None:
    error = {"code": "moderated", "message": "Refused.", "detail": "policy 12"}
    ines = await (await new_person("ines")).id()
    await store(
        r1={"status": "failed", "error": error, "inputs": {"ask": "Hi"}}, r2={"deleted_at": AT},
        r3={"owner_id": ines},
    )  # fmt: skip
    (run,) = await exported(app_state, owner)
    assert (run["id"], run["status"], run["inputs"]) == ("r1", "failed", {"ask": "Hi"})
    assert run["error"] == {**error, "retryable": False, "provider": None}
    assert [run["id"] for run in await exported(app_state, ines)] == ["r3"]
    assert await exported(app_state, "noor") == []


async def test_processes_are_notified_if_a_deleted_user_has_live_runs(
    app_state: AppState, owner: str, new_person: Any, store: Store
) -> None:
    ines = await (await new_person("ines")).id()
    await store(r1={"status": "running"}, r2={}, r3={"owner_id": ines, "status": "cancelled"})
    async with app_state.database.writing() as session:
        assert await data_owner.erase(session, owner) == Erasure(topics=[cancel_requests.TOPIC])
        assert await data_owner.erase(session, ines) == Erasure(topics=[])
        assert not await data_owner.references(session, "a key")
