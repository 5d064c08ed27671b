"""Batches over HTTP."""

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
    Literal["csv", "zip"], Query(alias="format", description="A table, or the table with all files")
]
_TABLE = {
    "requestBody": {
        "required": True,
        "description": "A list of inputs by node id; in CSV the header names the nodes.",
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
    """Launch an agent once for each row of a table. Either all rows are good and launched, or none is."""
    sent = service.UploadedTable(request.headers.get("content-type", ""), await request.body(), version)
    return await service.start(app_state, user, flow_id, sent, key)


@router.get("/batches/{batch_id}")
async def get(batch_id: str, session: SessionDep, user: CurrentUser) -> Batch:
    """Return how far a batch is."""
    return await service.get(session, user, batch_id)


@router.get("/batches/{batch_id}/results", response_class=Response)
async def results(
    batch_id: str,
    app_state: AppStateDep,
    user: CurrentUser,
    form: Form = "csv",
) -> StreamingResponse:
    """Return what a batch made, as a CSV table or as a zip with the files."""
    return await service.results(app_state, user, batch_id, form)
