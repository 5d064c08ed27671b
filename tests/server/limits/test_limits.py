"""Limits of storage, agents, versions and what is open at a time: their values, use and refusals."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_fixtures import user_of
from tests.server.sample_nodes import arrived, chain, gate, png

from impasto_server.admin import people
from impasto_server.assets.garbage import PendingDeletion
from impasto_server.db.types import json_bytes
from impasto_server.housekeeping import run_housekeeping
from impasto_server.limits import slots
from impasto_server.limits.errors import LimitReached
from impasto_server.limits.models import SlotRow
from impasto_server.limits.refusals import dollars, size, stop_sentence
from impasto_server.limits.repository import RunUse
from impasto_server.limits.schemas import LimitOverrides, Limits
from impasto_server.settings import Settings
from impasto_server.users.errors import UserNotFound
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio

IMAGE = png(1)


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {
        "limit_stored_bytes": 100_000,
        "limit_assets": 2,
        "limit_agents": 2,
        "limit_versions": 2,
        "limit_queued_runs": 2,
        "limit_streams": 1,
        "limit_uploads": 1,
        "book_a_call_url": "https://calls.example/book",
    }


async def upload(person: Any, data: bytes = IMAGE) -> Any:
    return await person.client.post("/assets/", files={"file": ("jug.png", data, "image/png")})


async def test_usage_lists_every_limit_with_its_use(person: Any, make_flow: Any) -> None:
    draft = (await make_flow(person))["flow"]
    expect(await upload(person), 201)
    usage = expect(await person.client.get("/users/me/usage"), 200).json()
    found = {item["name"]: (item["used"], item["limit"], item["unit"]) for item in usage["items"]}
    assert found["stored_bytes"] == (len(IMAGE) + json_bytes(draft), 100_000, "bytes")
    assert found["assets"] == (1, 2, "count")
    assert found["agents"] == (1, 2, "count")
    assert found["usd_per_day"] == ("0", "5", "usd")
    assert found["runs_per_day"] == (0, 50, "count")
    assert {name: unit for name, (*_, unit) in found.items() if unit != "count"} == {
        "usd_per_day": "usd", "usd_per_month": "usd", "stored_bytes": "bytes",
    }  # fmt: skip
    resets = {item["name"]: item["resets_at"] for item in usage["items"] if item["resets_at"]}
    assert [*resets] == ["runs_per_day", "usd_per_day", "usd_per_month"]
    assert all(moment.endswith("T00:00:00Z") for moment in resets.values())
    assert resets["runs_per_day"] == resets["usd_per_day"] <= resets["usd_per_month"]
    assert resets["usd_per_month"].endswith("-01T00:00:00Z")
    assert set(found) == set(LimitOverrides.model_fields)
    assert usage["book_a_call_url"] == "https://calls.example/book"


async def test_usage_counts_brands_versions_runs_and_what_is_open(
    person: Any, new_person: Any, publish: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(brands=2, agents=9))

    async def used(one: Any) -> dict[str, int]:
        items = expect(await one.client.get("/users/me/usage"), 200).json()["items"]
        return {item["name"]: item["used"] for item in items}

    for name in ("Kiln", "Wheel"):
        expect(await person.client.post("/brands/", json={"name": name}), 201)
    refused = expect(await person.client.post("/brands/", json={"name": "Glaze"}), 429, code="brands_limit")
    assert refused.json()["detail"].startswith("You have 2 of 2 brands.")
    await publish(person)
    await make_flow(person)
    run = await run_flow(person, (await make_flow(person, chain("wait")))["id"])
    await arrived("gate")
    user = await user_of(app_state, person)
    async with app_state.slots.hold(user, "exports"), app_state.slots.hold(user, "uploads"):
        found = await used(person)
    assert {name: found[name] for name in ("brands", "versions", "agents", "exports", "uploads")} == {
        "brands": 2, "versions": 1, "agents": 3, "exports": 1, "uploads": 1,
    }  # fmt: skip
    assert (found["concurrent_runs"], found["queued_runs"], found["runs_per_day"]) == (1, 0, 1)
    assert set((await used(await new_person("ines"))).values()) == {0, "0"}
    gate("gate").set()
    await person.client.get(f"/runs/{run['id']}/events", timeout=30)
    assert (await used(person))["concurrent_runs"] == 0


async def test_full_storage_refuses_uploads_and_leaves_no_object(person: Any, app_state: Any) -> None:
    limits = LimitOverrides(assets=10, stored_bytes=3 * len(IMAGE))
    await people.set_limits(app_state, None, await person.id(), limits)
    for red in range(3):
        expect(await upload(person, png(red)), 201)
    refused = expect(await upload(person, png(9)), 413, code="stored_bytes_limit").json()
    assert refused["detail"].startswith("You store ")
    assert f" of {size(3 * len(IMAGE))}, and this file has {size(len(png(9)))}." in refused["detail"]
    assert refused["detail"].endswith(
        "Delete assets or agents that you no longer need, or book a call with us to get more."
    )
    async with app_state.database.reading() as session:
        assert (await session.scalars(select(PendingDeletion.object_key))).all() == []
    newest = (await person.client.get("/assets/library")).json()["items"][0]
    expect(await person.client.delete(f"/assets/{newest['id']}"), 204)
    expect(await upload(person, png(9)), 201)


async def test_full_storage_refuses_agents_that_make_files_and_no_others(
    person: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    painter, writer = await make_flow(person, chain("paint")), await make_flow(person, chain("shout"))
    expect(await upload(person), 201)
    await people.set_limits(app_state, None, await person.id(), LimitOverrides(stored_bytes=len(IMAGE)))
    refused = await run_flow(person, painter["id"], status=413)
    assert refused["code"] == "stored_bytes_limit"
    await run_flow(person, writer["id"])


async def test_step_that_stores_too_much_fails_with_the_sentence(
    person: Any, make_flow: Any, run_flow: Any, finished: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    stored = json_bytes(made["flow"])
    limits = LimitOverrides(stored_bytes=stored + 1)
    await people.set_limits(app_state, None, await person.id(), limits)
    run = await finished(person, await run_flow(person, made["id"]))
    assert run["error"]["code"] == "stored_bytes_limit"
    sentence = f"You store {size(stored)} of {size(stored + 1)}, and this file has"
    assert run["error"]["message"].startswith(sentence)
    assert (await person.client.get("/assets/library")).json()["items"] == []


async def test_number_of_assets_and_agents_is_limited(person: Any, make_flow: Any) -> None:
    for red in range(2):
        expect(await upload(person, png(red)), 201)
    detail = expect(await upload(person, png(3)), 413, code="assets_limit").json()["detail"]
    assert detail.startswith("You have 2 of 2 assets. Delete assets that you no longer need")
    first = await make_flow(person)
    await make_flow(person)
    attempts = {
        "/flows/": {"name": "Third"},
        "/flows/import": chain("shout"),
        f"/flows/{first['id']}/duplicate": None,
    }
    for path, body in attempts.items():
        refused = expect(await person.client.post(path, json=body), 429, code="agents_limit").json()
        assert refused["detail"].startswith("You have 2 of 2 agents. Delete an agent")
    expect(await person.client.delete(f"/flows/{first['id']}"), 204)
    await make_flow(person)


async def test_published_versions_are_limited(person: Any, publish: Any) -> None:
    made = await publish(person)
    expect(await person.client.post(f"/flows/{made['id']}/publish"), 200)
    refused = expect(await person.client.post(f"/flows/{made['id']}/publish"), 429, code="versions_limit")
    assert refused.json()["detail"].startswith("This agent has 2 of 2 versions.")


async def test_history_keeps_at_most_the_allowed_saves(person: Any, make_flow: Any) -> None:
    made = await make_flow(person)
    for revision in range(1, 6):
        document = chain("shout", name=f"Draft {revision}")
        headers = {"If-Match": f'"{revision}"'}
        path = f"/flows/{made['id']}/draft?keep=true"
        expect(await person.client.put(path, json=document, headers=headers), 200)
    entries = (await person.client.get(f"/flows/{made['id']}/versions")).json()["items"]
    assert [entry["revision"] for entry in entries] == [6, 5]


async def test_waiting_runs_are_limited(person: Any, make_flow: Any, run_flow: Any, app_state: Any) -> None:
    made = await make_flow(person, chain("wait"))
    rows = [{"ask": str(n)} for n in range(3)]
    refused = await person.client.post(f"/flows/{made['id']}/batch?version=draft", json=rows)
    expect(refused, 429, code="queued_runs_limit")
    assert refused.json()["detail"].startswith("You have 0 of 2 runs waiting, and this launch adds 3.")
    assert refused.headers["retry-after"] == "60"
    assert (await person.client.get("/users/me")).json()["quota"]["used"] == 0
    gate("gate").set()


async def test_event_streams_are_limited_and_released(
    person: Any, app: Any, make_flow: Any, run_flow: Any, app_state: Any
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    await arrived("gate")
    async with follow(app, person, run["id"]) as live:
        await live.until("step.started")
        refused = await person.client.get(f"/runs/{run['id']}/events")
        expect(refused, 429, code="streams_limit")
        assert refused.json()["detail"].startswith("You have 1 of 1 event streams open.")
        assert (await person.client.get("/users/me/usage")).json()["items"][-1]["used"] == 1
    async with asyncio.timeout(30):
        while app_state.streams.count(await person.id()):
            await asyncio.sleep(0)
    gate("gate").set()
    expect(await person.client.get(f"/runs/{run['id']}/events", timeout=30), 200)
    assert app_state.streams.count(await person.id()) == 0


async def test_each_open_stream_counts_for_its_user_until_it_is_closed(app_state: Any) -> None:
    streams = app_state.streams
    mara, ines = User(id="mara", limits={"streams": 2}), User(id="ines")

    def counts() -> tuple[int, int, int]:
        return streams.count("mara"), streams.count("ines"), streams.total

    for user in (mara, mara, ines):
        streams.open(user)
    for user in (mara, ines):
        with pytest.raises(LimitReached):
            streams.open(user)
    assert counts() == (2, 1, 3)
    streams.close(mara)
    assert counts() == (1, 1, 2)
    streams.open(mara)
    for user in (mara, ines, mara):
        streams.close(user)
    assert counts() == (0, 0, 0)


async def test_upload_in_progress_refuses_another_until_it_ends(person: Any) -> None:
    has_started, may_end = asyncio.Event(), asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
        has_started.set()
        await may_end.wait()
        yield IMAGE + b"\r\n--x--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    slow = asyncio.create_task(person.client.post("/assets/", content=body(), headers=headers))
    async with asyncio.timeout(30):
        await has_started.wait()
    refused = expect(await upload(person), 429, code="uploads_limit")
    assert refused.json()["detail"].startswith("You have 1 of 1 uploads in progress. Try again when one")
    may_end.set()
    expect(await slow, 201)
    expect(await upload(person, png(4)), 201)


async def test_slot_of_an_upload_is_free_before_its_answer_ends(
    app: Any, person: Any, app_state: Any
) -> None:
    """A client with its answer may send the next file at once, however late this process tidies up."""
    held: list[int] = []

    async def counting(scope: Any, receive: Any, send: Any) -> None:
        async def counted(message: Any) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                async with app_state.database.reading() as session:
                    held.append(len((await session.execute(select(SlotRow))).all()))
            await send(message)

        await app(scope, receive, counted)

    transport = httpx.ASGITransport(counting)
    async with httpx.AsyncClient(
        transport=transport, base_url=person.client.base_url, headers=person.client.headers
    ) as client:
        files = {"file": ("a.png", IMAGE, "image/png")}
        expect(await client.post("/assets/", files=files), 201)
    assert held == [0]


async def test_export_in_progress_refuses_another_until_it_ends(person: Any, app_state: Any) -> None:
    user = await user_of(app_state, person)
    async with app_state.slots.hold(user, "exports"):
        refused = expect(await person.client.get("/users/me/export"), 429, code="exports_limit")
        assert refused.json()["detail"].startswith("You have 1 of 1 exports in progress.")
    for _ in range(2):
        expect(await person.client.get("/users/me/export"), 200)


async def test_slot_of_a_process_that_died_expires(person: Any, app_state: Any, clock: Any) -> None:
    user = await user_of(app_state, person)
    await app_state.slots.take(user, "exports")
    expect(await person.client.get("/users/me/export"), 429)
    clock.travel(seconds=30)
    expect(await person.client.get("/users/me/export"), 429)
    clock.travel(seconds=30)
    expect(await person.client.get("/users/me/export"), 200)
    await run_housekeeping(app_state)
    async with app_state.database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(SlotRow)) == 0


async def test_slot_that_is_held_is_extended(
    person: Any, app_state: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "_RENEW_SECONDS", 0.001)
    user = await user_of(app_state, person)

    async def ends() -> list[datetime]:
        async with app_state.database.reading() as session:
            return list(await session.scalars(select(SlotRow.expires_at)))

    async def until_none_is_extended() -> None:
        async with asyncio.timeout(20):
            while [task for task in asyncio.all_tasks() if task.get_name() == "slots"]:
                await asyncio.sleep(0.001)

    async with app_state.slots.hold(user, "uploads"):
        pass
    await until_none_is_extended()
    async with app_state.slots.hold(user, "exports"):
        (first,) = await ends()
        clock.travel(seconds=59)
        last = first
        async with asyncio.timeout(20):
            while last - first < timedelta(seconds=59):
                await asyncio.sleep(0.001)
                (last,) = await ends()
        assert last - first < timedelta(seconds=120)
        clock.travel(seconds=50)
        expect(await person.client.get("/users/me/export"), 429)
        await app_state.slots.close()
        await until_none_is_extended()
    assert await ends() == []


async def test_operator_sets_and_resets_limits_of_one_user(person: Any, app_state: Any) -> None:
    user_id = await person.id()
    limits = app_state.limits
    changed = await people.set_limits(
        app_state, None, user_id, LimitOverrides(agents=7, usd_per_day="12.5", runs_per_day=3)
    )
    assert (changed.limits.agents, changed.limits.usd_per_day, changed.limits.runs_per_day) == (7, "12.5", 3)
    assert changed.overridden == ["runs_per_day", "usd_per_day", "agents"]
    assert (changed.defaults.agents, changed.defaults.usd_per_day) == (2, "5")
    kept = await people.set_limits(app_state, None, user_id, LimitOverrides(agents=None))
    assert (kept.limits.agents, kept.limits.usd_per_day) == (2, "12.5")
    reset = await people.set_limits(
        app_state, None, user_id, LimitOverrides(**dict.fromkeys(LimitOverrides.model_fields))
    )
    assert (reset.overridden, reset.limits) == ([], reset.defaults)
    assert await limits.get(user_id) == reset
    for call in (limits.get("unknown"), limits.usage("unknown", 0)):
        with pytest.raises(UserNotFound):
            await call


async def test_usage_needs_authentication(new_client: Any) -> None:
    expect(await new_client().get("/users/me/usage"), 401)


def test_amounts_are_shown_in_units() -> None:
    assert [size(n) for n in (0, 999, 1500, 9_800_000_000)] == ["0 bytes", "999 bytes", "1.5 kB", "9.8 GB"]
    assert [dollars(Decimal(n)) for n in ("0", "0.004", "0.05", "1234.5")] == [
        "$0.00",
        "$0.0040",
        "$0.05",
        "$1,234.50",
    ]


@pytest.mark.parametrize(
    ("spent_today", "when"), [("9", "today on this server's keys"), ("0", "this month on this server's keys")]
)
def test_stopped_run_says_when_the_tighter_limit_resets(
    settings: Settings, spent_today: str, when: str
) -> None:
    limits = Limits.from_settings(settings).with_overrides({"usd_per_day": "9", "usd_per_month": "9"})
    use = RunUse(0, Decimal(spent_today), Decimal(9), Decimal(0), 0, 0)
    now = datetime(2026, 12, 30, 12, tzinfo=UTC)
    sentence = stop_sentence(settings, limits, use, now)
    assert f"$9.00 of $9.00 {when}" in sentence
    assert ("resets at 00:00 UTC" if spent_today == "9" else "resets on 1 January at 00:00 UTC") in sentence
