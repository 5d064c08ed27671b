"""Rows and stored objects stay consistent under concurrent writes and deletions."""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.assets import garbage
from impasto_server.assets.models import AssetRow
from impasto_server.assets.run_store import RunProvenance, RunStore
from impasto_server.housekeeping import run_housekeeping
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import content_key
from impasto_server.utils import utc_now

pytestmark = pytest.mark.anyio
PASSWORD = "Thick-paint-7"


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def upload(person: Any, data: bytes) -> dict[str, Any]:
    response = await person.client.post("/assets/", files={"file": ("a.png", data, "image/png")})
    expect(response, 201)
    return dict(response.json())


def key_of(data: bytes) -> str:
    return content_key(hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize("leave", ["the asset", "the account"])
async def test_content_deleted_while_stored_again_survives(
    person: Any, new_person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch, leave: str
) -> None:
    other = await new_person("ines")
    first = await upload(other, png(1))
    put_file = app_state.storage.put_file

    async def slow_put(*given: Any) -> str:
        key = await put_file(*given)
        monkeypatch.setattr(app_state.storage, "put_file", put_file)
        if leave == "the asset":
            await other.client.delete(f"/assets/{first['id']}")
        else:
            await other.client.request("DELETE", "/users/me", json={"password": PASSWORD})
        return str(key)

    monkeypatch.setattr(app_state.storage, "put_file", slow_put)
    second = await upload(person, png(1))
    assert (await person.client.get(f"/assets/{second['id']}/content")).content == png(1)


async def test_concurrent_writes_and_deletions_of_same_content_stay_consistent(
    person: Any, new_person: Any, app_state: Any, app: FastAPI
) -> None:
    people = [person, await new_person("ines"), await new_person("noor")]

    async def churn(owner: Any, times: int) -> None:
        for turn in range(times):
            made = await upload(owner, png(turn % 2))
            assert (await owner.client.get(f"/assets/{made['id']}/content")).content == png(turn % 2)
            if turn % 3:
                await owner.client.delete(f"/assets/{made['id']}")

    await asyncio.gather(*(churn(owner, 5) for owner in people for _ in range(2)))
    async with app_state.database.reading() as session:
        keys = set(await session.scalars(select(AssetRow.object_key)))
    assert {key for key in (key_of(png(0)), key_of(png(1))) if await app_state.storage.exists(key)} == keys


async def test_failed_deletion_is_retried_by_next_sweep(
    person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await upload(person, png(1))

    async def refuse(key: str) -> None:
        raise OSError("the storage is away")

    with monkeypatch.context() as away:
        away.setattr(app_state.storage, "delete", refuse)
        expect(await person.client.delete(f"/assets/{made['id']}"), 204)
    expect(await person.client.get(f"/assets/{made['id']}"), 404)
    await run_housekeeping(app_state)
    assert not await app_state.storage.exists(key_of(png(1)))


async def test_thumbnail_of_deleted_image_is_not_stored(
    person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await upload(person, png(1))
    path = app_state.storage.path

    def delete_during_the_write(key: str, suffix: str = "") -> Any:
        monkeypatch.setattr(app_state.storage, "path", path)
        return ConcurrentDeletion(path(key, suffix), person.client.delete(f"/assets/{made['id']}"))

    monkeypatch.setattr(app_state.storage, "path", delete_during_the_write)
    await person.client.get(f"/assets/{made['id']}/thumbnail")
    assert not await app_state.storage.exists(f"thumbnails/{made['sha256']}")


class ConcurrentDeletion:
    """A context manager that calls a function when its block ends."""

    def __init__(self, inner: Any, then: Any) -> None:
        self.inner, self.then = inner, then

    async def __aenter__(self) -> Any:
        return await self.inner.__aenter__()

    async def __aexit__(self, *error: Any) -> None:
        await self.inner.__aexit__(*error)
        await self.then


async def test_object_stored_for_deleted_user_is_removed(app_state: Any) -> None:
    provenance = RunProvenance("0" * 36, "deleted", None, "Sample", 1)
    with pytest.raises(IntegrityError):
        await RunStore(app_state, provenance).put(b"plain words", "text/plain")
    await run_housekeeping(app_state)
    assert not await app_state.storage.exists(key_of(b"plain words"))


async def test_cover_is_deleted_with_last_agent_that_uses_it(
    person: Any, make_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person)
    await person.client.post(f"/flows/{made['id']}/avatar", files={"file": ("a.png", png(1), "image/png")})
    copy = (await person.client.post(f"/flows/{made['id']}/duplicate")).json()
    await person.client.delete(f"/flows/{made['id']}")
    shown = await person.client.get(copy["avatar_url"].removeprefix("/api/v1"))
    expect(shown, 200)
    await person.client.delete(f"/flows/{copy['id']}")
    covers = app_state.settings.data_dir / "assets" / "covers"
    assert list(covers.iterdir()) == []


class Killed(BaseException):
    """Stands for the death of the process: no later line is executed."""


@pytest.mark.parametrize("what", ["asset", "avatar", "flow avatar"])
async def test_object_without_row_is_deleted_after_crash(
    person: Any, app_state: Any, make_flow: Any, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    made = await make_flow(person)
    path = {"asset": "/assets/", "avatar": "/users/me/avatar"}.get(what, f"/flows/{made['id']}/avatar")
    kept: list[str] = []
    for name in ("put_file", "put_at"):
        monkeypatch.setattr(app_state.storage, name, _killed_after(getattr(app_state.storage, name), kept))
    with pytest.raises(Killed):
        await person.client.post(path, files={"file": ("a.png", png(1), "image/png")})
    monkeypatch.undo()
    await run_housekeeping(app_state)
    assert await app_state.storage.exists(kept[0])
    with two_hours_later():
        await run_housekeeping(app_state)
    assert not await app_state.storage.exists(kept[0])
    response = await person.client.post(path, files={"file": ("a.png", png(1), "image/png")})
    expect(response, 200, 201)
    await run_housekeeping(app_state)
    shown = response.json().get("url") or response.json()["avatar_url"]
    expect(await person.client.get(shown.removeprefix("/api/v1")), 200)


async def test_sweep_of_an_earlier_deletion_keeps_the_record_of_what_is_being_stored(
    person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app_state.database.writing() as session:
        await garbage.mark_for_deletion(session, [key_of(png(1))])
    put_file = app_state.storage.put_file

    async def killed_after_a_sweep(*given: Any) -> None:
        await garbage.sweep(app_state, [key_of(png(1))])
        await put_file(*given)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(app_state.storage, "put_file", killed_after_a_sweep)
        with pytest.raises(Killed):
            await upload(person, png(1))
    assert await app_state.storage.exists(key_of(png(1)))
    with two_hours_later():
        await garbage.sweep(app_state)
    assert not await app_state.storage.exists(key_of(png(1)))


async def test_file_that_a_killed_server_was_writing_is_deleted_once_no_request_can_be_writing_it(
    person: Any, app_state: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfinished = settings.data_dir / "assets" / f"{key_of(png(1))}#1"

    async def killed_halfway(*given: Any) -> None:
        unfinished.parent.mkdir(parents=True)
        unfinished.write_bytes(png(1)[:20])
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(app_state.storage, "put_file", killed_halfway)
        with pytest.raises(Killed):
            await upload(person, png(1))
    await run_housekeeping(app_state)
    assert unfinished.exists()
    with two_hours_later():
        await run_housekeeping(app_state)
    assert not unfinished.exists()


async def test_content_survives_two_failed_uploads_of_the_same(
    person: Any, new_person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One fails and its object is swept, another one is recorded then, and fails after this one has ended."""
    others = [await new_person("ines"), await new_person("noor")]
    put_file, third, arrived, gate = app_state.storage.put_file, [], asyncio.Event(), asyncio.Event()

    async def fail(*given: Any) -> None:
        raise ConnectionError("the connection to the storage was lost")

    async def fail_late(*given: Any) -> None:
        arrived.set()
        await gate.wait()
        await fail()

    async def slow_put(*given: Any) -> None:
        await put_file(*given)
        monkeypatch.setattr(app_state.storage, "put_file", fail)
        await refused(others[0])
        await garbage.sweep(app_state, [key_of(png(1))])
        assert not await app_state.storage.exists(key_of(png(1)))
        monkeypatch.setattr(app_state.storage, "put_file", fail_late)
        third.append(asyncio.create_task(refused(others[1])))
        await asyncio.wait_for(arrived.wait(), 30)
        monkeypatch.setattr(app_state.storage, "put_file", put_file)

    monkeypatch.setattr(app_state.storage, "put_file", slow_put)
    made = await upload(person, png(1))
    gate.set()
    await third[0]
    with two_hours_later():
        await garbage.sweep(app_state)
    assert (await person.client.get(f"/assets/{made['id']}/content")).content == png(1)


async def refused(person: Any) -> None:
    """Upload a file, which the storage refuses."""
    response = await person.client.post("/assets/", files={"file": ("a.png", png(1), "image/png")})
    expect(response, 503)


@contextmanager
def two_hours_later() -> Iterator[None]:
    """The time after which no request can still be storing what was recorded before."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(garbage, "utc_now", lambda: utc_now() + timedelta(hours=2))
        yield


def _killed_after(put: Any, kept: list[str]) -> Any:
    async def killed(*given: Any) -> None:
        key = await put(*given)
        kept.append(key or given[0])
        raise Killed

    return killed
