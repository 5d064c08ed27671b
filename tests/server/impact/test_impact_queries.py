"""Which assets a change of a brand affects, what they cost, and which are being made again."""

from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from tests.server.assets.asset_rows import asset_row
from tests.server.runs.stored_runs import *  # noqa: F403
from tests.server.runs.stored_runs import AT, Store

from impasto.journal.protocol import Record
from impasto_server.assets.models import AssetRow
from impasto_server.container import AppState
from impasto_server.flows.models import FlowRow
from impasto_server.impact import repository
from impasto_server.impact.models import BrandReadRow, RegenerationRow
from impasto_server.impact.recording import record_reads
from impasto_server.impact.repository import Change
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
Add = Callable[..., Awaitable[None]]
COLORS, TONE = "colors.primary", "voice.tone"


@pytest.fixture
async def ines(app_state: AppState) -> str:
    """Another user."""
    async with app_state.database.writing() as session:
        session.add(User(id="ines", username="ines", username_key="ines", created_at=AT))
    return "ines"


@pytest.fixture
def add(app_state: AppState, owner: str) -> Add:
    """Return a function that stores rows, those of assets and regenerations by their ids."""

    async def store_rows(
        reads: Sequence[tuple[Any, ...]] = (),
        again: dict[str, dict[str, Any]] | None = None,
        **assets: dict[str, Any],
    ) -> None:
        usual = {"owner_id": owner, "source": "run", "cost_usd": Decimal("0.25"), "created_at": AT}
        made_again = {"owner_id": owner, "brand_id": "b", "version": 2, "position": 0, "step": "s"}
        async with app_state.database.writing() as session:
            session.add_all(asset_row(each, **usual | about) for each, about in assets.items())
            await session.flush()
            session.add_all(
                RegenerationRow(id=each, **made_again | about) for each, about in (again or {}).items()
            )
            for run_id, step, field, *others in reads:
                version, usd, brand, user = [*others, *(1, "0.5", "b", owner)[len(others) :]]
                session.add(
                    BrandReadRow(
                        run_id=run_id,
                        step=step,
                        field=field,
                        version=version,
                        cost_usd=Decimal(usd),
                        brand_id=brand,
                        owner_id=user,
                    )
                )

    return store_rows


async def test_assets_of_steps_that_read_a_changed_field_are_affected(
    app_state: AppState, owner: str, store: Store, add: Add, ines: str
) -> None:
    agent = "f1"
    async with app_state.database.writing() as session:
        session.add(FlowRow(id=agent, name="Poster", draft={}, created_at=AT, updated_at=AT))
    await store(r1={}, r2={}, r3={})
    of_agent = {"flow_id": agent, "flow_name": "Poster"}
    await add(
        [
            ("r1", "s", COLORS, 1, "0.5"), ("r1", "s", TONE, 1, "0.5"), ("r1", "t", TONE, 1, "2"),
            ("r2", "s", COLORS, 2, "4"), ("r2", "t", COLORS, 1, "8", "another"),
            ("r3", "s", COLORS, 1, "0.75"), ("r3", "t", COLORS, 1, "16", "b", ines),
        ],
        again={
            "g1": {"asset_id": "a6", "run_id": "r1", "state": "kept"},
            "g2": {"asset_id": "a7", "run_id": "r1", "state": "failed"},
        },
        a1={"run_id": "r1", "step": "s", **of_agent}, a2={"run_id": "r1", "step": "t"},
        a3={"run_id": "r2", "step": "s"}, a4={"run_id": "r2", "step": "t"},
        a5={"run_id": "r1", "step": "s", "replaced_by_id": "a6"},
        a6={"run_id": "r3", "step": "s"}, a7={"run_id": "r3", "step": "s"},
        a8={"run_id": "r3", "step": "t"}, a9={"run_id": "r1", "step": "s", "owner_id": ines},
    )  # fmt: skip
    change = Change(owner, "b", 2, {1: [COLORS], 2: []})
    async with app_state.database.reading() as session:

        async def found(query: Any) -> list[str]:
            return [row.id for row in await session.scalars(query.order_by(AssetRow.id))]

        assert await repository.versions_read(session, owner, "b") == [2, 1]
        assert await repository.versions_read(session, ines, "b") == [1]
        assert await found(repository.affected(change)) == ["a1", "a7"]
        assert await found(repository.affected(Change(owner, "b", 3, change.fields))) == ["a1", "a6", "a7"]
        assert await found(repository.affected(Change(owner, "b", 2, {1: [], 2: []}))) == []
        assert await found(repository.affected(Change(owner, "b", 2, {2: [COLORS]}))) == ["a3"]
        assert await found(repository.affected(Change(owner, "another", 2, {1: [COLORS]}))) == ["a4"]
        assert await found(repository.selected(change, ["a7"], [agent])) == ["a1"], "a7 has no agent"
        assert await found(repository.selected(change, ["a1", "a3"], [])) == ["a1"]
        groups = await repository.groups(session, change)
        assert groups == [(None, None, 1, Decimal("0.25")), (agent, "Poster", 1, Decimal("0.25"))]
        costs = await repository.step_costs(session, change, ["r1", "r2"])
        assert costs == {("r1", "s"): Decimal("0.5")}
        steps = await repository.steps_with_assets(session, ["r1", "r2"])
        assert steps == {("r1", "s"), ("r1", "t"), ("r2", "s"), ("r2", "t")}


