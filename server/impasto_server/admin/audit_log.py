"""The audit log, for admins: entries with the names of users, and export."""

from collections.abc import AsyncIterator, Sequence
from typing import Literal

import orjson
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.admin import people
from impasto_server.admin.schemas import AuditEntry, AuditPage
from impasto_server.audit import service as audit
from impasto_server.audit.models import AuditRow
from impasto_server.audit.schemas import AuditFilter
from impasto_server.container import AppState
from impasto_server.http.pagination import PageQuery
from impasto_server.storage.csv_lines import as_text, csv_lines

ExportFormat = Literal["csv", "jsonl"]
_COLUMNS = (
    "id", "at", "action", "outcome", "actor_kind", "actor_id", "api_key_id", "target_kind", "target_id",
    "address", "user_agent", "details",
)  # fmt: skip


async def page(session: AsyncSession, wanted: AuditFilter, paging: PageQuery) -> AuditPage:
    """Return a page of entries, newest first."""
    rows, cursor = await audit.page(session, wanted, paging)
    return AuditPage(items=await _described(session, rows), next_cursor=cursor)


async def export(app_state: AppState, wanted: AuditFilter, form: ExportFormat) -> AsyncIterator[str]:
    """Yield the entries that match as lines of CSV, with a header, or of JSON; newest first."""
    if form == "csv":
        yield _csv_line(_COLUMNS)
    async for row in audit.all_entries(app_state, wanted):
        values = {name: getattr(row, name) for name in _COLUMNS} | {"at": row.at.isoformat()}
        if form == "jsonl":
            yield orjson.dumps(values).decode() + "\n"
        else:
            values["details"] = orjson.dumps(row.details).decode()
            yield _csv_line([_cell(values[name]) for name in _COLUMNS])


async def download(app_state: AppState, wanted: AuditFilter, admin_id: str) -> StreamingResponse:
    """Return the entries that match as a CSV file, and record the export."""
    await audit.record_now(app_state, "audit.export", actor_id=admin_id, details={"format": "csv"})
    headers = {"Content-Disposition": 'attachment; filename="audit-log.csv"'}
    return StreamingResponse(export(app_state, wanted, "csv"), media_type="text/csv", headers=headers)


async def _described(session: AsyncSession, rows: list[AuditRow]) -> list[AuditEntry]:
    targets = [row.target_id for row in rows if row.target_kind == "user"]
    known = await people.refs(session, [*(row.actor_id for row in rows), *targets])
    return [
        AuditEntry.model_validate(
            {
                **{name: getattr(row, name) for name in _COLUMNS if name != "actor_id"},
                "actor": known[row.actor_id] if row.actor_id else None,
                "target_name": known[row.target_id].username if row.target_id in known else None,
            }
        )
        for row in rows
    ]


def _csv_line(cells: Sequence[str]) -> str:
    return csv_lines([cells], line_end="\n")


def _cell(value: object) -> str:
    return as_text("" if value is None else str(value))
