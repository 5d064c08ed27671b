"""Sources in the credentials of a file that are in the user's library, and files without credentials."""

from typing import Any

import pytest
from tests.server.assets.asset_rows import asset_row
from tests.server.sample_nodes import png

from impasto_server.assets.errors import AssetNotFound
from impasto_server.assets.origin import credentials
from impasto_server.container import AppState
from impasto_server.content_credentials.schemas import AssetCredentials, CredentialSource
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


@pytest.fixture
async def user(app_state: AppState, person: Any) -> User:
    """Mara, who has an image, a text result and a file whose credentials are a sidecar that is gone."""
    user = User(id=await person.id())
    key = await app_state.storage.put_bytes(png(4))

    file = {"sha256": key.rpartition("/")[2], "object_key": key}
    rows: dict[str, dict[str, Any]] = {
        "a": {"ai_made": "yes"}, "b": {"kind": "audio"}, "c": {"excerpt": "Once"},
        "d": {"credentials": "sidecar"},
    }  # fmt: skip
    async with app_state.database.writing() as session:
        session.add_all(asset_row(each, user.id, **file, **about) for each, about in rows.items())
    return user


def source(asset_id: str | None, *sources: CredentialSource, **about: Any) -> CredentialSource:
    return CredentialSource(
        asset_id=asset_id, relationship="inputTo", state="none", sources=list(sources), **about
    )


async def test_sources_at_any_depth_are_named_if_they_are_in_the_library(
    app_state: AppState, user: User
) -> None:
    inner = source("a")
    sources = [source("x", source(None, inner), name="kept"), source("b", ai_made="no")]
    await credentials.link_sources(app_state, user, sources)
    outer, audio = sources
    assert [(each.asset_id, each.name, each.ai_made) for each in (outer, inner, audio)] == [
        (None, "kept", None),
        ("a", "a.png", "yes"),
        ("b", "b.png", "no"),
    ]
    assert (inner.thumbnail_url or "").startswith("/api/v1/assets/a/thumbnail?")
    assert (outer.thumbnail_url, audio.thumbnail_url) == (None, None)
    of_another = [source("a")]
    await credentials.link_sources(app_state, User(id="another"), of_another)
    assert of_another == [source(None)]


async def test_file_without_credentials_says_so(app_state: AppState, user: User) -> None:
    for asset_id in ("a", "c"):
        found = await credentials.of_asset(app_state, user, asset_id)
        assert found == AssetCredentials(state="none")
    for owner, asset_id in ((user, "d"), (user, "x"), (User(id="another"), "a")):
        with pytest.raises(AssetNotFound) as raised:
            await credentials.of_asset(app_state, owner, asset_id)
        assert raised.value.detail == f"There is no asset {asset_id}."
