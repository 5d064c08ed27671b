"""A run's events as Server-Sent Events, which a client can leave and resume without a gap."""

from collections.abc import AsyncIterator, Sequence
from time import monotonic

import orjson
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from impasto import Event
from impasto_server.container import AppState
from impasto_server.http.streaming import HoldingResponse
from impasto_server.runs import repository, service
from impasto_server.runs.events.projection import redact
from impasto_server.security import auth
from impasto_server.security.auth import Caller
from impasto_server.utils import shielded

HEARTBEAT_SECONDS = 15.0
CHECK_SECONDS = 3.0
_PAGE = 500
_MAX_SEQ = 2**31 - 1  # the largest value of the column; a larger one in a query is a database error
_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def parse_position(last_event_id: str | None, after: int) -> int:
    """Return the number of the last event that a client has seen: `after` if the id is not a number."""
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        return min(int(last_event_id[:18]), _MAX_SEQ)
    return min(after, _MAX_SEQ)


async def stream_events(app_state: AppState, caller: Caller, run_id: str, seen: int) -> StreamingResponse:
    """Return the stream of the events after number `seen`, until the run or the caller's session or key ends.

    Raises `RunNotFound` or `LimitReached`.
    """
    user = caller.user
    async with app_state.database.reading() as session:
        row = await service.get_owned(session, user, run_id)
        with_detail = await service.can_see_details(session, user, row)
    app_state.streams.open(user)

    async def on_end() -> None:
        app_state.streams.close(user)

    body = _events(app_state, caller, run_id, seen, with_detail=with_detail)
    return HoldingResponse(body, on_end, media_type="text/event-stream", headers=_HEADERS)


@shielded
async def _is_active(app_state: AppState, caller: Caller) -> bool:
    return await auth.is_active(app_state, caller)


async def _events(
    app_state: AppState, caller: Caller, run_id: str, seen: int, *, with_detail: bool
) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    checked_at = heartbeat_at = monotonic()
    async with app_state.pubsub.subscribe(f"run {run_id}") as subscription:
        while True:
            if monotonic() - checked_at >= CHECK_SECONDS:
                # The database is asked, because another process may have ended the session or the key.
                if not await _is_active(app_state, caller):
                    return
                checked_at = monotonic()
            events, is_last = await _read_page(app_state, run_id, seen)
            if events:
                seen = events[-1].seq
                yield b"".join(_encode(event, with_detail=with_detail) for event in events)
            if is_last or app_state.pubsub.closed:
                return
            if len(events) == _PAGE or await subscription.wait(min(HEARTBEAT_SECONDS, CHECK_SECONDS)):
                continue
            if monotonic() - heartbeat_at >= HEARTBEAT_SECONDS:
                yield b": heartbeat\n\n"
                heartbeat_at = monotonic()


@shielded
async def _read_page(app_state: AppState, run_id: str, seen: int) -> tuple[Sequence[Event], bool]:
    """Return the next page of events, and whether the stream ends with it.

    It ends with the run, and without further events if the run is deleted or its owner suspended.
    """
    async with app_state.database.reading() as session:
        # Reading the status first guarantees that the events of an ended run include its end.
        status = await repository.status_for_owner(session, run_id)
        if status is None:
            return [], True
        events = await repository.events_after(session, run_id, seen, _PAGE)
    has_ended = status not in repository.LIVE_STATUSES
    return events, has_ended and len(events) < _PAGE


def _encode(event: Event, *, with_detail: bool) -> bytes:
    data = {**event.to_json(), "data": redact(event, with_detail=with_detail)}
    return format_sse_event(data_str=orjson.dumps(data).decode(), event=event.type, id=str(event.seq))
