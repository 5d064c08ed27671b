"""Favourites and tags: what an edit returns, refuses and leaves searchable, and the pages of tags."""

from typing import Any

import pytest
from sqlalchemy import select
from tests.server.assets.asset_rows import asset_row

from impasto_server.assets import labels
from impasto_server.assets.errors import AssetNotFound, TooManyTags
from impasto_server.assets.models import AssetRow, AssetTagRow, AssetTextRow
from impasto_server.assets.schemas import AssetEdits
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery, decode_cursor
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
async def user(app_state: AppState, person: Any) -> User:
    """Mara, who has an image and two text results."""
    user = User(id=await person.id())
    async with app_state.database.writing() as session:
        for asset_id, excerpt in (("a", None), ("b", "Once"), ("c", "Later")):
            about = {"kind": "text", "media_type": "x/y", "name": f"{asset_id}.txt", "excerpt": excerpt}
            session.add(asset_row(asset_id, user.id, **about))
        await session.flush()
        session.add(AssetTextRow(asset_id="b", content="Once upon a time"))
    return user


async def edit(app_state: AppState, user: User, *asset_ids: str, **changes: Any) -> list[Any]:
    async with app_state.database.writing() as session:
        body = AssetEdits(asset_ids=list(asset_ids), **changes)
        shown = await labels.edit(session, app_state, user, body)
    return [(asset.id, asset.favourite, asset.tags) for asset in shown]


async def test_edit_returns_each_asset_once_and_keeps_texts_searchable(
    app_state: AppState, user: User
) -> None:
    tags = {"add_tags": ["Spring", " old  oak ", "SPRING"], "remove_tags": ["none"]}
    assert await edit(app_state, user, "b", "a", "b", favourite=True, **tags) == [
        ("b", True, ["Spring", "old oak"]),
        ("a", True, ["Spring", "old oak"]),
    ]
    assert await edit(app_state, user, "b", remove_tags=["OLD OAK"], add_tags=["spring"]) == [
        ("b", True, ["Spring"])
    ]
    assert await edit(app_state, user, "a", favourite=False) == [("a", False, ["Spring", "old oak"])]
    async with app_state.database.reading() as session:
        rows = {row.id: row for row in await session.scalars(select(AssetRow))}
        kept = await session.execute(
            select(AssetTagRow.asset_id, AssetTagRow.key, AssetTagRow.name, AssetTagRow.owner_id)
        )
        assert sorted(map(tuple, kept)) == [
            ("a", "old oak", "old oak", user.id),
            ("a", "spring", "Spring", user.id),
            ("b", "spring", "Spring", user.id),
        ]
    assert set(rows["b"].words.split()) == {"b", "txt", "x", "y", "spring", "once", "upon", "a", "time"}
    assert set(rows["a"].words.split()) == {"a", "txt", "x", "y", "spring", "old", "oak"}
    assert (rows["c"].tags, rows["c"].favourite) == ([], False)


async def test_refused_edit_says_which_asset_is_the_reason(app_state: AppState, user: User) -> None:
    twenty = [f"tag {number}" for number in range(20)]
    assert await edit(app_state, user, "a", add_tags=twenty) == [("a", False, twenty)]
    with pytest.raises(TooManyTags) as raised:
        await edit(app_state, user, "a", add_tags=["one more"])
    assert raised.value.detail == "'a.txt' would have more than 20 tags. Remove one first."
    assert await edit(app_state, user, "a", add_tags=["TAG 0"]) == [("a", False, twenty)]
    with pytest.raises(AssetNotFound) as missing:
        await edit(app_state, user, "a", "x", favourite=True)
    assert missing.value.detail == "There is no asset x."
    with pytest.raises(AssetNotFound):
        await edit(app_state, User(id="another"), "a", favourite=True)


async def test_tags_are_listed_in_pages_in_the_order_of_their_keys(app_state: AppState, user: User) -> None:
    await edit(app_state, user, "a", "b", add_tags=["beta"])
    await edit(app_state, user, "b", add_tags=["Alpha", "Gamma"])

    async def page(limit: int, cursor: str | None = None) -> tuple[list[tuple[str, int]], str | None]:
        async with app_state.database.reading() as session:
            found = await labels.list_tags(session, user, PageQuery(limit, cursor and decode_cursor(cursor)))
        return [(tag.name, tag.assets) for tag in found.items], found.next_cursor

    assert await page(3) == ([("Alpha", 1), ("beta", 2), ("Gamma", 1)], None)
    first, cursor = await page(2)
    assert first == [("Alpha", 1), ("beta", 2)]
    assert await page(2, cursor) == ([("Gamma", 1)], None)
    async with app_state.database.reading() as session:
        assert (await labels.list_tags(session, User(id="another"), PageQuery())).items == []
