"""One reader of a run's new events for all the streams of this process that follow the run.

A stream reads from the database what is older than the reader's buffer, and from the buffer everything later:
one more stream costs no more queries. The reader takes new events from messages, and what it has not received
from the database.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import takewhile
from time import monotonic

import orjson
import structlog
from fastapi.sse import format_sse_event

from impasto import Event
from impasto.hashing import canonical_json
from impasto_server.db.engine import Database
from impasto_server.runs import journal_repository, repository
from impasto_server.runs.events import live
from impasto_server.runs.events.projection import redact
from impasto_server.runs.events.pubsub import PubSub, Subscription
from impasto_server.runs.repository import Progress
from impasto_server.utils import shielded

PAGE = 500
RECHECK_SECONDS = 3.0
"""How often a reader reads without a notification, which may have been lost."""
# While events come fast, a read serves several of them; the few events of a short run are read at once.
_MAX_READS = 4
_WINDOW_SECONDS = 0.1
_MAX_BUFFER_BYTES = 1_000_000
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent: `public` lacks the details of errors, which only the agent's owner sees.

    `time` is the event's, in seconds since the epoch.
    """

    seq: int
    time: float
    public: bytes
    detailed: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """Frames in order, complete up to number `last`, and whether the stream ends with them."""

    frames: Sequence[Frame]
    last: int
    is_end: bool


class EventReader:
    """Reads the events of a run after number `position` as they are written, and keeps the newest."""

    def __init__(self, database: Database, pubsub: PubSub, run_id: str, position: int) -> None:
        self._database = database
        self._pubsub = pubsub
        self._run_id = run_id
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._start = self._position = position  # the buffer has all that lies between them
        self._changed = asyncio.Event()
        self._error: Exception | None = None
        self._is_gone = False
        self._is_end = False
        self._read_times: deque[float] = deque(maxlen=_MAX_READS)

    @property
    def is_over(self) -> bool:
        """Whether it reads no more: the run has ended, which a resume can undo, or reading has failed."""
        return self._is_end or self._error is not None

    async def read(self, seen: int) -> Page:
        """Return what follows number `seen`; no frames if there is nothing yet."""
        if self._error is not None:
            raise self._error
        if self._is_gone:
            return Page([], seen, is_end=True)
        start = self._start
        if seen < start:
            events = await _read_events(self._database, self._run_id, seen)
            last = events[-1].seq if len(events) == PAGE else max([start, *(event.seq for event in events)])
            return Page([_frame(event) for event in events], last, is_end=False)
        newer = list(takewhile(lambda frame: frame.seq > seen, reversed(self._frames)))
        return Page(newer[::-1], max(seen, self._position), self._is_end)

    async def wait(self, page: Page, seconds: float) -> bool:
        """Wait for what follows a page for at most `seconds`. Returns False on timeout."""
        if self._position > page.last or self.is_over:
            return True
        changed = self._changed
        try:
            async with asyncio.timeout(seconds):
                await changed.wait()
        except TimeoutError:
            return False
        return True

    async def follow(self) -> None:
        """Read until the run ends, is deleted or its owner is suspended, or the process is about to stop."""
        try:
            async with self._pubsub.subscribe(f"run {self._run_id}") as subscription:
                await self._read_stored()
                while not (self._is_end or self._pubsub.closed):
                    await self._read_on(subscription)
        except Exception as error:  # noqa: BLE001 - each stream raises it, and its client connects again
            log.warning("could not read a run's events", run=self._run_id, error=repr(error))
            self._error = error
        finally:
            self._notify()

    async def _read_on(self, subscription: Subscription) -> None:
        is_notified = await subscription.wait(RECHECK_SECONDS)
        if is_notified and len(self._read_times) == _MAX_READS:
            await asyncio.sleep(self._read_times[0] + _WINDOW_SECONDS - monotonic())
        self._read_times.append(monotonic())
        published = subscription.take() if is_notified else None
        if published is None or not self._add_published(published):
            await self._read_stored()

    def _add_published(self, published: Sequence[bytes]) -> bool:
        """Add the events of messages. Returns False if the next ones have to be read from the database."""
        unpacked = [live.unpack(self._run_id, payload) for payload in published]
        newer = [event for events in unpacked for event in events or () if event.seq > self._position]
        numbers = range(self._position + 1, self._position + 1 + len(newer))
        if None in unpacked or any(event.seq != number for event, number in zip(newer, numbers, strict=True)):
            return False
        self._is_end = bool(newer) and newer[-1].type in live.ENDS
        self._add(newer)
        return True

    async def _read_stored(self) -> None:
        """Read all later events from the database."""
        is_complete = False
        while not (is_complete or self._pubsub.closed):
            progress, events = await _read_progress_and_events(self._database, self._run_id, self._position)
            self._is_gone = progress is None
            # An end that is newer than the status is an end only if the next status says so: runs resume.
            is_complete = len(events) < PAGE and not (
                events and progress and events[-1].seq > progress.last_seq and events[-1].type in live.ENDS
            )
            self._is_end = is_complete and (progress is None or progress.has_ended)
            self._add(events)

    def _add(self, events: Sequence[Event]) -> None:
        for event in events:
            frame = _frame(event)
            self._frames.append(frame)
            self._bytes += len(frame.detailed)
            self._position = frame.seq
        while self._bytes > _MAX_BUFFER_BYTES:
            dropped = self._frames.popleft()
            self._bytes -= len(dropped.detailed)
            self._start = dropped.seq
        if events:
            self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass
