"""The outputs that a run keeps of the run of which it regenerates a part."""

from typing import Any

import pytest
from tests.server.flows.archives import upload
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import Store
from tests.server.sample_nodes import image_reference

from impasto_server.container import AppState
from impasto_server.runs.launch.earlier_run import earlier_outputs
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio
LAUNCH: dict[str, Any] = {
    "document": {"nodes": [{"id": "a"}]}, "subflows": {"f2": {}}, "inputs": {"ask": "Hi"}, "flow_id": None,
    "brands": [{"brand_id": "b1"}],
}  # fmt: skip


async def test_outputs_are_kept_of_the_same_launch_of_the_same_user_while_their_files_exist(
    person: Any, app_state: AppState, owner: str, store: Store, store_records: Store
) -> None:
    asset_id = (await upload(person))["id"]
    await store(r1=LAUNCH)
    outputs: dict[str, Any] = {
        "a": {"output": "text"},
        "b": {"output": [image_reference(asset_id), 1]},
        "c": {"output": [image_reference(asset_id), image_reference("gone")]},
    }
    await store_records(
        "r1", *(("event", "step.finished", step, 1, {"outputs": made}) for step, made in outputs.items())
    )

    async def kept(**about: Any) -> list[str] | None:
        row = RunRow(**{**LAUNCH, "id": "r2", "owner_id": owner, "again_of": "r1", **about})
        async with app_state.database.reading() as session:
            found = await earlier_outputs(session, row)
        return None if found is None else sorted(found)

    assert await kept() == ["a", "b"]
    for change in (
        {"again_of": None},
        {"again_of": "gone"},
        {"owner_id": "ines"},
        {"flow_id": "another"},
        {"document": {"nodes": []}},
        {"subflows": {}},
        {"inputs": {"ask": "Ho"}},
        {"brands": None},
    ):
        assert await kept(**change) is None, change
