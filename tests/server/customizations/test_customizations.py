"""The launch inputs that users set under Customize: through the API, on both databases."""

import asyncio
import io
import zipfile
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from sqlalchemy import func, select
from tests.server.responses import expect
from tests.server.sample_nodes import flow

from impasto_server.customizations.errors import MAX_BYTES
from impasto_server.customizations.models import CustomizationRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def read(person: Any, made: dict[str, Any]) -> Any:
    return expect(await person.client.get(f"/flows/{made['id']}/customization"), 200).json()


async def stored(person: Any, made: dict[str, Any]) -> Any:
    return (await read(person, made))["values"]


async def put(person: Any, made: dict[str, Any], **values: Any) -> Any:
    return await person.client.patch(f"/flows/{made['id']}/customization", json={"values": values})


async def test_each_user_has_own_values_of_an_agent(
    person: Any, new_person: Any, publish: Any, clock: Any
) -> None:
    made = await publish(person, flow("ask"), visibility="public")
    noor = await new_person("noor")
    assert await read(person, made) == {"values": {}, "updated_at": None}
    first = expect(await put(person, made, tone="Warm", count=3), 200).json()
    assert first["values"] == {"tone": "Warm", "count": 3}
    clock.travel(minutes=1)
    second = expect(await put(person, made, count=None, ratio="4:5"), 200).json()
    assert await read(person, made) == second
    assert second["values"] == {"tone": "Warm", "ratio": "4:5"}
    assert second["updated_at"] > first["updated_at"]
    assert await stored(noor, made) == {}
    expect(await put(noor, made, tone="Dry"), 200)
    expect(await person.client.delete(f"/flows/{made['id']}/customization"), 204)
    expect(await person.client.delete(f"/flows/{made['id']}/customization"), 204)
    assert (await stored(person, made), await stored(noor, made)) == ({}, {"tone": "Dry"})


async def test_values_of_an_agent_that_is_not_visible_cannot_be_stored(
    person: Any, new_person: Any, make_flow: Any
) -> None:
    made = await make_flow(person, flow("ask"))
    noor = await new_person("noor")
    expect(await put(noor, made, tone="Dry"), 404, code="not_found")
    path = f"/flows/{made['id']}/customization"
    expect(await noor.client.get(path), 404, code="not_found")
    expect(await noor.client.delete(path), 404, code="not_found")


async def test_simultaneous_changes_are_all_stored(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("ask"))
    await asyncio.gather(*(put(person, made, **{f"field_{number}": number}) for number in range(8)))
    assert await stored(person, made) == {f"field_{number}": number for number in range(8)}


async def test_too_large_values_are_refused_and_change_nothing(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("ask"))
    expect(await put(person, made, first="a" * (MAX_BYTES // 2)), 200)
    expect(await put(person, made, second="b" * (MAX_BYTES // 2)), 413, code="too_large")
    assert list(await stored(person, made)) == ["first"]


async def test_values_may_have_the_size_of_the_limit(person: Any, make_flow: Any) -> None:
    made = await make_flow(person, flow("ask"))
    frame = len(orjson.dumps({"first": ""}))
    expect(await put(person, made, first="a" * (MAX_BYTES - frame)), 200)
    expect(await put(person, made, first="a" * (MAX_BYTES - frame + 1)), 413)


async def test_values_are_exported_and_deleted_with_their_agent(
    app: Any, person: Any, new_person: Callable[..., Any], make_flow: Any
) -> None:
    made = await make_flow(person, flow("ask"))
    saved = expect(await put(person, made, tone="Warm"), 200).json()
    archive = zipfile.ZipFile(io.BytesIO((await person.client.get("/users/me/export")).content))
    (exported,) = orjson.loads(archive.read("customizations.json"))
    exported["updated_at"] = exported["updated_at"].replace("+00:00", "Z")
    assert exported == {"flow_id": made["id"], **saved}
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    async with app.state.app_state.database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(CustomizationRow)) == 0