class _Followed:
    reader: EventReader
    task: asyncio.Task[None]
    streams: int = 0


class EventReaders:
    """The readers of this process, by run. A reader lives as long as a stream follows its run."""

    def __init__(self, database: Database, pubsub: PubSub) -> None:
        self._database = database
        self._pubsub = pubsub
        self._followed: dict[str, _Followed] = {}

    @property
    def run_ids(self) -> set[str]:
        """The runs that streams of this process follow."""
        return set(self._followed)

    @asynccontextmanager
    async def follow(self, run_id: str, last_seq: int) -> AsyncIterator[EventReader]:
        """Follow a run for the length of the block; `last_seq` is the number of its last event so far."""
        followed = self._followed.get(run_id)
        if followed is None or followed.reader.is_over:
            reader = EventReader(self._database, self._pubsub, run_id, last_seq)
            task = asyncio.create_task(reader.follow(), name=f"events of {run_id}")
            followed = self._followed[run_id] = _Followed(reader, task)
        followed.streams += 1
        try:
            yield followed.reader
        finally:
            followed.streams -= 1
            if followed.streams == 0:
                followed.task.cancel()
                if self._followed.get(run_id) is followed:
                    del self._followed[run_id]


@shielded
async def _read_events(database: Database, run_id: str, seen: int) -> Sequence[Event]:
    async with database.reading() as session:
        return await journal_repository.events_after(session, run_id, seen, PAGE)


async def _read_progress_and_events(
    database: Database, run_id: str, seen: int
) -> tuple[Progress | None, Sequence[Event]]:
    """Return how far a run is, None if it is deleted or its owner suspended, and a page of its events.

    The events are at least those of the run's progress.
    """
    progress = await repository.progress_for_owner(database, run_id)
    if progress is None or progress.last_seq <= seen:
        return progress, []
    return progress, await _read_events(database, run_id, seen)


def _frame(event: Event) -> Frame:
    detailed = _encode(event, event.body)
    if b'"detail"' not in event.body:
        return Frame(event.seq, event.time, detailed, detailed)
    public = _encode(event, canonical_json(redact(event, with_detail=False)))
    return Frame(event.seq, event.time, public, detailed)


def _encode(event: Event, body: bytes) -> bytes:
    data = {**event.to_json(), "data": orjson.Fragment(body)}
    return format_sse_event(data_str=orjson.dumps(data).decode(), event=event.type, id=str(event.seq))
