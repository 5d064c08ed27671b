"""Queries of assets: which rows they find, in which order, and what links versions."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.assets.asset_rows import asset_row
from tests.server.sample_nodes import flow

from impasto_server.assets import repository
from impasto_server.assets.models import AssetRow
from impasto_server.assets.repository import LibraryFilter
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
Add = Callable[..., Awaitable[None]]


@pytest.fixture
async def owner(person: Any) -> str:
    return str(await person.id())


@pytest.fixture
def add(app_state: Any, owner: str) -> Add:
    """Return a function that stores assets of the user with these ids, all with the same values."""

    async def store(*ids: str, **values: Any) -> None:
        about = {"name": "a", "created_at": NOON, **values}
        async with app_state.database.writing() as session:
            session.add_all(asset_row(each, owner, **about) for each in ids)

    return store


async def listed(app_state: Any, owner: str, **wanted: Any) -> list[str]:
    query = repository.library_query(owner, LibraryFilter(**wanted)).order_by(AssetRow.id)
    async with app_state.database.reading() as session:
        return [row.id for row in await session.scalars(query)]


async def links(app_state: Any) -> dict[str, tuple[str | None, str | None]]:
    """Return for each asset the one that it replaces and the one that replaces it."""
    async with app_state.database.reading() as session:
        rows = await session.scalars(select(AssetRow))
        return {row.id: (row.replaces_id, row.replaced_by_id) for row in rows}


async def chain(app_state: Any, owner: str, *ids: str) -> None:
    async with app_state.database.writing() as session:
        for before, after in pairwise(ids):
            await repository.replace(session, owner, before, after)


async def test_library_shows_finals_that_nothing_replaced(app_state: Any, owner: str, add: Add) -> None:
    await add("a")
    await add("b", replaced_by_id="a")
    await add("c", source="font")
    await add("d", intermediate=True, favourite=True)
    assert await listed(app_state, owner) == ["a"]
    assert await listed(app_state, owner, intermediate=True) == ["a", "d"]
    assert await listed(app_state, owner, favourite=True) == ["d"]
    assert await listed(app_state, "another", intermediate=True) == []


async def test_library_is_filtered_by_kind_source_and_time(app_state: Any, owner: str, add: Add) -> None:
    await add("a", kind="video", created_at=NOON)
    await add("b", source="run", created_at=NOON + timedelta(seconds=1))
    assert await listed(app_state, owner, kind="video") == ["a"]
    assert await listed(app_state, owner, source="run") == ["b"]
    assert await listed(app_state, owner, since=NOON) == ["a", "b"]
    assert await listed(app_state, owner, since=NOON + timedelta(seconds=1)) == ["b"]
    assert await listed(app_state, owner, until=NOON + timedelta(seconds=1)) == ["a"]
    assert await listed(app_state, owner, until=NOON) == []
    assert await listed(app_state, owner, flow_id="none") == await listed(app_state, owner, tag="none") == []


async def test_newest_assets_exclude_fonts(app_state: Any, owner: str, add: Add) -> None:
    await add("a", "b", "c")
    await add("d", source="font")
    async with app_state.database.reading() as session:
        assert [row.id for row in await repository.newest(session, owner, 2)] == ["c", "b"]


async def test_old_fonts_are_listed_in_pages(app_state: Any, add: Add) -> None:
    await add("a", "b", "c", source="font")
    await add("d", source="font", created_at=NOON + timedelta(seconds=1))
    await add("e")
    async with app_state.database.reading() as session:
        before = NOON + timedelta(seconds=1)
        first = await repository.old_fonts(session, before, "", 2)
        rest = await repository.old_fonts(session, before, "b", 2)
        assert [row.id for row in (*first, *rest)] == ["a", "b", "c"]
        assert list(await repository.old_fonts(session, NOON, "", 2)) == []


async def test_content_is_found_by_its_hash(app_state: Any, owner: str, add: Add) -> None:
    async with app_state.database.writing() as session:
        session.add(RunRow(id="run", owner_id=owner, number=1, flow_name="Till", document=flow("ask")))
    await add("a", run_id="run", sha256="1" * 64)
    await add("b", "c", sha256="1" * 64)
    await add("d", "e", sha256="2" * 64)
    await add("f", sha256="2" * 64, source="font")
    async with app_state.database.reading() as session:
        generated, newest = [await repository.by_digest(session, owner, each * 64) for each in "12"]
        assert generated is not None
        assert newest is not None
        assert (generated.id, newest.id) == ("a", "f")
        assert await repository.by_digest(session, "another", "1" * 64) is None
        font = await repository.font_with_content(session, owner, "2" * 64)
        assert font is not None
        assert font.id == "f"
        assert await repository.font_with_content(session, owner, "1" * 64) is None
        assert await repository.has_content(session, "1" * 64)
        assert not await repository.has_content(session, "3" * 64)


async def test_assets_are_found_for_their_owner_or_for_any_user(
    app_state: Any, owner: str, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "_IDS_AT_ONCE", 2)
    await add("a", "b", "c")
    async with app_state.database.reading() as session:
        ids = ["c", "none", "a", "b"]
        assert {row.id for row in await repository.find_many(session, owner, ids)} == {"a", "b", "c"}
        assert list(await repository.find_many(session, "another", ids)) == []
        assert await repository.find(session, "another", "a") is None
        found = await repository.find_any(session, "a")
        assert found is not None
        assert found.id == "a"


class TestVersions:
    @pytest.fixture
    def database_url(self, either_database: str) -> str:
        return either_database

    async def test_versions_are_listed_oldest_first_from_any_of_them(
        self, app_state: Any, owner: str, add: Add, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await add("a", "b", "c", "d")
        await chain(app_state, owner, "a", "b", "c")
        async with app_state.database.reading() as session:

            async def versions(asset_id: str) -> list[str]:
                row = await session.get(AssetRow, asset_id)
                return [each.id for each in await repository.versions_of(session, row)]

            assert [await versions(each) for each in "abcd"] == [["a", "b", "c"]] * 3 + [["d"]]
            monkeypatch.setattr(repository, "MAX_CHAIN", 1)
            assert await versions("a") == ["b", "c"]
            assert set(await repository.newer_versions(session, owner, ["a"])) == {"b", "c"}
            assert await repository.newer_versions(session, owner, ["c", "d"]) == []
            assert await repository.newer_versions(session, "another", ["a"]) == []
            monkeypatch.setattr(repository, "_MAX_STEPS", 1)
            assert await versions("a") == ["a", "b"]
            assert len(await repository.newer_versions(session, owner, ["a"])) == 1


async def test_versions_that_replace_each_other_end(app_state: Any, owner: str, add: Add) -> None:
    await add("a", "b")
    await chain(app_state, owner, "a", "b", "a")
    async with app_state.database.reading() as session:
        row = await session.get(AssetRow, "a")
        assert {each.id for each in await repository.versions_of(session, row)} == {"a", "b"}
        assert set(await repository.newer_versions(session, owner, ["a"])) == {"a", "b"}


async def test_links_are_made_and_undone_for_the_owner_alone(app_state: Any, owner: str, add: Add) -> None:
    await add("a", "b", "c")
    await chain(app_state, "another", "a", "b")
    assert await links(app_state) == {"a": (None, None), "b": (None, None), "c": (None, None)}
    await chain(app_state, owner, "a", "b", "c")
    assert await links(app_state) == {"a": (None, "b"), "b": ("a", "c"), "c": ("b", None)}
    async with app_state.database.writing() as session:
        await repository.remove_version(session, await session.get(AssetRow, "b"))
    assert await links(app_state) == {"a": (None, "c"), "b": ("a", "c"), "c": ("a", None)}
    async with app_state.database.writing() as session:
        await repository.undo_replacement(session, owner, "c")
    assert (await links(app_state))["a"] == (None, None)
    assert (await links(app_state))["c"] == (None, None)


async def test_only_one_asset_becomes_the_next_version(app_state: Any, owner: str, add: Add) -> None:
    await add("a", "b", "c")
    for new_id, is_next in (("b", True), ("c", False)):
        async with app_state.database.writing() as session:
            assert await repository.append_version(session, owner, "a", new_id) is is_next
    assert await links(app_state) == {"a": (None, "b"), "b": ("a", None), "c": ("a", None)}


async def test_costs_are_those_of_the_runs_assets_and_provenance_is_not_replaced(
    app_state: Any, owner: str, add: Add
) -> None:
    async with app_state.database.writing() as session:
        session.add(RunRow(id="run", owner_id=owner, number=1, flow_name="Till", document=flow("ask")))
    await add("a", run_id="run", step="paint")
    await add("b", run_id="run", step="paint", made_by={"prompt": "first"}, prompt="first")
    await add("c", step="paint")
    await add("d", run_id="run", step="draw")
    made_by = {"prompt": "a blue\0 jug", "model": "m"}
    async with app_state.database.writing() as session:
        await repository.record_costs(session, "run", "paint", ["a", "b", "c"], Decimal("0.5"), made_by)
    async with app_state.database.reading() as session:
        rows = {row.id: row for row in await session.scalars(select(AssetRow))}
    assert [rows[each].cost_usd for each in "abc"] == [Decimal("0.5"), Decimal("0.5"), None]
    assert (rows["a"].made_by, rows["a"].prompt) == (made_by, "a blue jug")
    assert " jug " in rows["a"].words
    assert rows["b"].prompt == "first"
    async with app_state.database.writing() as session:
        await repository.record_costs(session, "run", "paint", ["b"], Decimal("0.1"), None)
        await repository.record_costs(session, "run", "draw", ["d"], Decimal(0), {"model": "m"})
        await repository.release_run(session, "run")
    async with app_state.database.reading() as session:
        rows = {row.id: row for row in await session.scalars(select(AssetRow))}
    assert (rows["b"].cost_usd, rows["b"].run_id, rows["a"].run_id) == (Decimal("0.1"), None, None)
    assert (rows["d"].made_by, rows["d"].prompt, rows["d"].cost_usd) == ({"model": "m"}, "", 0)


async def test_file_that_was_signed_before_is_found_by_its_unsigned_bytes(
    app_state: Any, owner: str, add: Add
) -> None:
    await add("a", unsigned_sha256="1", credentials="embedded")
    await add("b", unsigned_sha256="2")
    async with app_state.database.reading() as session:

        async def earlier(**values: Any) -> str | None:
            row = AssetRow(**{"owner_id": owner, "unsigned_sha256": "1", **values})
            found = await repository.signed_before(session, row)
            return found.id if found else None

        assert await earlier() == "a"
        assert await earlier(unsigned_sha256="2") is None
        assert await earlier(owner_id="another") is None
        assert await earlier(run_id="run") is None
