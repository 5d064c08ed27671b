"""HTTP endpoints of batches."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from impasto_server.batches import service
from impasto_server.batches.schemas import Batch
from impasto_server.container import AppStateDep
from impasto_server.db.engine import SessionDep
from impasto_server.http.idempotency import IdempotencyKey
from impasto_server.security.auth import CurrentUser

router = APIRouter(tags=["batches"])

Version = Annotated[str | None, Query(pattern=r"^(draft|[1-9]\d{0,8})$", description='"draft" or a number')]
Form = Annotated[
    Literal["csv", "zip"],
    Query(alias="format", description="A table, or a zip with the table and all files"),
]
_TABLE = {
    "requestBody": {
        "required": True,
        "description": "A list of inputs by node id. A CSV header names the nodes by id or title.",
        "content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "object"}}},
            "text/csv": {"schema": {"type": "string"}},
        },
    }
}


@router.post("/flows/{flow_id}/batch", status_code=202, openapi_extra=_TABLE)
async def start(
    flow_id: str,
    request: Request,
    app_state: AppStateDep,
    user: CurrentUser,
    version: Version = None,
    key: IdempotencyKey = None,
) -> Batch:
    """Launch an agent once for each row of a table. One invalid row rejects the whole table."""
    sent = service.UploadedTable(request.headers.get("content-type", ""), await request.body(), version)
    return await service.start(app_state, user, flow_id, sent, key)


@router.get("/batches/{batch_id}")
async def get(batch_id: str, session: SessionDep, user: CurrentUser) -> Batch:
    """Return a batch with its runs."""
    return await service.get(session, user, batch_id)


@router.get("/batches/{batch_id}/results", response_class=Response)
async def results(
    batch_id: str,
    app_state: AppStateDep,
    user: CurrentUser,
    form: Form = "csv",
) -> StreamingResponse:
    """Return the results of a batch as a CSV table, or as a zip with the table and all files."""
    return await service.results(app_state, user, batch_id, form)
