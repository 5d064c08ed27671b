"""Assets that repeat another one are merged into it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.assets.asset_rows import asset_row

from impasto_server.assets.merging import merge
from impasto_server.assets.models import AssetRow, AssetTagRow, AssetTextRow
from impasto_server.assets.schemas import MAX_TAGS
from impasto_server.collections.models import CollectionAssetRow, CollectionRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
MANY = [f"tag {number}" for number in range(MAX_TAGS)]


def text(asset_id: str, **about: Any) -> AssetRow:
    usual = {
        "kind": "text", "media_type": "text/plain", "name": f"{asset_id}.txt", "source": "run",
        "excerpt": "Porto", "tags": [], "created_at": AT,
    }  # fmt: skip
    return asset_row(asset_id, "mara", **usual | about)


async def test_kept_asset_gets_the_favourite_tags_and_collections_of_the_repeated_one(app_state: Any) -> None:
    rows = {
        row.id: row
        for row in (
            text("a1", favourite=True, tags=["été", "Tiles"]), text("a2", tags=["Été"]),
            text("b1", replaces_id="x"), text("b2"),
            text("c1", replaced_by_id="x"), text("c2"),
            text("d1", tags=["one more"]), text("d2", tags=MANY),
            text("e1", tags=["TAG 0", "last"]), text("e2", tags=MANY[:-1]),
            text("f1", tags=["KEPT"]), text("f2", favourite=True, tags=["kept"]),
        )
    }  # fmt: skip
    async with app_state.database.writing() as session:
        session.add(User(id="mara", username="mara", username_key="mara", created_at=AT))
        await session.flush()
        session.add_all(
            CollectionRow(id=each, owner_id="mara", name=each, created_at=AT) for each in ("k", "l")
        )
        await session.flush()
        session.add_all(rows.values())
        await session.flush()
        session.add(AssetTextRow(asset_id="a2", content="A day by the sea"))
        places = (("k", "a1"), ("l", "a1"), ("l", "a2"), ("k", "b1"))
        session.add_all(CollectionAssetRow(collection_id=one, asset_id=other) for one, other in places)
        await session.flush()
        await merge(session, [(rows[f"{pair}1"], rows[f"{pair}2"]) for pair in "abcdef"])
    async with app_state.database.reading() as session:
        left = {row.id: row for row in await session.scalars(select(AssetRow))}
        held = await session.execute(select(CollectionAssetRow.collection_id, CollectionAssetRow.asset_id))
        assert sorted(map(tuple, held)) == [("k", "a2"), ("k", "b1"), ("l", "a2")]
        tagged = select(AssetTagRow.key).where(AssetTagRow.asset_id == "a2")
        assert sorted(await session.scalars(tagged)) == ["tiles", "été"]
    assert sorted(left) == ["a2", "b1", "b2", "c1", "c2", "d1", "d2", "e2", "f2"]
    assert (left["a2"].favourite, [tag.casefold() for tag in left["a2"].tags]) == (True, ["été", "tiles"])
    assert all(word in left["a2"].words for word in ("tiles", "a2", "sea"))
    assert [tag.casefold() for tag in left["e2"].tags] == [*MANY[:-1], "last"]
    assert (left["f2"].favourite, left["f2"].tags) == (True, ["kept"])
    assert (left["d2"].tags, left["d2"].favourite) == (MANY, False)
