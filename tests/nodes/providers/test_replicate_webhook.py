"""Webhooks of Replicate: a call ends the wait, and a lost call only delays the run."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from tests.fakes.running import flow_of
from tests.fakes.state import GOOD_KEY, WEBHOOK_SECRET, State

from impasto import Catalog, LeaseLost, MemoryJournal, MemoryStore, Run, compile, resume, start
from impasto.journal.protocol import Entry, Lease
from impasto_nodes.providers.replicate import predictions

pytestmark = pytest.mark.anyio
NEVER = predictions.Pace(600, 600)


class Callback:
    """Stands for the callback of the engine; the test calls it."""

    def __init__(self) -> None:
        self.called = asyncio.Event()
        self.secrets: list[str] = []

    def address(self, secret: str) -> str:
        self.secrets.append(secret)
        return "https://studio.example/api/v1/callbacks/1"

    async def wait(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self.called.wait()
        except TimeoutError:
            return False
        self.called.clear()
        return True


class Callbacks(dict[str, Callback]):
    """One callback per topic."""

    @asynccontextmanager
    async def open(self, topic: str) -> AsyncIterator[Callback]:
        yield self.setdefault(topic, Callback())


@pytest.fixture
def callbacks() -> Callbacks:
    return Callbacks()


async def good(provider: str) -> str:
    return GOOD_KEY


def drawing(
    callbacks: Callbacks, run_id: str = "called", journal: MemoryJournal | None = None, n_images: int = 1
) -> Run:
    flow = flow_of("image_generation", {"provider": "replicate", "n_images": n_images}, {"prompt": "A can"})
    plan = compile(flow, Catalog.discover())
    store = MemoryStore()
    return start(
        plan, {}, run_id=run_id, journal=journal, store=store, credentials=good, callbacks=callbacks.open
    )


def going_on(run_id: str, journal: MemoryJournal, callbacks: Callbacks) -> Run:
    return resume(
        run_id,
        catalog=Catalog.discover(),
        journal=journal,
        store=MemoryStore(),
        credentials=good,
        callbacks=callbacks.open,
    )


async def waiting(fakes: State, number: int = 1) -> None:
    while len(fakes.predictions) < number:
        await asyncio.sleep(0.005)


async def test_webhook_ends_the_wait(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "WITH_WEBHOOK", NEVER)
    fakes.polls = None
    async with drawing(callbacks, n_images=2) as run:
        await waiting(fakes, 2)
        fakes.polls = 1
        assert sorted(callbacks) == ["called it prediction:0", "called it prediction:1"]
        for callback in callbacks.values():
            callback.called.set()
        assert (await run.result()).status == "finished"
    sent = [one.body for one in fakes.requests("/predictions", "POST")]
    assert [body["webhook"] for body in sent] == ["https://studio.example/api/v1/callbacks/1"] * 2
    assert sent[0]["webhook_events_filter"] == ["completed"]
    assert all(callback.secrets[-1] == WEBHOOK_SECRET for callback in callbacks.values())
    assert len(fakes.requests("/v1/predictions/", "GET")) == 2


async def test_webhook_before_the_end_is_ignored(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "WITH_WEBHOOK", NEVER)
    fakes.polls = None
    async with drawing(callbacks) as run:
        await waiting(fakes)
        (callback,) = callbacks.values()
        callback.called.set()
        while not fakes.requests("/v1/predictions/", "GET"):
            await asyncio.sleep(0.005)
        fakes.polls = 1
        callback.called.set()
        assert (await run.result()).status == "finished"
    assert len(fakes.predictions) == 1


async def test_lost_webhook_is_made_up_by_polling(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "WITH_WEBHOOK", predictions.Pace(0.01, 0.01))
    async with drawing(callbacks) as run:
        assert (await run.result()).status == "finished"
    assert fakes.requests("/predictions", "POST")[0].body["webhook"]


async def test_no_webhook_is_requested_without_a_secret(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.01, 0.01))
    fakes.misbehave("server_error", on="/webhooks/")
    async with drawing(callbacks) as run:
        assert (await run.result()).status == "finished"
    assert "webhook" not in fakes.requests("/predictions", "POST")[0].body
    assert any(text.startswith("No webhook: failed to read its secret: ") for text in caplog.messages)


class Unwritten(MemoryJournal):
    """Loses the lease at the moment at which the prediction's id would be written down."""

    lost = False

    async def append(self, lease: Lease, records: Sequence[Entry]) -> None:
        memos = [record for record in records if record.kind == "memo" and b"since" not in record.body]
        if memos and not self.lost:
            self.lost = True
            await self.release(lease)
        await super().append(lease, records)


async def remembers(journal: MemoryJournal, run_id: str, prediction: str) -> bool:
    return any(prediction.encode() in one.body for one in await journal.read(run_id) if one.kind == "memo")


async def test_resumed_run_receives_the_webhook_of_its_prediction(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "POLLING", NEVER)
    fakes.polls, journal = None, MemoryJournal()
    live = await drawing(callbacks, "moved", journal).begin()
    await waiting(fakes)
    (prediction,) = fakes.predictions
    while not await remembers(journal, "moved", prediction):
        await asyncio.sleep(0.005)
    await live.abandon()
    async with going_on("moved", journal, callbacks) as run:
        while not fakes.requests("/v1/predictions/", "GET"):
            await asyncio.sleep(0.005)
        fakes.polls = 1
        callbacks["moved it prediction:0"].called.set()
        assert (await run.result()).status == "finished"
    assert len(fakes.predictions) == 1


async def test_prediction_created_before_a_crash_is_found_again(
    fakes: State, callbacks: Callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "POLLING", predictions.Pace(0.01, 0.01))
    journal = Unwritten()
    with pytest.raises(LeaseLost):
        await drawing(callbacks, "unwritten", journal)
    async with going_on("unwritten", journal, callbacks) as run:
        assert (await run.result()).status == "finished"
    assert len(fakes.predictions) == 1
