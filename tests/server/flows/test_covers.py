"""Covers of agents."""

import io
from typing import Any

import pytest
from PIL import Image
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.flows import repository
from impasto_server.flows.user_data import data_owner
from impasto_server.users.data_owners import Erasure

pytestmark = pytest.mark.anyio


def local(url: str) -> str:
    return url.removeprefix("/api/v1")


async def test_cover_is_cropped_and_served_by_signed_url(person: Any, client: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    files = {"file": ("cover.png", png(200, 40, 90), "image/png")}
    response = await person.client.post(f"/flows/{made['id']}/avatar", files=files)
    expect(response, 200)
    loaded = await client.get(local(response.json()["avatar_url"]))
    assert loaded.headers["content-type"] == "image/webp"
    assert loaded.headers["cache-control"] == "private, max-age=3600, immutable"
    with Image.open(io.BytesIO(loaded.content)) as image:
        assert image.size == (960, 640)


async def test_cover_requires_signature(person: Any, client: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    files = {"file": ("cover.png", png(200), "image/png")}
    url = local((await person.client.post(f"/flows/{made['id']}/avatar", files=files)).json()["avatar_url"])
    expect(await client.get(url.split("?")[0]), 403)
    expect(await client.get(url[:-3] + "abc"), 403)


async def test_url_of_a_replaced_or_deleted_cover_is_not_found(
    person: Any, client: Any, make_flow: Any, app_state: Any, clock: Any
) -> None:
    made = await make_flow(person)
    clock.travel(seconds=60)
    urls = []
    for red in (200, 90):
        files = {"file": ("cover.png", png(red), "image/png")}
        changed = expect(await person.client.post(f"/flows/{made['id']}/avatar", files=files), 200)
        urls.append(local(changed.json()["avatar_url"]))
    assert changed.json()["updated_at"] > made["updated_at"]
    assert [(await client.get(url)).status_code for url in urls] == [404, 200]
    assert await stored(app_state) == 1
    copy = expect(await person.client.post(f"/flows/{made['id']}/duplicate"), 201).json()
    expect(await person.client.delete(f"/flows/{made['id']}"), 204)
    assert [(await client.get(url)).status_code for url in urls] == [404, 404]
    expect(await client.get(local(copy["avatar_url"])), 200, reason="a copy has the same cover")
    expect(await person.client.delete(f"/flows/{copy['id']}"), 204)
    assert await stored(app_state) == 0


async def stored(app_state: Any) -> int:
    """Return how many files are stored."""
    return len([key async for key, _ in app_state.storage.list_objects()])


async def test_covers_are_erased_with_their_owner_unless_another_agent_has_them(
    person: Any, new_person: Any, publish: Any, app_state: Any
) -> None:
    made = await publish(person, visibility="public")
    files = {"file": ("cover.png", png(200), "image/png")}
    expect(await person.client.post(f"/flows/{made['id']}/avatar", files=files), 200)
    mara, ines = await person.id(), await (await new_person("ines")).id()
    async with app_state.database.writing() as session:
        row = await repository.find(session, made["id"])
        assert await data_owner.erase(session, mara) == Erasure([row.avatar_key])
        assert await data_owner.erase(session, ines) == Erasure([])
        assert await data_owner.references(session, row.avatar_key)
        assert not await data_owner.references(session, "another")


async def test_non_image_is_rejected_as_cover(person: Any, make_flow: Any, subtests: pytest.Subtests) -> None:
    made = await make_flow(person)
    cases: list[bytes] = [b"", b"GIF89a....", b"<svg xmlns='http://www.w3.org/2000/svg'/>", png(1)[:50]]
    for data in cases:
        with subtests.test(data=data[:20]):
            response = await person.client.post(
                f"/flows/{made['id']}/avatar", files={"file": ("x.png", data, "image/png")}
            )
            expect(response, 422, code="file_refused")
            assert (await person.client.get(f"/flows/{made['id']}")).json()["avatar_url"] is None


async def test_only_owner_sets_cover(person: Any, new_person: Any, publish: Any) -> None:
    made = await publish(person, visibility="public")
    other = await new_person("ines")
    files = {"file": ("cover.png", png(200), "image/png")}
    expect(await other.client.post(f"/flows/{made['id']}/avatar", files=files), 403)
