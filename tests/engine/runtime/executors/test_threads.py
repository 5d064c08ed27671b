"""Worker threads: started on demand, at most so many, kept for the next job and ended with the run."""

import asyncio
import sys
import threading

import pytest

from impasto.errors import NodeError
from impasto.runtime.executors.threads import Threads

pytestmark = pytest.mark.anyio


def own(before, *, ended=False):
    """The worker threads that were not there before; with `ended` those that have not ended soon."""
    found = [
        thread for thread in threading.enumerate() if thread.name == "impasto-step" and thread not in before
    ]
    for thread in found if ended else ():
        thread.join(20)
    return [thread for thread in found if thread.is_alive()]


async def test_jobs_run_at_the_same_time_in_threads_of_their_own():
    before, meeting = threading.enumerate(), threading.Barrier(3)
    threads = Threads(3)

    def job():
        meeting.wait(20)
        return threading.current_thread()

    used = await asyncio.gather(*(threads.run(job) for _ in range(3)))
    assert len(set(used)) == 3
    assert all(thread.daemon for thread in used)
    assert set(used) == set(own(before))
    threads.close()
    assert own(before, ended=True) == []


async def test_jobs_beyond_the_number_of_threads_wait_in_turn():
    before, release = threading.enumerate(), threading.Event()
    threads, done = Threads(1), []
    first = threads.run(lambda: release.wait(20))
    others = [threads.run(lambda n=n: done.append((n, threading.get_ident()))) for n in (1, 2)]
    assert len(own(before)) == 1
    release.set()
    await asyncio.gather(first, *others)
    assert [number for number, _ in done] == [1, 2]
    assert len({ident for _, ident in done}) == 1
    threads.close(20)


async def test_idle_thread_takes_the_next_job():
    before, threads = threading.enumerate(), Threads()
    await threads.run(int)
    async with asyncio.timeout(20):
        while not threads._free:
            await asyncio.sleep(0)
    (thread,) = own(before)
    assert await threads.run(threading.current_thread) is thread
    async with asyncio.timeout(20):
        while not threads._free:
            await asyncio.sleep(0)
    threads.close(20)  # waits for idle threads
    assert own(before) == []


async def test_job_that_is_cancelled_before_its_turn_is_not_done():
    threads, release, done = Threads(1), threading.Event(), []
    first = threads.run(lambda: release.wait(20))
    cancelled = threads.run(lambda: done.append("cancelled"))
    last = threads.run(lambda: done.append("last"))
    cancelled.cancel()
    release.set()
    await asyncio.gather(first, last)
    assert done == ["last"]
    threads.close(20)


async def test_result_of_a_job_that_was_abandoned_is_dropped():
    threads, release = Threads(1), threading.Event()
    abandoned = threads.run(lambda: release.wait(20))
    async with asyncio.timeout(20):
        while not threads._threads or threads._jobs:
            await asyncio.sleep(0)
    abandoned.cancel()
    release.set()
    assert await threads.run(lambda: "next") == "next"
    assert abandoned.cancelled()
    threads.close(20)


def raises(error):
    def job():
        raise error

    return job


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (ValueError("no"), ValueError, "no"),
        (StopIteration("no"), RuntimeError, "the function raised StopIteration"),
        (SystemExit(3), NodeError, "SystemExit: 3"),
        (asyncio.CancelledError("odd"), asyncio.CancelledError, "odd"),
    ],
    ids=["exception", "stop iteration", "exit", "cancelled"],
)
async def test_error_of_a_job_is_raised_where_it_is_awaited(error, kind, text):
    threads = Threads()
    with pytest.raises(kind) as raised:
        await threads.run(raises(error))
    assert (getattr(raised.value, "detail", None) or str(raised.value)) == text
    assert await threads.run(lambda: "next") == "next"
    threads.close(20)


def test_job_whose_event_loop_was_closed_ends_without_an_error(monkeypatch):
    failures, threads, release = [], Threads(1), threading.Event()
    monkeypatch.setattr(sys, "unraisablehook", failures.append)
    monkeypatch.setattr(threading, "excepthook", failures.append)

    async def leave():
        threads.run(lambda: release.wait(20))

    asyncio.run(leave())
    release.set()
    assert asyncio.run(next_of(threads)) == "next"
    assert failures == []
    threads.close(20)


async def next_of(threads):
    return await threads.run(lambda: "next")


def test_closing_does_not_wait_for_a_thread_that_is_busy():
    before, threads = threading.enumerate(), Threads(2)
    release, started = threading.Event(), threading.Event()

    def job():
        started.set()
        release.wait(20)

    threads.post(job)
    started.wait(20)
    threads.close(20)
    (thread,) = own(before)
    release.set()
    thread.join(20)
    assert not thread.is_alive()
