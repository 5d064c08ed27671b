"""How the files of an agent are marked, and the name in their credentials."""

from typing import Any

import pytest
from tests.server.responses import expect

from impasto_server.marking.options import MarkingOptions, read_options

pytestmark = pytest.mark.anyio


async def test_options_are_those_of_the_agent_and_the_name_is_that_of_the_owner(
    person: Any, app_state: Any, make_flow: Any
) -> None:
    owner_id = await person.id()
    expect(await person.client.put("/users/me/credentials-name", json={"name": "Mara"}), 200)
    flow_id = (await make_flow(person))["id"]
    for chosen in ({"watermark": True, "mark_exports": False}, {"watermark": False, "mark_exports": True}):
        expect(await person.client.patch(f"/flows/{flow_id}", json=chosen), 200)
        expected = MarkingOptions(chosen["watermark"], chosen["mark_exports"], "Mara")
        assert await read_options(app_state.database, owner_id, flow_id) == expected
    for deleted in ("unknown", None):
        found = await read_options(app_state.database, owner_id, deleted)
        assert found == MarkingOptions(has_watermark=False, marks_exports=False, creator="Mara")
    assert await read_options(app_state.database, "another", None) == MarkingOptions()
