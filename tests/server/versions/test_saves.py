"""Which saves become entries of the history, and what a withdrawn version leaves."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete
from tests.server.sample_nodes import chain

from impasto_server.flows.models import FlowRow
from impasto_server.http.pagination import PageQuery
from impasto_server.users import service as users
from impasto_server.users.models import User
from impasto_server.versions import repository, service
from impasto_server.versions.models import VersionRow

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class History:
    """The history of an agent in one transaction."""

    def __init__(self, session: Any, row: FlowRow, owner: User, other: User) -> None:
        self.session, self.row, self.owner, self.other = session, row, owner, other

    async def save(
        self, revision: int, seconds: float, *, keep: bool = False, by: User | None = None, most: int = 99
    ) -> None:
        self.row.revision, self.row.draft = revision, {"name": "x" * revision}
        now = NOON + timedelta(seconds=seconds)
        await service.record_save(self.session, self.row, by or self.owner, now, keep=keep, max_entries=most)

    async def publish(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self.row, name, value)
        await service.record_publish(self.session, self.row, self.owner, "", NOON, {"a": {}})

    async def refs(self) -> list[str]:
        page = await service.list_versions(self.session, self.row, self.owner, PageQuery(99))
        return [item.ref for item in page.items]


@pytest.fixture
async def history(
    person: Any, new_person: Callable[..., Any], make_flow: Any, app_state: Any
) -> AsyncIterator[History]:
    made, other_id = await make_flow(person, chain("paint")), await (await new_person("ines")).id()
    async with app_state.database.writing() as session:
        await session.execute(delete(VersionRow))
        row, owner = await session.get(FlowRow, made["id"]), await users.find(session, await person.id())
        await session.refresh(row, ["draft"])
        yield History(session, row, owner, await users.find(session, other_id))


async def test_saves_within_five_minutes_are_one_entry(history: History) -> None:
    await history.save(1, 0)
    await history.save(2, 299.999)
    assert await history.refs() == ["r2"], "each save counts from the last one"
    assert await repository.stored_bytes(history.session, history.row.id) == len('{"name":"xx"}')
    await history.save(3, 599.999)
    assert await history.refs() == ["r3", "r2"]
    await history.save(4, 600, by=history.other)
    assert await history.refs() == ["r4", "r3", "r2"]


async def test_save_that_is_kept_is_an_entry_of_its_own(history: History) -> None:
    await history.save(1, 0)
    await history.save(2, 1, keep=True)
    await history.save(3, 2)
    assert await history.refs() == ["r3", "r2", "r1"]
    await history.save(3, 3, keep=True)
    await history.save(4, 4)
    assert await history.refs() == ["r4", "r3", "r2", "r1"], "the same draft was kept later"


async def test_versions_count_for_the_length_of_a_history(history: History) -> None:
    for number in range(1, 4):
        await history.save(number, number * 1000)
    await history.publish()
    await history.save(4, 4000, most=3)
    assert await history.refs() == ["r4", "1", "r3"]
    await history.save(5, 5000, most=1)
    assert await history.refs() == ["r5", "1"], "the newest save stays"


async def test_withdrawn_version_gives_way_to_the_newest_that_is_left(history: History) -> None:
    row, later = history.row, NOON + timedelta(hours=1)
    await history.publish(revision=5, visibility="public")
    await history.publish(revision=6, visibility="private")
    await history.publish(revision=7, visibility="public")
    assert (row.version, row.published_revision, row.status) == (3, 7, "published")
    for ref, left in (("1", (3, 7, "published")), ("3", (None, None, "draft"))):
        withdrawn = await service.withdraw(history.session, row, history.owner, ref, later)
        assert (withdrawn.ref, withdrawn.withdrawn_at) == (ref, later)
        assert (row.version, row.published_revision, row.status) == left, "version 2 is private"
    again = await service.withdraw(history.session, row, history.owner, "3", later + timedelta(hours=1))
    assert again.withdrawn_at == later
    assert row.updated_at == later


async def test_newest_version_is_shown_when_the_agent_becomes_public(history: History) -> None:
    await history.publish(revision=1, visibility="private")
    await history.publish(revision=2)
    history.row.visibility = "public"
    await service.share_newest(history.session, history.row)
    seen = await service.list_versions(history.session, history.row, history.other, PageQuery(9))
    assert [item.ref for item in seen.items] == ["2"]
    found = await service.get_launchable(history.session, history.row, history.other, 2)
    assert found.number == 2
    for number in (1, 3, 2**31):
        with pytest.raises(service.VersionNotFound):
            await service.get_launchable(history.session, history.row, history.other, number)


async def test_entries_are_named_by_number_or_revision(history: History) -> None:
    await history.save(1, 0)
    await history.publish(revision=1)
    row, owner, other = history.row, history.owner, history.other
    sub = {"a": {}}
    assert await service.document_with_subflows(history.session, row, owner, "1") == ({"name": "x"}, sub)
    assert await service.document_with_subflows(history.session, row, owner, "r1") == ({"name": "x"}, None)
    row.draft = {"name": "newest"}
    assert await service.documents_at(history.session, row, owner, "draft", "1") == (row.draft, {"name": "x"})
    for user, refs in ((owner, ("r0", "0", "01", "r2")), (other, ("r1", "draft", "2"))):
        for ref in refs:
            with pytest.raises(service.VersionNotFound):
                await service.document_at(history.session, row, user, ref)
