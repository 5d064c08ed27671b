"""A run's events as Server-Sent Events, which a client can leave and resume without a gap."""

from collections.abc import AsyncIterator
from time import monotonic, time

from fastapi.responses import StreamingResponse

from impasto_server.container import AppState
from impasto_server.http.streaming import HoldingResponse
from impasto_server.observability import metrics
from impasto_server.runs import service
from impasto_server.security import auth
from impasto_server.security.auth import Caller
from impasto_server.utils import shielded

HEARTBEAT_SECONDS = 15.0
CHECK_SECONDS = 3.0
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
    followed = await service.find_followed(app_state.database, user, run_id)
    app_state.streams.open(user)

    async def on_end() -> None:
        app_state.streams.close(user)

    body = _events(app_state, caller, run_id, seen, followed.last_seq, with_detail=followed.with_detail)
    return HoldingResponse(body, on_end, media_type="text/event-stream", headers=_HEADERS)


@shielded
async def _is_active(app_state: AppState, caller: Caller) -> bool:
    return await auth.is_active(app_state, caller)


async def _events(
    app_state: AppState, caller: Caller, run_id: str, seen: int, last_seq: int, *, with_detail: bool
) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    checked_at = heartbeat_at = monotonic()
    opened_at = time()
    async with app_state.event_readers.follow(run_id, last_seq) as reader:
        while True:
            if monotonic() - checked_at >= CHECK_SECONDS:
                # The database is asked, because another process may have ended the session or the key.
                if not await _is_active(app_state, caller):
                    return
                checked_at = monotonic()
            page = await reader.read(seen)
            seen = page.last
            if page.frames:
                metrics.observe_lag(page.frames[-1].time, opened_at)
                yield b"".join(frame.detailed if with_detail else frame.public for frame in page.frames)
            if page.is_end or app_state.pubsub.closed:
                return
            if await reader.wait(page, min(HEARTBEAT_SECONDS, CHECK_SECONDS)):
                continue
            if monotonic() - heartbeat_at >= HEARTBEAT_SECONDS:
                yield b": heartbeat\n\n"
                heartbeat_at = monotonic()
