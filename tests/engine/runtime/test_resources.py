"""What the steps of a run share: the store, the HTTP client, and the assets that a reused output needs."""

import orjson
import pytest

from impasto import Context, File, Json, MemoryStore, execute, node
from impasto.runtime.resources import Resources
from impasto.runtime.step_output import StepOutput
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio
A, B, GONE = ({"$type": "File", "asset_id": name} for name in ("a", "b", "gone"))


@pytest.mark.parametrize(
    ("values", "has_all"),
    [
        ([A], True),
        ([GONE], False),
        ([[1, A, B]], True),
        ([[A, [GONE]]], False),
        ([{"x": {"y": [A]}, "z": "gone"}], True),
        ([{"x": {"y": [A, GONE]}, "z": A}], False),
        ([{**A, "poster": GONE}], False),
        ([A, None, GONE], False),
        ([None], True),
        (["asset_id"], True),
    ],
    ids=["kept", "gone", "list", "deep list", "object", "deep object", "inside", "port", "closed", "text"],
)
def test_output_can_be_reused_if_the_store_has_every_asset_in_it(values, has_all):
    store = MemoryStore()
    store.assets = {"a": b"1", "b": b"2"}
    blobs = tuple(None if value is None else orjson.dumps(value) for value in values)
    assert Resources(store).has_assets(StepOutput.hashed(blobs)) is has_all


async def test_steps_share_a_store_and_a_client_that_is_closed_with_the_run():
    clients = []

    @node
    async def keep(*, context: Context) -> File:
        clients.append(context.http)
        return await context.store(b"kept", "text/plain")

    @node
    async def read(file: File, *, context: Context) -> Json:
        clients.append(context.http)
        return [(await context.read(file)).decode(), context.http.is_closed]

    result = await execute(plan_of([keep, read], {"k": "keep", "r": "read"}, [("k.output", "r.file")]))
    assert result.outputs["r.output"] == ["kept", False]
    assert clients[0] is clients[1]
    assert clients[0].is_closed
