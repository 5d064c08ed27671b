"""What is found in the history of an agent."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete
from tests.server.sample_nodes import chain

from impasto_server.http.pagination import PageQuery, decode_cursor
from impasto_server.versions import repository
from impasto_server.versions.models import VersionRow
from impasto_server.versions.thinning import Save

pytestmark = pytest.mark.anyio
# In the order in which they were made.
HISTORY: dict[str, dict[str, Any]] = {
    "a": {"revision": 1, "bytes": 10},
    "b": {"revision": 1, "bytes": 20, "number": 1, "public": True},
    "c": {"revision": 2, "bytes": 40, "kept": True},
    "d": {"revision": 2, "bytes": 80, "number": 2, "public": False},
    "e": {"revision": 3, "bytes": 160, "number": 3, "public": True, "withdrawn": True},
}


@pytest.fixture
async def flow_id(person: Any, make_flow: Any, app_state: Any) -> str:
    """An agent with this history, and another one with one save and one version."""
    mine, other = [(await make_flow(person, chain("paint"), name=name))["id"] for name in ("One", "Two")]
    now = app_state.clock()
    async with app_state.database.writing() as session:
        await session.execute(delete(VersionRow))
        author = await person.id()
        for minute, (entry_id, values) in enumerate(HISTORY.items()):
            given = {name: value for name, value in values.items() if name != "withdrawn"}
            session.add(
                VersionRow(
                    **given, id=entry_id, flow_id=mine, document={"name": entry_id}, author_id=author,
                    created_at=now + timedelta(minutes=minute),
                    withdrawn_at=now if "withdrawn" in values else None,
                )
            )  # fmt: skip
        for entry_id, number in (("x", None), ("y", 9)):
            session.add(
                VersionRow(
                    id=entry_id, flow_id=other, document={}, revision=9, bytes=1000, number=number,
                    public=True, created_at=now,
                )
            )  # fmt: skip
    return str(mine)


def id_of(row: VersionRow | None) -> str | None:
    return row.id if row else None


async def test_saves_and_versions_are_found_with_their_documents(app_state: Any, flow_id: str) -> None:
    async with app_state.database.reading() as session:
        saves = [await repository.save_at(session, flow_id, revision) for revision in (1, 2, 3, 9)]
        assert [id_of(row) for row in saves] == ["a", "c", None, None]
        published = [await repository.find_published(session, flow_id, number) for number in (1, 2, 3, 9)]
        assert [id_of(row) for row in published] == ["b", "d", "e", None]
        assert [row.document["name"] for row in (*saves, *published) if row] == ["a", "c", "b", "d", "e"]
        assert id_of(await repository.newest(session, flow_id)) == "e"
        assert await repository.newest(session, "none") is None


async def test_newest_version_to_launch_is_not_withdrawn(app_state: Any, flow_id: str) -> None:
    async with app_state.database.reading() as session:
        assert id_of(await repository.newest_runnable(session, flow_id, public=False)) == "d"
        assert id_of(await repository.newest_runnable(session, flow_id, public=True)) == "b"
        assert await repository.newest_runnable(session, "none", public=False) is None


async def test_history_is_counted_for_one_agent(app_state: Any, flow_id: str) -> None:
    async with app_state.database.reading() as session:
        assert await repository.highest_number(session, flow_id) == 3
        assert await repository.count_published(session, flow_id) == 3
        assert await repository.stored_bytes(session, flow_id) == 310
        saves = await repository.saves(session, flow_id)
        for count in (repository.highest_number, repository.count_published, repository.stored_bytes):
            assert await count(session, "none") == 0
    kept = {save.id: save.is_kept for save in saves}
    assert list(kept.items()) == [("c", True), ("a", False)]
    assert saves[0].created_at - saves[1].created_at == timedelta(minutes=2)
    assert isinstance(saves[0], Save)


async def test_others_see_public_versions_that_are_not_withdrawn(app_state: Any, flow_id: str) -> None:
    async with app_state.database.reading() as session:
        page, cursor = await repository.history(session, flow_id, PageQuery(5), own=True)
        assert [(row.id, name) for row, name in page] == [(each, "mara") for each in "edcba"]
        assert cursor is None
        page, cursor = await repository.history(session, flow_id, PageQuery(4), own=True)
        assert [row.id for row, _ in page] == ["e", "d", "c", "b"]
        assert cursor is not None
        after = PageQuery(4, decode_cursor(cursor))
        page, cursor = await repository.history(session, flow_id, after, own=True)
        assert ([row.id for row, _ in page], cursor) == (["a"], None)
        page, cursor = await repository.history(session, flow_id, PageQuery(5), own=False)
        assert ([row.id for row, _ in page], cursor) == (["b"], None)


async def test_deleted_entries_are_those_that_are_named(app_state: Any, flow_id: str) -> None:
    for ids, left in (([], "edcba"), (["a", "d", "none"], "ecb")):
        async with app_state.database.writing() as session:
            await repository.delete_entries(session, ids)
            page, _ = await repository.history(session, flow_id, PageQuery(9), own=True)
            assert [row.id for row, _ in page] == list(left)
