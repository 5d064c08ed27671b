"""A run's row as those read it who execute the run."""

from typing import Any

import pytest
from sqlalchemy import inspect
from tests.server.sample_nodes import chain

from impasto_server.runs import repository
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


async def test_run_is_the_same_with_a_session_and_without(
    person: Any, app_state: Any, make_flow: Any, run_flow: Any
) -> None:
    made = await make_flow(person, chain("shout"))
    launched = await run_flow(person, made["id"])
    await app_state.runs.stop()
    async with app_state.database.reading() as session:
        expected = await repository.find(session, launched["id"])

    row = await repository.find_detached(app_state.database, launched["id"])

    names = [attribute.key for attribute in inspect(RunRow).column_attrs]
    assert {name: getattr(row, name) for name in names} == {name: getattr(expected, name) for name in names}
    assert await repository.find_detached(app_state.database, "unknown") is None
