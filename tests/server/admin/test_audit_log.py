"""The audit log that admins read: entries with names, filters, pages, and the export as CSV."""

import csv
import io
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.server.conftest import Recorded
from tests.server.responses import expect

from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.origin import Origin, acting_from
from impasto_server.audit.schemas import Target
from impasto_server.utils import new_id

pytestmark = pytest.mark.anyio


async def listed(admin: Any, **query: Any) -> list[dict[str, Any]]:
    return list(expect(await admin.client.get("/admin/audit", params=query), 200).json()["items"])


async def test_entries_name_the_users_who_acted_and_were_acted_on(
    admin: Any, person: Any, app_state: Any
) -> None:
    mara = await person.id()
    expect(await admin.client.post(f"/admin/users/{mara}/suspend", json={"reason": " Spam\n"}), 200)
    (entry,) = await listed(admin, action="user.suspend")
    assert await listed(admin, action="user", outcome="success", user_id=mara) == [entry]
    assert await listed(admin, action="user.suspend", outcome="denied") == []
    assert await listed(admin, action="user.suspend", user_id="none") == []
    assert entry.pop("id")
    assert datetime.fromisoformat(entry.pop("at")) <= app_state.clock()
    assert entry == {
        "action": "user.suspend", "outcome": "success", "actor_kind": "user",
        "actor": {"id": await admin.id(), "username": "root"}, "api_key_id": None,
        "target_kind": "user", "target_id": mara, "target_name": "mara", "address": "127.0.0.1",
        "user_agent": admin.client.headers["User-Agent"],
        "details": {"reason": "Spam", "revoked_keys": 0, "cancelled_runs": 0},
    }  # fmt: skip


async def test_target_that_is_no_user_has_no_name(admin: Any, app_state: Any) -> None:
    await audit.record_now(app_state, "run.cancel", target=Target("run", "r1"))
    (entry,) = await listed(admin, action="run")
    assert (entry["actor"], entry["target_id"], entry["target_name"]) == (None, "r1", None)


async def test_group_of_actions_is_no_pattern(admin: Any, app_state: Any) -> None:
    await audit.record_now(app_state, "run.cancel", target=Target("run", "r1"))
    assert [await listed(admin, action=group) for group in ("r%n", "r_n", "ru")] == [[], [], []]


async def test_entries_are_filtered_by_address_and_time(admin: Any, app_state: Any) -> None:
    noon = app_state.clock().replace(microsecond=0)
    for hours in range(3):
        async with app_state.database.writing() as session:
            at = noon - timedelta(hours=hours)
            row = {"action": "sign_out", "outcome": "success", "actor_kind": "user", "details": {}}
            session.add(AuditRow(id=new_id(), at=at, address=f"192.0.2.{hours}", **row))
    hour_ago, now = (noon - timedelta(hours=1)).isoformat(), noon.isoformat()

    async def addresses(**query: Any) -> list[str]:
        return sorted(entry["address"] for entry in await listed(admin, action="sign_out", **query))

    assert await addresses() == ["192.0.2.0", "192.0.2.1", "192.0.2.2"]
    assert await addresses(address="192.0.2.2") == ["192.0.2.2"]
    assert await addresses(since=hour_ago) == ["192.0.2.0", "192.0.2.1"]
    assert await addresses(until=hour_ago) == ["192.0.2.2"]
    assert await addresses(since=hour_ago, until=now) == ["192.0.2.1"]


async def test_pages_continue_at_the_cursor(admin: Any, app_state: Any) -> None:
    for number in range(5):
        await audit.record_now(app_state, "sign_out", target=Target("session", f"s{number}"))
    pages, cursor = [], None
    for _ in range(3):
        query = {"action": "sign_out", "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = expect(await admin.client.get("/admin/audit", params=query), 200).json()
        pages.append([entry["target_id"] for entry in page["items"]])
        cursor = page["next_cursor"]
    assert pages == [["s4", "s3"], ["s2", "s1"], ["s0"]]
    assert cursor is None


async def test_cursor_that_the_server_has_not_made_is_refused(admin: Any, subtests: pytest.Subtests) -> None:
    cases = ["!", "e30", "MQ", "bm90IGpzb24"]
    for cursor in cases:
        with subtests.test(cursor=cursor):
            refused = expect(await admin.client.get("/admin/audit", params={"cursor": cursor}), 422).json()
            assert [(error["path"], error["code"]) for error in refused["errors"]] == [
                ("cursor", "cursor_invalid")
            ]


async def test_export_is_csv_that_no_spreadsheet_executes_and_is_recorded(
    admin: Any, app_state: Any, recorded: Recorded
) -> None:
    with acting_from(Origin("anonymous", "192.0.2.7", "=cmd|' /C calc'!A0")):
        await audit.record_now(app_state, "sign_out", actor_id="u1", details={"name": 'a "b", c'})
    answer = await admin.client.get("/admin/audit/export", params={"action": "sign_out"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="audit-log.csv"'
    [stored] = await recorded("sign_out")
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert row == {
        "id": stored.id, "at": stored.at.isoformat(), "action": "sign_out", "outcome": "success",
        "actor_kind": "user", "actor_id": "u1", "api_key_id": "", "target_kind": "", "target_id": "",
        "address": "192.0.2.7", "user_agent": "'=cmd|' /C calc'!A0", "details": '{"name":"a \\"b\\", c"}',
    }  # fmt: skip
    [export] = await recorded("audit.export")
    assert (export.actor_id, export.details) == (await admin.id(), {"format": "csv"})
