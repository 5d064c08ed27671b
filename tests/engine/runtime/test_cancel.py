import asyncio
import gc
import tempfile
import threading
import time
from pathlib import Path

import pytest
from tests.engine.runtime.run_nodes import NODES, say, types_of

from impasto import Context, Image, Integer, MemoryStore, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kind", ["listens", "ignores", "blocks"])
async def test_cancel_ends_within_two_seconds_and_keeps_finished_steps(kind):
    has_started, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    late = []

    @node
    async def listens(text: Text) -> Text:
        has_started.set()
        await asyncio.sleep(60)
        return text

    @node
    async def ignores(text: Text) -> Text:
        has_started.set()
        while not release.is_set():
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                late.append("ignored")
        return "late"

    @node
    def blocks(text: Text) -> Text:
        loop.call_soon_threadsafe(has_started.set)
        release.wait(30)
        return "late"

    plan = plan_of(
        [*NODES, listens, ignores, blocks],
        {"p": "say", "x": kind, "s": "shout"},
        [("p.output", "x.text"), ("x.output", "s.text")],
    )
    async with start(plan) as run:
        await has_started.wait()
        asked = time.perf_counter()
        result = await run.cancel()
        assert time.perf_counter() - asked < 20
    release.set()
    await asyncio.sleep(0.1)
    assert result.status == "cancelled"
    assert types_of(result)[-1] == "run.cancelled"
    assert dict(result.outputs) == {"p.output": "hi"}
    assert (result.steps["x"].status, result.steps["s"].status) == ("cancelled", "skipped")
    assert sum(event.type.startswith("run.") for event in result.events) == 2
    assert len(result.events) == result.events[-1].seq


async def test_cancel_after_the_end_changes_nothing():
    async with start(plan_of(NODES, {"p": "say"})) as run:
        await run.result()
        result = await run.cancel()
    assert result.status == "finished"


async def test_cancelling_the_caller_cancels_the_run():
    heard = []
    plan = plan_of(NODES, {"p": "say", "n": ("nap", {"seconds": 60})}, [("p.output", "n.text")])
    has_started = asyncio.Event()

    def listen(event):
        heard.append(event.type)
        if event.type == "step.started" and event.step == "n":
            has_started.set()

    task = asyncio.create_task(execute(plan, listener=listen))
    await has_started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard[-1] == "run.cancelled"


async def test_error_in_a_thread_does_not_affect_running_async_steps():
    @node
    def bad(text: Text) -> Text:
        raise RuntimeError("sync")

    plan = plan_of(
        [*NODES, bad],
        {"p": "say", "b": "bad", "n": ("nap", {"seconds": 0.02})},
        [("p.output", "b.text"), ("p.output", "n.text")],
    )
    result = await execute(plan)
    assert (result.steps["b"].status, result.steps["n"].status) == ("failed", "finished")


async def test_function_that_raises_cancelled_error_fails_only_its_step():
    @node
    async def odd(text: Text) -> Text:
        raise asyncio.CancelledError

    plan = plan_of(
        [*NODES, odd],
        {"p": "say", "o": "odd", "s": "shout"},
        [("p.output", "o.text"), ("p.output", "s.text")],
    )
    result = await execute(plan)
    assert (result.status, result.steps["o"].status, result.steps["s"].status) == (
        "failed",
        "failed",
        "finished",
    )


async def test_progress_of_concurrent_runs_is_separate():
    @node
    async def report(text: Text, *, context: Context) -> Text:
        for part in range(5):
            context.progress(part / 5, f"{text} {part}")
            await asyncio.sleep(0)
        return text

    plan = plan_of([say, report], {"p": "say", "r": "report"}, [("p.output", "r.text")])
    results = await asyncio.gather(*(execute(plan, {"p": name}) for name in "abc"))
    for name, result in zip("abc", results, strict=True):
        said = [event.data["message"] for event in result.events if event.type == "step.progress"]
        assert said == [f"{name} {part}" for part in range(5)]


async def test_listener_error_does_not_affect_the_run(caplog):
    def listen(event):
        raise RuntimeError("listener")

    assert (await execute(plan_of(NODES, {"p": "say"}), listener=listen)).status == "finished"
    assert "The listener raised" in caplog.text


# -- leaks ---------------------------------------------------------------------------------------


def _held():
    return len(asyncio.all_tasks()), threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))


def _exceeds(after, before):
    """Return whether there is more of anything; less is what earlier tests have released since."""
    return any(now > then for now, then in zip(after, before, strict=True))


@pytest.mark.parametrize("end", ["finished", "failed", "cancelled"])
async def test_run_leaves_no_asyncio_task_thread_file_or_folder(end, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    has_started = asyncio.Event()

    @node
    async def messy(text: Text, *, context: Context) -> Text:
        (context.temp_dir / "x").write_text("x")
        await context.store(b"abc", "text/plain")
        has_started.set()
        if end == "failed":
            raise ValueError
        await asyncio.sleep(60 if end == "cancelled" else 0)
        return text

    plan = plan_of(
        [*NODES, messy],
        {"p": "say", "m": "messy", "b": ("block", {"seconds": 0.01})},
        [("p.output", "m.text"), ("p.output", "b.text")],
    )
    before = _held()
    async with start(plan, store=MemoryStore()) as run:
        await has_started.wait()
        result = await (run.cancel() if end == "cancelled" else run.result())
    assert result.status == end
    patience = time.perf_counter() + 10
    while _exceeds(after := _held(), before) and time.perf_counter() < patience:
        await asyncio.sleep(0.02)
        gc.collect()
    assert not _exceeds(after, before), (after, before)
    assert list(tmp_path.iterdir()) == []


async def test_abandoned_thread_gets_no_temp_dir(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    has_started, release, ended = threading.Event(), threading.Event(), threading.Event()
    given = []

    @node
    def late(text: Text, *, context: Context) -> Text:
        has_started.set()
        release.wait(30)
        try:
            given.append(context.temp_dir)
        finally:
            ended.set()
        return text

    plan = plan_of([*NODES, late], {"p": "say", "x": "late"}, [("p.output", "x.text")])
    async with start(plan, grace=0.01) as run:
        await asyncio.to_thread(has_started.wait, 30)
        await run.cancel()
    release.set()
    assert await asyncio.to_thread(ended.wait, 30)
    assert (given, list(tmp_path.iterdir())) == ([], [])


async def test_values_are_freed_after_their_last_reader():
    import weakref

    alive: list[weakref.ref[Image]] = []

    @node
    async def paint(*, n: int) -> Image:
        image = Image(asset_id=f"asset {n}")
        alive.append(weakref.ref(image))
        return image

    @node
    async def look(image: Image, *, context: Context) -> Text:
        return image.asset_id

    @node
    async def check(text: Text) -> Integer:
        gc.collect()
        return sum(ref() is not None for ref in alive)

    plan = plan_of(
        [paint, look, check],
        {"p": ("paint", {"n": 1}), "l": "look", "c": "check"},
        [("p.output", "l.image"), ("l.output", "c.text")],
    )
    result = await execute(plan)
    assert result.outputs["c.output"] == 0
    assert result.outputs["p.output"] == Image(asset_id="asset 1")
