"""Which runs the queries of runs find, and what they change."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import undefer
from tests.server.flows.archives import upload
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store
from tests.server.sample_nodes import chain

from impasto_server.batches.models import BatchRow
from impasto_server.container import AppState
from impasto_server.runs import repository, service
from impasto_server.runs.library.listings import of_launch
from impasto_server.runs.models import RunListingRow, RunRow
from impasto_server.runs.repository import ListFilter, Progress
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


async def values(app_state: AppState, *names: str) -> dict[str, Any]:
    """Return columns of the runs, by id."""
    async with app_state.database.reading() as session:
        rows = await session.scalars(
            select(RunRow).options(*(undefer(getattr(RunRow, name)) for name in names))
        )
        return {row.id: tuple(getattr(row, name) for name in names) for row in rows}


@pytest.fixture
async def agents(person: Any, make_flow: Any) -> list[str]:
    return [(await make_flow(person))["id"] for _ in range(2)]


async def test_complete_runs_are_listed_newest_first(
    app_state: AppState, owner: str, store: Store, new_person: Any, agents: list[str]
) -> None:
    ines = await (await new_person("ines")).id()
    await store(
        r1={"flow_id": agents[0], "cost_usd": Decimal("0.5")}, r2={"flow_id": agents[1]},
        r3={"flow_id": agents[0]}, r4={"owner_id": ines}, r5={"status": "failed"},
        r6={"deleted_at": AT}, r7={"targets": []},
        r8={"again_of": "r1"}, r9={"attempt": 1}, ra={"crashes": 1}, rb={"started_at": None},
        rc={"finished_at": None},
    )  # fmt: skip
    async with app_state.database.reading() as session:

        async def ids(flow_id: str | None, limit: int = 9) -> list[str]:
            return [each.id for each in await repository.finished_runs(session, owner, flow_id, limit)]

        assert await ids(None) == ["r3", "r2", "r1"]
        assert await ids(None, 2) == ["r3", "r2"]
        assert await ids(agents[0]) == ["r3", "r1"]
        found = (await repository.finished_runs(session, owner, agents[0], 9))[1]
        assert found == ("r1", agents[0], {"usd": "1"}, Decimal("0.5"), AT, AT + timedelta(seconds=2))
        assert await repository.next_number(session, owner, agents[0]) == 4
        assert await repository.next_number(session, ines, agents[0]) == 1


async def test_runs_are_filtered_by_agent_status_brand_and_time(
    app_state: AppState, owner: str, store: Store, agents: list[str]
) -> None:
    hour = timedelta(hours=1)
    brands = [{"brand_id": "b1", "name": "Fjell"}]
    await store(
        r1={"flow_id": agents[0], "brands": brands}, r2={"status": "failed", "created_at": AT + hour},
        r3={"created_at": AT + 2 * hour, "status": "cancelled"}, r4={"deleted_at": AT},
    )  # fmt: skip
    async with app_state.database.writing() as session:
        rows = await session.scalars(select(RunRow).options(undefer(RunRow.brands), undefer(RunRow.document)))
        session.add_all([of_launch(row) for row in rows if row.id != "r3"])
    async with app_state.database.reading() as session:

        async def found(**wanted: Any) -> list[str]:
            query = repository.runs_query(owner, ListFilter(**wanted)).order_by(RunRow.id)
            return [row.id for row in await session.scalars(query)]

        assert await found() == ["r1", "r2", "r3"]
        assert await found(flow_id=agents[0]) == ["r1"]
        assert await found(status=["failed", "cancelled"]) == ["r2", "r3"]
        assert await found(status=[]) == ["r1", "r2", "r3"]
        assert await found(since=AT + hour) == ["r2", "r3"]
        assert await found(until=AT + hour) == ["r1"]
        assert await found(brand_id="b1") == ["r1"]
        assert await found(brand_id="b2") == []
        listed = await repository.listings_of(session, ["r1", "r3", "gone"])
        assert {run_id: row.brand_id for run_id, row in listed.items()} == {"r1": "b1"}
        assert [row.id for row in await repository.ended_without_listing(session, "", 9)] == ["r3"]
        assert await repository.ended_without_listing(session, "r3", 9) == []
        assert await repository.ended_outside_library(session, "", 9) == ["r1", "r2"]
        assert await repository.ended_outside_library(session, "r1", 9) == ["r2"]
        assert await repository.ended_outside_library(session, "", 1) == ["r1"]


async def test_launch_key_finds_its_run_until_it_is_removed(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1={"launch_key": "one"}, r2={"launch_key": "two", "created_at": AT + timedelta(seconds=1)})
    async with app_state.database.writing() as session:
        found = [
            await repository.by_launch_key(session, user_id, key, since)
            for user_id, key, since in (
                (owner, "one", AT), (owner, "one", AT + timedelta(seconds=1)), (owner, "three", AT),
                ("ines", "one", AT),
            )
        ]  # fmt: skip
        assert [row and row.id for row in found] == ["r1", None, None, None]
        for user_id, key in ((owner, "one"), (owner, "two"), ("ines", "two")):
            await repository.purge_launch_key(session, user_id, key, AT + timedelta(seconds=1))
    assert await values(app_state, "launch_key") == {"r1": (None,), "r2": ("two",)}


async def test_planned_results_are_written_for_runs_that_have_ended(
    app_state: AppState, owner: str, store: Store
) -> None:
    none, lease = {"planned_results": None}, {"lease_owner": "another", "lease_until": AT}
    await store(
        r1=none, r2={}, r3=none | {"status": "running"} | lease, r4=none | {"status": "failed"}, r5=none
    )
    async with app_state.database.writing() as session:
        assert await repository.ended_without_planned_results(session, "", 9) == ["r1", "r4", "r5"]
        assert await repository.ended_without_planned_results(session, "r1", 1) == ["r4"]
        for run_id in ("r1", "r3"):
            await repository.set_planned_results(session, run_id, [{"node": "a"}])
    found = await values(app_state, "planned_results")
    assert {run_id: found[run_id][0] for run_id in ("r1", "r3", "r4")} == {
        "r1": [{"node": "a"}],
        "r3": None,
        "r4": None,
    }


async def test_sample_of_a_batch_is_a_finished_run_that_is_not_deleted(
    app_state: AppState, owner: str, store: Store
) -> None:
    async with app_state.database.writing() as session:
        session.add_all([BatchRow(id=name, owner_id=owner, flow_name="Poster") for name in ("b1", "b2")])
    batch = {"batch_id": "b1"}
    await store(
        r1=batch | {"batch_row": 0, "deleted_at": AT}, r2=batch | {"batch_row": 1, "status": "failed"},
        r3=batch | {"batch_row": 3}, r4=batch | {"batch_row": 2},
        r5={"batch_id": "b2", "status": "failed", "batch_row": 0, "planned_results": None,
            "document": chain("shout")},
    )  # fmt: skip
    async with app_state.database.reading() as session:
        batches = ("b1", "b2", "b3")
        found = [await repository.sample_of_batch(session, each) for each in batches]
        planned = [await service.planned_results_of_batch(session, app_state, each) for each in batches]
    assert [row and row.id for row in found] == ["r4", "r5", None]
    assert [[item["node"] for item in each] for each in planned] == [[], ["shout"], []]


async def test_leases_of_a_process_end_except_on_runs_to_keep(
    app_state: AppState, owner: str, store: Store
) -> None:
    lease = {"status": "running", "lease_owner": "one", "lease_until": AT}
    await store(
        r1=lease,
        r2=lease | {"status": "queued"},
        r3=lease | {"lease_owner": "two"},
        r4=lease | {"status": "failed"},
        r5=lease,
    )
    async with app_state.database.writing() as session:
        assert [row.id for row in await repository.live_runs_of(session, "one")] == ["r1", "r2", "r5"]
        assert [row.id for row in await repository.live_for_update(session, owner)] == [
            "r1",
            "r2",
            "r3",
            "r5",
        ]
        await repository.release_leases(session, "one", keep=["r5"])
    held, free = ("one", AT), (None, None)
    expected = {"r1": free, "r2": free, "r3": ("two", AT), "r4": held, "r5": held}
    assert await values(app_state, "lease_owner", "lease_until") == expected
    async with app_state.database.writing() as session:
        await repository.release_leases(session, "one")
    assert await values(app_state, "lease_owner", "lease_until") == expected | {"r5": free}


async def test_sums_count_deleted_runs_and_progress_ends_with_the_owner(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(
        r1={"cost_usd": Decimal("0.25"), "last_seq": 7, "created_at": AT - timedelta(days=1)},
        r2={"cost_usd": Decimal("0.5"), "deleted_at": AT},
        r3={"cancel_requested": True, "cancelled_steps": ["a"], "status": "queued", "lease_owner": "x"},
    )
    async with app_state.database.reading() as session:
        assert await repository.totals_of(session, owner) == (3, Decimal("0.75"))
        assert await repository.totals_of(session, "ines") == (0, Decimal(0))
        assert await repository.count_since(session, owner, AT) == 2
        assert await repository.count_since(session, "ines", AT) == 0
        assert [await repository.owner_of(session, run_id) for run_id in ("r1", "gone")] == [owner, None]
        found = [await repository.cancellations(session, run_id) for run_id in ("r1", "r3", "gone")]
        assert found == [(False, []), (True, ["a"]), (True, [])]
    database = app_state.database
    progress = [await repository.progress_for_owner(database, run_id) for run_id in ("r1", "r3", "gone")]
    assert progress == [Progress("finished", 7), Progress("queued", 0), None]
    assert [each.has_ended for each in progress if each] == [True, False]
    assert await repository.find_followed(database, owner, "r1") == (7, False)
    for user_id, run_id in ((owner, "r2"), ("ines", "r1"), (owner, "gone")):
        assert await repository.find_followed(database, user_id, run_id) is None
    async with app_state.database.writing() as session:
        await session.execute(update(User).where(User.id == owner).values(suspended_at=AT))
    assert await repository.progress_for_owner(database, "r1") is None


async def test_content_of_a_deleted_run_is_erased(app_state: AppState, owner: str, store: Store) -> None:
    content = {
        "inputs": {"a": 1}, "subflows": {"f": {}}, "brands": [{"brand_id": "b", "name": "B"}],
        "planned_results": [{"a": 1}], "planned_steps": [{"id": "a"}], "targets": ["a"],
        "error": {"code": "x"}, "cover_asset_id": "a1",
        "launch_key": "k", "launch_digest": "d", "comparison": {"node": "a"}, "cancelled_steps": ["a"],
    }  # fmt: skip
    await store(r1=content, r2=content | {"launch_key": "l"})
    async with app_state.database.writing() as session:
        for run_id in ("r1", "r2"):
            row = await repository.find_for_update(session, run_id)
            assert row is not None
            session.add(of_launch(row))
        await session.flush()
        row = await repository.find_for_update(session, "r1")
        assert row is not None
        await repository.erase_content(session, row, AT)
    found = await values(app_state, "document", "deleted_at", *content)
    empty = ({}, {}, None, [], [], *[None] * 7)
    assert found["r1"] == ({}, AT, *empty)
    assert found["r2"][:2] == ({"nodes": []}, None)
    async with app_state.database.reading() as session:
        assert (await repository.listings_of(session, ["r1", "r2"])).keys() == {"r2"}


async def test_list_shows_the_newest_image_of_a_live_run_and_only_files_that_exist(
    person: Any, app_state: AppState, owner: str, store: Store
) -> None:
    asset_id = (await upload(person))["id"]
    await store(r1={"status": "running", "cover_asset_id": asset_id}, r2={"cover_asset_id": asset_id}, r3={})
    async with app_state.database.writing() as session:
        listings: dict[str, dict[str, Any]] = {
            "r1": {"title": "A cup"}, "r2": {"asset_ids": ["gone"], "assets": 3, "excerpt": "Text"},
            "r3": {"brand_id": "b1"},
        }  # fmt: skip
        for run_id, about in listings.items():
            session.add(RunListingRow(run_id=run_id, owner_id=owner, **about))
    items = (await person.client.get("/runs/")).json()["items"]
    shown = [
        (each["title"], each["excerpt"], each["brand"], [one["id"] for one in each["assets"]],
         each["asset_count"])
        for each in items
    ]  # fmt: skip
    assert shown == [
        ("", "", {"brand_id": "b1", "name": ""}, [], 0),
        ("", "Text", None, [], 3),
        ("A cup", "", None, [asset_id], 1),
    ]