async def test_regenerations_are_live_ended_or_undecided(
    app_state: AppState, owner: str, store: Store, add: Add, ines: str
) -> None:
    live = {"status": "running", "lease_owner": "another", "lease_until": AT}
    await store(r1=live, r2=live | {"cancel_requested": True}, r3={}, r4=live | {"status": "queued"})
    about = {"asset_id": "a1", "state": "running"}
    await add(
        again={
            "g1": about | {"run_id": "r1"}, "g2": about | {"run_id": "r2"}, "g3": about | {"run_id": "r3"},
            "g4": about | {"run_id": "r4"}, "g5": about | {"run_id": "r1", "state": "ready"},
            "g6": about | {"run_id": "r3", "state": "failed", "version": 3},
            "g7": about | {"run_id": "r3", "state": "replaced"},
            "g8": about | {"run_id": "r3", "state": "kept"},
            "g9": about | {"run_id": "r3", "brand_id": "another"},
            "ga": about | {"run_id": "r3", "owner_id": ines},
        },
        a1={}, a2={},
    )  # fmt: skip
    async with app_state.database.reading() as session:
        assert sorted(await repository.live_runs(session, owner, "b", 9)) == ["r1", "r4"]
        assert len(await repository.live_runs(session, owner, "b", 1)) == 1
        ended = await repository.ended(session, owner, "b")
        assert [(row.id, status) for row, status in ended] == [("g3", "finished")]
        assert await repository.undecided(session, owner, "b") == 5
        assert await repository.undecided(session, owner, "none") == 0
        listed = await session.scalars(repository.regenerations(owner, "another"))
        assert [row.id for row in listed] == ["g9"]
        for asset_ids, brand_id, version, expected in (
            (["a2", "a1"], "b", 2, True), (["a2"], "b", 2, False), (["a1"], "b", 3, False),
            (["a1"], "none", 2, False),
        ):  # fmt: skip
            found = await repository.is_any_regenerated(session, asset_ids, brand_id, version)
            assert found is expected


async def test_assets_count_as_unknown_where_no_read_was_recorded(
    app_state: AppState, owner: str, store: Store, add: Add, ines: str
) -> None:
    used = [{"brand_id": "b", "name": "Fjell", "version": 1}]
    await store(
        r1={"brands": used}, r2={"brands": used}, r3={"brands": [{**used[0], "reads_recorded": True}]},
        r4={"brands": [{**used[0], "brand_id": "bb"}]}, r5={"brands": None},
    )  # fmt: skip
    await add(
        [("r2", "s", COLORS)],
        **{f"a{number}": {"run_id": f"r{number}", "step": "s"} for number in range(1, 6)},
        a6={"run_id": "r1", "step": "t"}, a7={"run_id": "r1", "step": "t", "replaced_by_id": "a6"},
        a8={"run_id": "r1", "step": "s", "owner_id": ines},
    )  # fmt: skip
    async with app_state.database.reading() as session:
        found = [
            await repository.count_unknown(session, *whose)
            for whose in ((owner, "b"), (owner, "bb"), (owner, "c"), (ines, "b"))
        ]
    assert found == [2, 1, 0, 1]


async def test_fields_that_steps_read_are_recorded_once(
    app_state: AppState, owner: str, store: Store
) -> None:
    await store(r1={"brands": [{"brand_id": "b", "version": 2}]}, r2={"brands": None})
    read = {"reads": {"b": [COLORS, "x" * 60, "y" * 61], "another": [TONE]}, "cost_usd": 0.5}

    def event(name: str, step: str, **data: Any) -> Record:
        return Record("event", name, step, body=orjson.dumps({"reads": {"b": [COLORS]}} | data))

    records = [
        event("step.finished", "s", **read), event("step.finished", "cached", cached=True),
        event("step.finished", "none", reads={}), event("step.failed", "failed"),
        Record("output", "step.finished", "output", body=orjson.dumps(read)),
    ]  # fmt: skip
    async with app_state.database.writing() as session:
        for run_id in ("r1", "r1", "r2"):
            await record_reads(session, run_id, records)
        rows = [
            (row.run_id, row.step, row.brand_id, row.field, row.owner_id, row.version, row.cost_usd)
            for row in await session.scalars(select(BrandReadRow).order_by(BrandReadRow.field))
        ]
    assert rows == [("r1", "s", "b", field, owner, 2, Decimal("0.5")) for field in ("*", COLORS, "x" * 60)]
