"""A run's events as a stream that can be left and taken up again without a gap."""

from collections.abc import AsyncIterator, Sequence

import orjson
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from impasto import Event
from impasto_server.container import AppState
from impasto_server.runs import repository, service
from impasto_server.runs.projection import redacted
from impasto_server.users.models import User
from impasto_server.utils import shielded

HEARTBEAT_SECONDS = 15.0
_PAGE = 500
_HIGHEST = 2**31 - 1  # what the column holds; a database fails on more
_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def position(last_event_id: str | None, after: int) -> int:
    """Return the number of the last event that a client has seen; a strange id means none."""
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        return min(int(last_event_id[:18]), _HIGHEST)
    return min(after, _HIGHEST)


async def follow(app_state: AppState, user: User, run_id: str, seen: int) -> StreamingResponse:
    """Return the stream. Raises `RunNotFound` before anything is sent."""
    async with app_state.database.reading() as session:
        row = await service.owned(session, user, run_id)
        with_detail = await service.sees_details(session, user, row)
    body = _events(app_state, run_id, seen, with_detail=with_detail)
    return StreamingResponse(body, media_type="text/event-stream", headers=_HEADERS)


async def _events(app_state: AppState, run_id: str, seen: int, *, with_detail: bool) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    async with app_state.signals.listen(f"run {run_id}") as wake:
        while True:
            rows, over = await _read(app_state, run_id, seen)
            if rows:
                seen = rows[-1].seq
                yield b"".join(_encode(row, with_detail=with_detail) for row in rows)
            if over or app_state.signals.closed:
                return
            if len(rows) < _PAGE and not await wake.wait(HEARTBEAT_SECONDS):
                yield b": heartbeat\n\n"


@shielded
async def _read(app_state: AppState, run_id: str, seen: int) -> tuple[Sequence[Event], bool]:
    async with app_state.database.reading() as session:
        # The status first: whatever was written before it said "over" is then among the rows.
        status = await repository.status_of(session, run_id)
        rows = await repository.events_after(session, run_id, seen, _PAGE)
    over = status is None or status[0] not in repository.LIVE
    return rows, over and len(rows) < _PAGE


def _encode(event: Event, *, with_detail: bool) -> bytes:
    data = {**event.to_json(), "data": redacted(event, with_detail=with_detail)}
    return format_sse_event(data_str=orjson.dumps(data).decode(), event=event.type, id=str(event.seq))
