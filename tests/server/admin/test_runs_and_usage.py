"""Admins list and cancel runs of all users, and see what runs cost."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import update
from tests.server.conftest import Recorded
from tests.server.responses import expect
from tests.server.runs.sse_client import follow
from tests.server.sample_nodes import arrived, chain

from impasto_server.admin import usage
from impasto_server.runs.models import RunRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(either_database: str) -> str:
    return either_database


async def listed(admin: Any, **params: Any) -> list[str]:
    return [
        run["id"] for run in expect(await admin.client.get("/admin/runs", params=params), 200).json()["items"]
    ]


async def test_runs_are_filtered_and_show_no_inputs(
    admin: Any, person: Any, new_person: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    noor = await new_person("noor")
    first, second = await make_flow(person), await make_flow(noor, name="Other")
    mine = await finished(person, await run_flow(person, first["id"], inputs={"ask": "my secret plan"}))
    other = await finished(noor, await run_flow(noor, second["id"]))
    assert await listed(admin) == [other["id"], mine["id"]]
    assert await listed(admin, user_id=await noor.id()) == [other["id"]]
    assert await listed(admin, flow_id=first["id"]) == [mine["id"]]
    assert await listed(admin, status="failed") == []
    assert await listed(admin, since=other["created_at"]) == [other["id"]]
    assert await listed(admin, until=other["created_at"]) == [mine["id"]]
    assert await listed(admin, since=mine["created_at"], until=other["created_at"]) == [mine["id"]]
    shown = (await admin.client.get("/admin/runs")).json()["items"][1]
    assert {name: mine[name] for name in ("created_at", "started_at", "finished_at", "seconds")} == {
        name: shown.pop(name) for name in ("created_at", "started_at", "finished_at", "seconds")
    }
    assert shown == {
        "id": mine["id"], "number": 1, "owner": {"id": await person.id(), "username": "mara"},
        "flow_id": first["id"], "flow_name": first["name"], "version": "draft", "status": "finished",
        "cost_usd": "0", "error_code": None, "can_cancel": False,
    }  # fmt: skip


async def test_invalid_filters_are_refused(admin: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, str]] = [
        {"since": "2026-01-01T00:00:00"},
        {"since": "3000-01-01T00:00:00Z"},
        {"since": "9999-12-31T23:59:59-12:00"},
        {"until": "1999-12-31T23:59:59Z"},
        {"until": "0001-01-01T00:00:00+12:00"},
        {"status": "unknown"},
        {"limit": "0"},
        {"cursor": "x"},
    ]
    for params in cases:
        with subtests.test(params=params):
            expect(await admin.client.get("/admin/runs", params=params), 422)
    accepted = {"since": "2000-01-01T00:00:00Z", "until": "2999-12-31T23:59:59Z"}
    assert expect(await admin.client.get("/admin/runs", params=accepted), 200).json()["items"] == []
    refused = (await admin.client.get("/admin/runs", params={"since": "3000-01-01T00:00:00Z"})).json()
    assert [(error["path"], error["code"]) for error in refused["errors"]] == [("since", "year_invalid")]


async def test_admin_cancels_a_run(
    app: FastAPI, admin: Any, person: Any, make_flow: Any, run_flow: Any, recorded: Recorded
) -> None:
    made = await make_flow(person, chain("wait"))
    run = await run_flow(person, made["id"])
    async with follow(app, person, run["id"]) as live:
        await arrived("gate")
        [live_run] = (await admin.client.get("/admin/runs")).json()["items"]
        assert (live_run["can_cancel"], live_run["finished_at"], live_run["seconds"]) == (True, None, None)
        cancelled = expect(await admin.client.post(f"/admin/runs/{run['id']}/cancel"), 202).json()
        assert cancelled == live_run | {"can_cancel": False}
        assert (await live.rest())[-1]["type"] == "run.cancelled"
    expect(await admin.client.post(f"/admin/runs/{run['id']}/cancel"), 409, code="run_over")
    expect(await admin.client.post("/admin/runs/none/cancel"), 404)
    [entry] = await recorded("run.cancel")
    assert (entry.actor_id, entry.target_kind, entry.target_id, entry.details) == (
        await admin.id(), "run", run["id"], {"owner": await person.id()},
    )  # fmt: skip


@pytest.mark.usefixtures("at_noon")
async def test_usage_sums_by_day_user_and_provider(
    admin: Any,
    person: Any,
    new_person: Any,
    make_flow: Any,
    run_flow: Any,
    finished: Any,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noor = await new_person("noor")
    for owner, texts in ((person, ("a", "b")), (noor, ("c",))):
        made = await make_flow(owner, chain("paint"))
        for text in texts:
            await finished(owner, await run_flow(owner, made["id"], inputs={"ask": text}))
    today = clock().date().isoformat()
    by_day = expect(await admin.client.get("/admin/usage"), 200).json()
    assert (by_day["runs"], by_day["usd"]) == (3, "0.0375")
    assert by_day["items"] == [{"key": today, "label": today, "runs": 3, "usd": "0.0375"}]
    by_user = (await admin.client.get("/admin/usage", params={"by": "user"})).json()["items"]
    assert by_user == [
        {"key": await person.id(), "label": "mara", "runs": 2, "usd": "0.025"},
        {"key": await noor.id(), "label": "noor", "runs": 1, "usd": "0.0125"},
    ]
    for rows, more in ((2, False), (1, True)):
        monkeypatch.setattr(usage, "MAX_ROWS", rows)
        limited = (await admin.client.get("/admin/usage", params={"by": "user"})).json()
        assert (limited["items"], limited["more"], limited["runs"]) == (by_user[:rows], more, 3)
    by_provider = (await admin.client.get("/admin/usage", params={"by": "provider"})).json()["items"]
    assert by_provider == [{"key": "sample", "label": "sample", "runs": None, "usd": "0.0375"}]
    own = {"by": "provider", "user_id": await noor.id()}
    assert (await admin.client.get("/admin/usage", params=own)).json()["items"][0]["usd"] == "0.0125"
    of_noor = (await admin.client.get("/admin/usage", params={"user_id": await noor.id()})).json()
    assert (of_noor["runs"], of_noor["items"][0]["runs"], of_noor["usd"]) == (1, 1, "0.0125")
    yesterday = (clock().date() - timedelta(days=1)).isoformat()
    tomorrow = (clock().date() + timedelta(days=1)).isoformat()
    for until, runs in ((yesterday, 0), (today, 3), (tomorrow, 3)):
        assert (await admin.client.get("/admin/usage", params={"until": until})).json()["runs"] == runs
    for since, runs in ((yesterday, 3), (today, 3)):
        assert (await admin.client.get("/admin/usage", params={"since": since})).json()["runs"] == runs
    past = {"since": "2020-01-01", "until": "2020-01-31"}
    assert (await admin.client.get("/admin/usage", params=past)).json() == {
        **past, "by": "day", "runs": 0, "usd": "0", "items": [], "more": False,
    }  # fmt: skip


@pytest.mark.usefixtures("at_noon")
async def test_cost_without_a_provider_is_listed_as_other(
    admin: Any, person: Any, app_state: Any, make_flow: Any, run_flow: Any, finished: Any
) -> None:
    made = await make_flow(person, chain("paint"))
    run = await finished(person, await run_flow(person, made["id"]))
    sample = {"key": "sample", "label": "sample", "runs": None, "usd": "0.0125"}
    other = {"key": "other", "label": "Other", "runs": None, "usd": "0.4875"}
    for usd, expected in (("0.012501", [sample]), ("0.5", [sample, other])):
        change = update(RunRow).where(RunRow.id == run["id"]).values(cost_usd=Decimal(usd))
        async with app_state.database.writing() as session:
            await session.execute(change)
        report = (await admin.client.get("/admin/usage", params={"by": "provider"})).json()
        assert report["items"] == expected
    assert (report["runs"], report["usd"], report["more"]) == (1, "0.5", False)


async def test_invalid_periods_are_refused(admin: Any, subtests: pytest.Subtests) -> None:
    cases: list[dict[str, str]] = [
        {"since": "2026-02-01", "until": "2026-01-01"},
        {"since": "2020-01-01", "until": "2026-01-01"},
        {"until": "9999-12-31"},
        {"until": "0001-01-01"},
        {"since": "tomorrow"},
        {"by": "planet"},
    ]
    for params in cases:
        with subtests.test(params=params):
            expect(await admin.client.get("/admin/usage", params=params), 422)


async def test_period_has_1_to_366_days_and_by_default_30(admin: Any, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, str], str | None, str | None]] = [
        ({"until": "2026-01-30"}, "2026-01-01", "2026-01-30"),  # 30 days
        ({"since": "2026-01-30", "until": "2026-01-30"}, "2026-01-30", "2026-01-30"),
        ({"since": "2024-01-01", "until": "2024-12-31"}, "2024-01-01", "2024-12-31"),  # 366 days
        ({"since": "2024-01-01", "until": "2025-01-01"}, None, None),
        ({"since": "2026-01-31", "until": "2026-01-30"}, None, None),
    ]
    for params, since, until in cases:
        with subtests.test(params=params):
            answer = await admin.client.get("/admin/usage", params=params)
            if since is None:
                assert expect(answer, 422).json()["errors"][0]["code"] == "period_invalid"
            else:
                report = expect(answer, 200).json()
                assert (report["since"], report["until"], report["more"]) == (since, until, False)
